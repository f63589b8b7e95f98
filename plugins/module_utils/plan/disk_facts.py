# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the rules for disks ask about a disk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Literal

from ..bmc.hardware import Disk, Volume
from .amounts import listed
from .machines import Machine
from .servers import PlannedServer
from .wishes import Disks

DeviceClass = Literal["hdd", "ssd", "nvme"]
# What vendors call the small controllers that carry nothing but the operating system: Dell, HPE, and the plain word.
BOOT = ("boss", "ns204i", "m.2")


@dataclass(frozen=True, slots=True)
class View:
    """The disks of one server, looked at once. `volumes` is by serial; `bound` are the OSDs that it has already."""

    machine: Machine
    wish: Disks
    before: PlannedServer | None
    disks: tuple[Disk, ...]
    classes: Mapping[str, DeviceClass]
    volumes: Mapping[str, Volume]
    bound: frozenset[str]


def view_of(machine: Machine, wish: Disks, before: PlannedServer | None) -> View:
    disks = tuple(sorted(machine.disks, key=lambda one: (by_number(one.slot or "~"), one.serial)))
    bound = {one.serial for one in before.osds} | {one.database for one in before.osds if one.database} if before else ()
    return View(
        machine=machine,
        wish=wish,
        before=before,
        disks=disks,
        classes={one.serial: device_class(one) for one in disks},
        volumes={serial: volume for volume in machine.server.volumes or () for serial in volume.disks or ()},
        bound=frozenset(bound),
    )


@lru_cache(maxsize=4096)
def by_number(slot: str) -> tuple[tuple[str, int], ...]:
    """Slots as a person counts them: bay 2 before bay 10. So equal servers get their operating system in the same bay."""
    return tuple((text, int(number or 0)) for text, number in re.findall(r"(\D*)([0-9]*)", slot))


def device_class(disk: Disk) -> DeviceClass:
    """Some BMCs tell neither media nor protocol, yet name the controller after what hangs on it."""
    if (disk.protocol or "").lower() == "nvme" or (disk.media is None and "nvme" in (disk.controller or "").lower()):
        return "nvme"
    return "ssd" if disk.media == "ssd" else "hdd"


def on_boot_controller(disk: Disk) -> bool:
    words = f"{disk.controller} {disk.model}".lower()
    return any(word in words for word in BOOT)


def named(disk: Disk, patterns: Iterable[str]) -> bool:
    """By serial, model or slot, as a shell matches, whatever the case."""
    return any(fits((disk.serial, disk.model, disk.slot), pattern) for pattern in patterns)


def may_be_wiped(disk: Disk, volume: Volume | None, patterns: Sequence[str]) -> bool:
    name = volume.name if volume else None
    return any(fits((disk.serial, disk.model, disk.slot, name), pattern) for pattern in patterns)


def fits(values: Iterable[str | None], pattern: str) -> bool:
    wanted = pattern.lower()
    return any(value is not None and fnmatchcase(value.lower(), wanted) for value in values)


def called(disks: Sequence[Disk]) -> str:
    """Disks as one finds them: by slot where it is known, so that equal servers give equal sentences."""
    return listed([f"{one.slot} ({one.model or 'unknown model'})" if one.slot else one.serial for one in disks])
