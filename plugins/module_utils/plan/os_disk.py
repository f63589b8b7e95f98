# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which disks carry the operating system."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..bmc.hardware import Disk, Volume
from .amounts import GB, size
from .disk_facts import View, called, may_be_wiped, named, on_boot_controller
from .disk_kinds import NO_OS_DISK, OS_DISK_SINGLE, OS_DISK_SLOW, OS_DISK_TOO_SMALL, OS_DISK_WOULD_MOVE
from .objections import Found
from .servers import OsDisk

Chosen = tuple[OsDisk, str]
# A disk is small if the largest other one of the server is at least twice its size.
CLEARLY = 2
# RAIDType of Redfish, or its older VolumeType. What is not listed may be redundant or not, so it does not count as such.
REDUNDANT = re.compile(r"RAID0?[13456].*|MIRRORED|SPANNEDMIRRORS|STRIPEDWITHPARITY|SPANNEDSTRIPESWITHPARITY")


def choose_os_disk(view: View, *, allow_moves: bool) -> tuple[OsDisk | None, str, list[Found]]:
    """The first that fits: what the operator names, what it was, a small RAID1 volume, a small pair, one disk."""
    wanted, kept = _named(view), _kept(view)
    left = _left(view)
    moves = wanted is not None and any(one.serial not in wanted[0].serials for one in left)
    against = moves and not all(named(one, view.wish.os) for one in left)
    stays = moves and not (against and allow_moves)
    chosen = (kept if stays else wanted or kept) or _automatic(view)
    if chosen is None:
        return None, "", [_none_fits(view)]
    os_disk, why = chosen
    return os_disk, why, [*(_would_move(view, left) if against and stays else ()), *_against(view, os_disk)]


def _left(view: View) -> list[Disk]:
    """The disks that carried the operating system in the last plan, as far as they live."""
    was = view.before.os_disk if view.before else None
    return [one for one in view.disks if one.serial in was.serials] if was else []


def _would_move(view: View, left: Sequence[Disk]) -> Iterator[Found]:
    new = [one for one in view.disks if named(one, view.wish.os)]
    text = f"the operating system is on {called(left)} in the last plan, and disks.os now names {called(new)}"
    yield OS_DISK_WOULD_MOVE.of(view.machine.label, text, path="disks.os")


def _named(view: View) -> Chosen | None:
    if not view.wish.os:
        return None
    disks = [one for one in view.disks if named(one, view.wish.os) and not named(one, view.wish.never)]
    return (_arranged(view, disks), "disks.os names them") if disks else None


def _arranged(view: View, disks: Sequence[Disk]) -> OsDisk:
    """A volume that lies on these disks only, the two smallest as a mirror, or the one."""
    serials = {one.serial for one in disks}
    for volume in sorted(view.machine.server.volumes or (), key=lambda one: (one.bytes or 0, one.name)):
        if volume.disks and serials.issuperset(volume.disks):
            return _on_volume(view, volume)
    return _on_disks(sorted(disks, key=lambda one: one.bytes)[:2])


def _on_volume(view: View, volume: Volume) -> OsDisk:
    serials = tuple(sorted(volume.disks or ()))
    room = volume.bytes or min((one.bytes for one in view.disks if one.serial in serials), default=0)
    return OsDisk(kind="volume", serials=serials, bytes=room, volume=volume.name, redundant=len(serials) > 1 and _is_redundant(volume))


def _is_redundant(volume: Volume) -> bool:
    """Whatever the vendor puts between the letters: `RAID 1`, `RAID1+0`."""
    return REDUNDANT.fullmatch(re.sub(r"[^A-Z0-9]", "", (volume.raid or "").upper())) is not None


def _on_disks(disks: Sequence[Disk]) -> OsDisk:
    serials = tuple(sorted(one.serial for one in disks))
    pair = len(disks) > 1
    return OsDisk(kind="mirror" if pair else "single", serials=serials, bytes=min(one.bytes for one in disks), redundant=pair)


def _kept(view: View) -> Chosen | None:
    """What the last plan chose, as long as a disk of it lives; a mirror's dead half is replaced by a disk like it."""
    was = view.before.os_disk if view.before else None
    if was is None:
        return None
    left = _left(view)
    if len(left) == len(was.serials):
        return _as_it_is(view, was), "it was there in the last plan"
    if not left:
        return None
    there = {volume.name: volume for one in left for volume in view.volumes.get(one.serial, ())}
    if was.kind == "volume" and there:
        return _on_volume(view, there.get(was.volume or "") or there[min(there)]), "it was there in the last plan, on other disks"
    like = [one for one in _free(view) if one.serial not in was.serials and one.bytes == left[0].bytes]
    return _on_disks([*left[:1], *like[:1]]), "a part of it was there in the last plan"


def _as_it_is(view: View, was: OsDisk) -> OsDisk:
    """The same disks; only how redundant they are is looked at again."""
    volume = next((one for serial in was.serials for one in view.volumes.get(serial, ()) if one.name == was.volume), None)
    redundant = was.redundant if volume is None else _is_redundant(volume)
    return replace(was, redundant=redundant and len(was.serials) > 1)


