# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lab has: hosts with NICs and disks, and what became of them since."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

GIB = 1024**3


@dataclass(frozen=True)
class Disk:
    serial: str
    wwn: str
    bytes: int


@dataclass(frozen=True)
class Lab:
    """So many hosts; the first NIC is on a network with the machine, which is its .1, the others are on networks without addresses.

    `intent` lies over the lab's own. `added`, `replaced` and `emptied` have a host's number once for each time that it got one more disk,
    was replaced by another server, and lost its disks for empty ones; `swapped` has that of a host and of its disk that was replaced.
    `kubelet` says that a kubelet shall live on each.
    """

    folder: Path
    name: str = "vitro"
    subnet: str = "10.89.91"
    hosts: int = 3
    nics: int = 3
    mtu: int = 9000
    suite: str = "bookworm"
    disks: int = 0
    disk_gib: int = 8
    racks: int = 0
    kubelet: bool = False
    intent: Mapping[str, Any] = field(default_factory=dict)
    added: tuple[int, ...] = ()
    replaced: tuple[int, ...] = ()
    emptied: tuple[int, ...] = ()
    swapped: tuple[tuple[int, int], ...] = ()

    @property
    def names(self) -> list[str]:
        return [f"{self.name}-{number:02d}" for number in range(1, self.hosts + 1)]

    def mac(self, host: int, nic: int) -> str:
        return f"02:4c:{self.subnet.rpartition('.')[2]:0>2}:{self.replaced.count(host):02x}:{nic:02x}:{host:02x}".lower()

    def address(self, host: int) -> str:
        return f"{self.subnet}.{10 + host}"

    def network(self, nic: int) -> str:
        return f"{self.name}-lab{nic}"

    def serials_of(self, host: int) -> list[str]:
        """The serial of the server, after those whose place it took."""
        return [f"LAB{host:03d}{chr(64 + number) if number else ''}" for number in range(self.replaced.count(host) + 1)]

    def disks_of(self, host: int) -> list[Disk]:
        return [self._disk(host, number) for number in range(1, self.disks + self.added.count(host) + 1)]

    def _disk(self, host: int, number: int) -> Disk:
        times = self.emptied.count(host) + self.swapped.count((host, number))
        return Disk(f"{self.name.upper()}{host:02d}{times:X}{number:02d}", f"50{times:02x}{host:06x}{number:06x}", self.disk_gib * GIB)

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "lab.json").write_text(json.dumps({**asdict(self), "folder": None}))


def load(folder: Path) -> Lab:
    """As it was saved in the folder."""
    told = json.loads((folder / "lab.json").read_text())
    lists = {key: tuple(told[key]) for key in ("added", "replaced", "emptied")}
    swapped = tuple((host, number) for host, number in told["swapped"])
    return replace(Lab(**{**told, **lists, "swapped": swapped}), folder=folder)
