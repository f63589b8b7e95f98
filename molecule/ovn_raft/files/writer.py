# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""writer.py PREFIX COUNT: writes logical switches one after the other, and says which were acknowledged and the longest silence.

Knows nothing of the collection's own client. What was not acknowledged is not written again, so that nothing is there twice.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from typing import Any


def ask(operations: list[dict[str, Any]], timeout: float = 5) -> Any:
    """The answers, or nothing."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(timeout)
            link.connect("/run/ovn/ovnnb_db.sock")
            link.sendall(json.dumps({"method": "transact", "id": 1, "params": ["OVN_Northbound", *operations]}).encode())
            text = ""
            while True:
                piece = link.recv(65536)
                if not piece:
                    return None
                text += piece.decode()
                try:
                    said = json.loads(text)
                except ValueError:
                    continue
                wrong = said.get("error") or any(one and one.get("error") for one in said["result"])
                return None if wrong else said["result"]
    except OSError:
        return None


def main(prefix: str, count: int) -> None:
    acknowledged, refused, silence, last = [], 0, 0.0, time.monotonic()
    for number in range(count):
        name = f"{prefix}{number}"
        if ask([{"op": "insert", "table": "Logical_Switch", "row": {"name": name}}]) is None:
            refused += 1
            time.sleep(0.05)
            continue
        now = time.monotonic()
        silence, last = max(silence, now - last), now
        acknowledged.append(name)
        time.sleep(0.01)
    sys.stdout.write(json.dumps({"acknowledged": acknowledged, "refused": refused, "silence": round(silence, 2)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
