# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A time server for the hosts: answers with this machine's clock. `python -m tests.lab.hosts.ntp ADDRESS`"""

from __future__ import annotations

import socket
import struct
import sys
import time

SINCE_1900 = 2_208_988_800


def stamp(seconds: float) -> bytes:
    return struct.pack("!II", int(seconds) + SINCE_1900, int((seconds % 1) * 2**32))


def answer(request: bytes, received: float) -> bytes:
    """A reply of a server of stratum 3 (RFC 5905, section 7.3)."""
    version = (request[0] >> 3) & 7
    head = struct.pack("!BBbbIII", (version << 3) | 4, 3, request[2], -20, 64, 64, 0x7F000001)
    return head + stamp(received - 1) + request[40:48] + stamp(received) + stamp(time.time())


def main() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((sys.argv[1], 123))
        while True:
            request, client = server.recvfrom(512)
            if len(request) >= 48:
                server.sendto(answer(request, time.time()), client)


if __name__ == "__main__":
    main()
