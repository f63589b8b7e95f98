# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the rules for disks ask about a disk."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import translate
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
    """The disks of one server, looked at once. `volumes` are all that lie on a disk, by its serial; `bound` are the OSDs that it has."""

    machine: Machine
    wish: Disks
    before: PlannedServer | None
    disks: tuple[Disk, ...]
    classes: Mapping[str, DeviceClass]
    volumes: Mapping[str, tuple[Volume, ...]]
    bound: frozenset[str]


def view_of(machine: Machine, wish: Disks, before: PlannedServer | None) -> View:
    disks = tuple(sorted(machine.disks, key=lambda one: (by_number(one.slot or "~"), one.serial)))
    before = _of_these(disks, before) if before and before.id != machine.id else before
    bound = {one.serial for one in before.osds} | {one.database for one in before.osds if one.database} if before else ()
    return View(
        machine=machine,
        wish=wish,
        before=before,
        disks=disks,
        classes={one.serial: device_class(one) for one in disks},
        volumes=_by_disk(machine.server.volumes or ()),
        bound=frozenset(bound),
    )


def _of_these(disks: Sequence[Disk], before: PlannedServer) -> PlannedServer:
    """What another server had in this one's place binds only the disks that moved over with it; the others are not missed."""
    there = {one.serial for one in disks}
    system = before.os_disk if before.os_disk and there.intersection(before.os_disk.serials) else None
    return replace(before, os_disk=system, osds=tuple(one for one in before.osds if one.serial in there))


def _by_disk(volumes: Iterable[Volume]) -> dict[str, tuple[Volume, ...]]:
    lying: dict[str, list[Volume]] = defaultdict(list)
    for volume in sorted(volumes, key=lambda one: one.name):
        for serial in volume.disks or ():
            lying[serial].append(volume)
    return {serial: tuple(them) for serial, them in lying.items()}


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


def named(disk: Disk, patterns: tuple[str, ...]) -> bool:
    """By serial, model or slot, as a shell matches, whatever the case."""
    return fits((disk.serial, disk.model, disk.slot), patterns)


def may_be_wiped(disk: Disk, volumes: Sequence[Volume], patterns: tuple[str, ...]) -> bool:
    """Whether the disk itself is named, or every volume that lies on it: wiping it destroys them all."""
    return named(disk, patterns) or (bool(volumes) and all(fits((one.name,), patterns) for one in volumes))


def fits(values: Iterable[str | None], patterns: tuple[str, ...]) -> bool:
    """Whether one of the values matches one of the patterns."""
    if not patterns:
        return False
    matches = _matcher(patterns)
    return any(value is not None and matches(value.lower()) for value in values)


@lru_cache(maxsize=1024)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    """All patterns as one expression, made once: a site may have hundreds of them, and thousands of disks."""
    return re.compile("|".join(translate(one.lower()) for one in patterns)).match


def called(disks: Sequence[Disk]) -> str:
    """Disks as one finds them: by slot where it is known, so that equal servers give equal sentences."""
    return listed([f"{one.slot} ({one.model or 'unknown model'})" if one.slot else one.serial for one in disks])
