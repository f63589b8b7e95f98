# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faster disks hold the databases (DB and WAL) of OSDs on rotating disks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..bmc.hardware import Disk
from .amounts import GIB, size
from .disk_facts import DeviceClass

# Ceph's documentation of BlueStore asks for a DB of 1 to 4 % of the data disk (4 % where the object gateway writes).
LEAST, MOST = 1, 4
# How many rotating disks one faster disk can serve before it is the bottleneck: Ceph's hardware recommendations
# (4 to 5 for a SATA/SAS SSD, at most 10 to 12 for NVMe).
SERVES: Mapping[DeviceClass, int] = {"ssd": 5, "nvme": 12}
# From this number on the databases are spread over two disks, so that one dead disk does not take all of them.
SPREAD_FROM = 4
# Less of a disk in use than this, and it is worth more as an OSD of its own.
WORTHWHILE = 25
FASTEST: Mapping[DeviceClass, int] = {"nvme": 0, "ssd": 1, "hdd": 2}


@dataclass(frozen=True, slots=True)
class Databases:
    """`of` gives for the serial of an OSD the faster disk and its bytes there; `disks` are all that are used so."""

    of: Mapping[str, tuple[str, int]]
    disks: frozenset[str]
    reasons: tuple[str, ...] = ()


def plan_databases(
    slow: Sequence[Disk],
    fast: Sequence[Disk],
    classes: Mapping[str, DeviceClass],
    kept: Mapping[str, tuple[str, int]],
    all_disks: Sequence[Disk],
) -> Databases:
    """`slow` are the disks that have no database yet, `fast` those that may become its place, `kept` what is as it was."""
    assigned = dict(kept)
    reasons: list[str] = []
    left = _beside(slow, classes, assigned, all_disks)
    if left:
        reasons += _on_new(left, fast, classes, assigned)
    return Databases(of=assigned, disks=frozenset(serial for serial, _ in assigned.values()), reasons=tuple(reasons))


def _beside(
    slow: Sequence[Disk], classes: Mapping[str, DeviceClass], assigned: dict[str, tuple[str, int]], disks: Sequence[Disk]
) -> list[Disk]:
    """New disks go beside the databases that are there, where there is room; returns those that found none."""
    users: dict[str, int] = defaultdict(int)
    room = {one.serial: one.bytes - GIB for one in disks}
    for serial, amount in assigned.values():
        users[serial] += 1
        room[serial] -= amount
    left = []
    for disk in slow:
        open_ = [one for one in users if users[one] < SERVES.get(classes[one], 0) and room[one] * 100 >= disk.bytes * LEAST]
        if not open_:
            left.append(disk)
            continue
        place = min(open_, key=lambda one: (users[one], one))
        amount = min(disk.bytes * MOST // 100, room[place]) // GIB * GIB
        assigned[disk.serial] = (place, amount)
        users[place] += 1
        room[place] -= amount
    return left


def _on_new(
    slow: Sequence[Disk], fast: Sequence[Disk], classes: Mapping[str, DeviceClass], assigned: dict[str, tuple[str, int]]
) -> list[str]:
    """The class with the fewest disks serves; as few of them as needed."""
    equal: dict[tuple[DeviceClass, int], list[Disk]] = defaultdict(list)
    for one in fast:
        equal[classes[one.serial], one.bytes].append(one)
    reasons = []
    for (kind, amount), group in sorted(equal.items(), key=lambda one: (len(one[1]), FASTEST[one[0][0]], one[0][1])):
        share, count = _divided(slow, kind, amount, len(group))
        if not share:
            reasons.append(f"no databases on the {len(group)} {kind} disks of {size(amount)}: they cannot serve {len(slow)} rotating disks")
            continue
        used = share * -(-len(slow) // count) * 100 // amount
        if used < WORTHWHILE:
            reasons.append(f"the {len(group)} {kind} disks of {size(amount)} are OSDs: databases would use {used} % of a disk only")
            continue
        for index, disk in enumerate(slow):
            assigned[disk.serial] = (group[index % count].serial, share)
        reasons.append(f"{count} {kind} disks of {size(amount)} hold the databases of {len(slow)} rotating disks, {size(share)} each")
        return reasons
    return reasons


def _divided(slow: Sequence[Disk], kind: DeviceClass, amount: int, available: int) -> tuple[int, int]:
    """The bytes for each database and on how many disks, the fewest that do; 0 bytes if they are too few or too small."""
    largest = max(one.bytes for one in slow)
    fewest = max(-(-len(slow) // SERVES[kind]), 2 if len(slow) >= SPREAD_FROM else 1)
    for count in range(fewest, available + 1):
        # One GiB stays for LVM's own records.
        share = min(largest * MOST // 100, (amount - GIB) // -(-len(slow) // count)) // GIB * GIB
        if share * 100 >= largest * LEAST:
            return share, count
    return 0, 0
