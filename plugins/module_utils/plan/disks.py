# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each disk of a server is for: the operating system, an OSD, the databases of OSDs, or nothing of ours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..bmc.hardware import Disk
from .amounts import GB, listed, size
from .databases import Databases, plan_databases
from .disk_facts import View, called, fits, may_be_wiped, named, view_of
from .disk_kinds import (
    DATABASE_DISK_GONE,
    DISK_HAS_VOLUME,
    DISK_UNHEALTHY,
    MEDIA_UNKNOWN,
    MIXED_SIZES,
    NO_DATA_DISK,
    OSD_DISK_GONE,
    OSD_WOULD_MOVE,
    PATTERN_UNMATCHED,
    VOLUMES_UNKNOWN,
)
from .machines import Machine
from .objections import Found
from .os_disk import choose_os_disk
from .servers import Osd, OsDisk, PlannedServer
from .wishes import Disks


@dataclass(frozen=True, slots=True)
class DiskPlan:
    """`osds` is what could become OSDs; whether it does is for the roles to say."""

    os_disk: OsDisk | None
    osds: tuple[Osd, ...]
    reasons: tuple[str, ...]


@dataclass(slots=True)
class Sorting:
    """Disks on their way to become OSDs, and those that do not."""

    data: list[Disk] = field(default_factory=list)
    wiped: set[str] = field(default_factory=set)
    small: list[Disk] = field(default_factory=list)
    failing: list[Disk] = field(default_factory=list)
    occupied: list[Disk] = field(default_factory=list)
    moving: list[tuple[Disk, str]] = field(default_factory=list)


def plan_disks(machine: Machine, wish: Disks, before: PlannedServer | None, *, allow_moves: bool = False) -> tuple[DiskPlan, list[Found]]:
    """Called before roles are known. `before` binds: an OSD stays one, and the operating system stays where it is."""
    view = view_of(machine, wish, before)
    os_disk, why, found = choose_os_disk(view, allow_moves=allow_moves)
    sorting = _sorted(view, os_disk, allow_moves=allow_moves)
    databases = _databases(view, sorting)
    osds = tuple(_osd(view, one, sorting, databases) for one in sorting.data if one.serial not in databases.disks)
    found += _found(view, sorting, osds)
    reasons = [f"operating system on {_said(os_disk)}: {why}"] if os_disk else []
    reasons += [*databases.reasons, *_left_out(view, sorting)]
    return DiskPlan(os_disk=os_disk, osds=osds, reasons=tuple(reasons)), found


def unmatched_patterns(machines: Sequence[Machine], wish: Disks) -> list[Found]:
    """Patterns that match no disk of any server; under disks.wipe they may also name a volume."""
    disks = [disk for machine in machines for disk in machine.disks]
    values = {value for one in disks for value in (one.serial, one.model, one.slot) if value is not None}
    volumes = {volume.name for machine in machines for volume in machine.server.volumes or ()}
    found = []
    for key in ("os", "osd", "never", "wipe"):
        patterns: tuple[str, ...] = getattr(wish, key)
        # What none of the patterns matches need not be compared with each of them.
        meant = [value for value in (values | volumes if key == "wipe" else values) if fits((value,), patterns)]
        for number, pattern in enumerate(patterns):
            if not fits(meant, (pattern,)):
                text = f"`{pattern}` matches none of the {len(disks)} disks of the site"
                found.append(PATTERN_UNMATCHED.of(f"disks.{key}", text, path=f"disks.{key}.{number}"))
    return found


def _sorted(view: View, os_disk: OsDisk | None, *, allow_moves: bool) -> Sorting:
    sorting = Sorting()
    taken = set(os_disk.serials) if os_disk else set()
    for disk in view.disks:
        serial = disk.serial
        if serial in view.bound:
            against = _against_bound(view, disk, taken)
            if against:
                sorting.moving.append((disk, against))
            if serial not in taken and not (against and allow_moves):
                _accept(view, sorting, disk)
        elif serial not in taken:
            _sort(view, sorting, disk)
    if allow_moves:
        sorting.moving.clear()
    return sorting


def _sort(view: View, sorting: Sorting, disk: Disk) -> None:
    wish, volumes = view.wish, view.volumes.get(disk.serial, ())
    if (wish.never and named(disk, wish.never)) or (wish.osd and not named(disk, wish.osd)):
        return
    if disk.bytes < wish.osd_minimum_gb * GB:
        sorting.small.append(disk)
    elif disk.health == "critical":
        sorting.failing.append(disk)
    elif volumes and not may_be_wiped(disk, volumes, wish.wipe):
        sorting.occupied.append(disk)
    else:
        _accept(view, sorting, disk)


def _accept(view: View, sorting: Sorting, disk: Disk) -> None:
    sorting.data.append(disk)
    if view.wish.wipe and may_be_wiped(disk, view.volumes.get(disk.serial, ()), view.wish.wipe):
        sorting.wiped.add(disk.serial)


def _against_bound(view: View, disk: Disk, taken: set[str]) -> str:
    wish = view.wish
    if disk.serial in taken:
        return "disks.os"
    if wish.never and named(disk, wish.never):
        return "disks.never"
    if wish.osd and not named(disk, wish.osd):
        return "disks.osd"
    return "disks.osd_minimum_gb" if disk.bytes < wish.osd_minimum_gb * GB else ""