def _automatic(view: View) -> Chosen | None:
    minimum = view.wish.os_minimum_gb * GB
    small = _volume(view, minimum, small=True)
    if small:
        return small
    free = [one for one in _free(view) if one.bytes >= minimum]
    flash = [one for one in free if view.classes[one.serial] != "hdd"]
    return _pair(flash or free, view) or _volume(view, minimum, small=False) or _one(view, free)


def _free(view: View) -> list[Disk]:
    """Disks that no one else has: no OSD of the last plan, no volume, none that is failing or that must not be touched."""
    return [
        one
        for one in view.disks
        if one.serial not in view.bound
        and one.health != "critical"
        and not (view.wish.never and named(one, view.wish.never))
        and (one.serial not in view.volumes or may_be_wiped(one, view.volumes[one.serial], view.wish.wipe))
    ]


def _volume(view: View, minimum: int, *, small: bool) -> Chosen | None:
    """The redundant volume on the smallest disks. One on disks that are not small is taken only if it is a plain pair."""
    known = {one.serial: one for one in view.disks}
    fitting = []
    for volume in view.machine.server.volumes or ():
        disks = [known[serial] for serial in volume.disks or () if serial in known]
        if len(disks) < 2 or not _is_redundant(volume) or _refused(view, disks):
            continue
        largest = max(one.bytes for one in disks)
        others = [one.bytes for one in view.disks if one.serial not in (volume.disks or ())]
        is_small = all(map(on_boot_controller, disks)) or not others or largest * CLEARLY <= max(others)
        if (is_small if small else len(disks) == 2) and (volume.bytes or largest) >= minimum:
            slow = any(view.classes[one.serial] == "hdd" for one in disks)
            fitting.append(((slow, not on_boot_controller(disks[0]), largest, volume.name), volume))
    if not fitting:
        return None
    volume = min(fitting, key=lambda one: one[0])[1]
    why = f"{volume.raid} volume `{volume.name}` is on the smallest disks" if small else f"`{volume.name}` is a {volume.raid} volume"
    return _on_volume(view, volume), why


def _refused(view: View, disks: Sequence[Disk]) -> bool:
    never = view.wish.never
    return any(one.serial in view.bound or one.health == "critical" or (never and named(one, never)) for one in disks)


def _pair(disks: Sequence[Disk], view: View) -> Chosen | None:
    """Two equal disks on a boot controller, or the two smallest equal ones if they are clearly smaller than the data disks."""
    equal: dict[tuple[bool, int, str], list[Disk]] = defaultdict(list)
    for one in disks:
        equal[not on_boot_controller(one), one.bytes, view.classes[one.serial]].append(one)
    for (no_boot, amount, _), group in sorted(equal.items()):
        pair = group[:2]
        others = [one.bytes for one in view.disks if one.serial not in {disk.serial for disk in pair}]
        if len(pair) == 2 and not no_boot:
            return _on_disks(pair), "they are two equal disks on a boot controller"
        if len(pair) == 2 and not others:
            return _on_disks(pair), "there are no other disks"
        if len(pair) == 2 and amount * CLEARLY <= max(others):
            return _on_disks(pair), "they are the two smallest equal disks, and clearly smaller than the data disks"
    return None


def _one(view: View, free: Sequence[Disk]) -> Chosen | None:
    if not free:
        return None
    best = min(free, key=lambda one: (view.classes[one.serial] == "hdd", not on_boot_controller(one), one.bytes))
    return _on_disks([best]), "it is the smallest disk that is large enough, and there is no pair to mirror"


def _none_fits(view: View) -> Found:
    label, minimum = view.machine.label, view.wish.os_minimum_gb
    free = _free(view)
    if free:
        largest = max(one.bytes for one in free)
        return OS_DISK_TOO_SMALL.of(label, f"the largest free disk has {size(largest)}, disks.os_minimum_gb asks for {minimum} GB")
    if view.disks:
        return NO_OS_DISK.of(
            label, f"none of its {len(view.disks)} disks is free: all have volumes, are OSDs, fail, or are under disks.never"
        )
    return NO_OS_DISK.of(label, "it has no disks")


def _against(view: View, chosen: OsDisk) -> Iterator[Found]:
    label = view.machine.label
    disks = [one for one in view.disks if one.serial in chosen.serials]
    if chosen.bytes < view.wish.os_minimum_gb * GB:
        text = f"{called(disks)}: {size(chosen.bytes)}, disks.os_minimum_gb asks for {view.wish.os_minimum_gb} GB"
        yield OS_DISK_TOO_SMALL.of(label, text, path="disks.os" if view.wish.os else None)
    if len(chosen.serials) == 1:
        yield OS_DISK_SINGLE.of(label, f"the operating system is on one disk of {size(chosen.bytes)}: {called(disks)}")
    elif not chosen.redundant:
        level = next((one.raid for one in view.volumes.get(chosen.serials[0], ()) if one.name == chosen.volume), None)
        text = f"the operating system is on the volume `{chosen.volume}`, whose RAID level is {level or 'unknown'}: {called(disks)}"
        yield OS_DISK_SINGLE.of(label, text)
    if any(view.classes[one.serial] == "hdd" for one in disks):
        yield OS_DISK_SLOW.of(label, f"the operating system is on {called(disks)}")
