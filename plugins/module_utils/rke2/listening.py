# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who listens on which port, and where packets go by default: read from the kernel's own tables, without a process."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

LISTEN: Final = "0A"
# A UDP socket that takes from everybody.
UNCONNECTED: Final = "07"
TABLES: Final = (("tcp", "tcp", LISTEN), ("tcp6", "tcp", LISTEN), ("udp", "udp", UNCONNECTED), ("udp6", "udp", UNCONNECTED))


def read_listeners(ports: Collection[int], proc: Path = Path("/proc")) -> list[dict[str, Any]]:
    """For each port that is taken, by whom and on which address."""
    found = [one for name, protocol, state in TABLES for one in _table(proc / "net" / name, protocol, state) if one["port"] in ports]
    owners = dict(_owners({one["inode"] for one in found}, proc)) if found else {}
    listeners = [{**one, "process": owners.get(one["inode"], "")} for one in found]
    return [{key: value for key, value in one.items() if key != "inode"} for one in listeners]


def _table(path: Path, protocol: str, state: str) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_text().splitlines()[1:]
    except OSError:
        return
    for line in lines:
        parts = line.split()
        if parts[3] == state:
            address, _, port = parts[1].partition(":")
            yield {"port": int(port, 16), "protocol": protocol, "address": address_of(address), "inode": parts[9]}


def address_of(word: str) -> str:
    """The kernel writes words of the machine's order, in hexadecimal."""
    raw = b"".join(struct.pack("=I", int(word[at : at + 8], 16)) for at in range(0, len(word), 8))
    return socket.inet_ntop(socket.AF_INET if len(raw) == 4 else socket.AF_INET6, raw)


def _owners(inodes: Collection[str], proc: Path) -> Iterator[tuple[str, str]]:
    wanted = {f"socket:[{inode}]": inode for inode in inodes}
    for folder in proc.iterdir():
        if not folder.name.isdigit():
            continue
        # Processes end while one looks.
        with contextlib.suppress(OSError):
            for link in (folder / "fd").iterdir():
                target = str(link.readlink())
                if target in wanted:
                    yield wanted[target], (folder / "comm").read_text().strip()


def has_default_route(proc: Path = Path("/proc")) -> bool:
    with contextlib.suppress(OSError):
        if any(line.split()[1] == "00000000" for line in (proc / "net/route").read_text().splitlines()[1:]):
            return True
    with contextlib.suppress(OSError):
        return any(_routes_all(line.split()) for line in (proc / "net/ipv6_route").read_text().splitlines())
    return False


def _routes_all(parts: list[str]) -> bool:
    """A route to everything that does not end on the loopback, where the kernel has one that refuses."""
    return set(parts[0]) == {"0"} and parts[1] == "00" and parts[9] != "lo"