def _databases(view: View, sorting: Sorting) -> Databases:
    """What is as it was stays; a disk that was an OSD without a database does not get one later."""
    was = {one.serial: one for one in view.before.osds} if view.before else {}
    there = {one.serial for one in sorting.data}
    kept = {one.serial: (one.database, one.database_bytes) for one in was.values() if one.database and {one.serial, one.database} <= there}
    holders = frozenset(serial for serial, _ in kept.values())
    slow = [one for one in sorting.data if view.classes[one.serial] == "hdd" and one.serial not in kept]
    slow = [one for one in slow if one.serial not in was or was[one.serial].database]
    if not slow or view.wish.database == "never":
        return Databases(of=kept, disks=holders)
    fast = [one for one in sorting.data if view.classes[one.serial] != "hdd" and one.serial not in was and one.serial not in holders]
    return plan_databases(slow, fast, view.classes, kept, view.disks)


def _osd(view: View, disk: Disk, sorting: Sorting, databases: Databases) -> Osd:
    database, amount = databases.of.get(disk.serial, (None, 0))
    return Osd(
        serial=disk.serial,
        wwn=disk.wwn,
        bytes=disk.bytes,
        device_class=view.classes[disk.serial],
        slot=disk.slot,
        database=database,
        database_bytes=amount,
        wipe=disk.serial in sorting.wiped,
        database_wipe=database in sorting.wiped,
    )


def _found(view: View, sorting: Sorting, osds: Sequence[Osd]) -> Iterator[Found]:
    label, volumes = view.machine.label, view.machine.server.volumes
    for disk, path in sorting.moving:
        text = f"{called([disk])}, serial {disk.serial}, is an OSD in the last plan and {path} now says otherwise"
        yield OSD_WOULD_MOVE.of(label, text, path=path)
    yield from _gone(view)
    if sorting.occupied:
        names = sorted({volume.name for one in sorting.occupied for volume in view.volumes[one.serial]})
        yield DISK_HAS_VOLUME.of(label, f"left out, since they carry the volumes {listed(names)}: {called(sorting.occupied)}")
    if sorting.failing:
        yield DISK_UNHEALTHY.of(label, f"left out, since their health is `critical`: {called(sorting.failing)}")
    failing = [one for one in view.disks if one.health == "critical" and one.serial in view.bound]
    if failing:
        yield DISK_UNHEALTHY.of(label, f"in use, and their health is `critical`: {called(failing)}")
    if volumes is None and sorting.data:
        yield VOLUMES_UNKNOWN.of(label, f"the BMC does not tell whether these carry volumes: {called(sorting.data)}")
    hidden = sorted(one.name for one in volumes or () if one.disks is None)
    if hidden and sorting.data:
        yield VOLUMES_UNKNOWN.of(label, f"the BMC does not tell on which disks the volumes {listed(hidden)} are")
    unknown = [one for one in sorting.data if one.media is None and view.classes[one.serial] == "hdd"]
    if unknown:
        yield MEDIA_UNKNOWN.of(label, f"planned as rotating disks: {called(unknown)}")
    yield from _sizes(label, osds)
    if not osds:
        yield NO_DATA_DISK.of(label, f"none of its {len(view.disks)} disks can become an OSD")


def _gone(view: View) -> Iterator[Found]:
    if view.before is None:
        return
    gone = [one for one in view.before.osds if one.serial not in view.classes]
    if gone:
        yield OSD_DISK_GONE.of(view.machine.label, f"no longer there: {listed([f'{one.serial} ({size(one.bytes)})' for one in gone])}")
    lost: dict[str, list[str]] = defaultdict(list)
    for one in view.before.osds:
        if one.database and one.database not in view.classes and one.serial in view.classes:
            lost[one.database].append(one.serial)
    for serial, users in sorted(lost.items()):
        yield DATABASE_DISK_GONE.of(view.machine.label, f"{serial} held the databases of {listed(users)}")


def _sizes(label: str, osds: Sequence[Osd]) -> Iterator[Found]:
    for device_class in sorted({one.device_class for one in osds}):
        amounts = [one.bytes for one in osds if one.device_class == device_class]
        least, most = min(amounts), max(amounts)
        if most > 2 * least:
            yield MIXED_SIZES.of(label, f"its {device_class} OSDs have from {size(least)} to {size(most)}")


def _left_out(view: View, sorting: Sorting) -> Iterator[str]:
    if sorting.small:
        yield f"no OSDs, since smaller than {view.wish.osd_minimum_gb} GB: {called(sorting.small)}"
    if sorting.occupied:
        yield f"no OSDs, since they carry volumes: {called(sorting.occupied)}"
    if sorting.failing:
        yield f"no OSDs, since they are failing: {called(sorting.failing)}"


def _said(os_disk: OsDisk) -> str:
    what = {"volume": "the volume", "mirror": "a mirror of two disks", "single": "one disk"}[os_disk.kind]
    return f"{what} of {size(os_disk.bytes)}"
