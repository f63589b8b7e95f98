# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks and volumes, from storage units, enclosures and the vendor's own trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from .hardware import Disk, Health, Note, Volume
from .payload import Resource, count, dig, is_absent, items, link_path, name, resources, text
from .tree import ServerTree, StorageTree
from .vendors import Vendor

GB = 10**9
HEALTH: dict[str, Health] = {"OK": "ok", "Warning": "warning", "Critical": "critical"}
MEDIA: dict[str, Literal["ssd", "hdd"]] = {"SSD": "ssd", "HDD": "hdd"}
NVME = re.compile("nvme", re.IGNORECASE)


def health(resource: Resource) -> Health | None:
    return HEALTH.get(str(dig(resource, "Status", "HealthRollup") or dig(resource, "Status", "Health")))


def disks(server: ServerTree, known: Vendor, notes: list[Note], *, powered: bool) -> tuple[Disk, ...] | None:
    """Drives that are present: those with a size and a serial; each once, though several branches may list it."""
    if server.storages is None or any(unit.drives is None for unit in server.storages):
        return None
    found: dict[str, Disk] = {}
    for unit in server.storages:
        for drive in unit.drives or ():
            disk = _disk(drive, unit, known, notes)
            if disk:
                found.setdefault(disk.serial, disk)
    # Controllers without power list nothing: that is no server without disks.
    if not found and not powered:
        return None
    return tuple(sorted(found.values(), key=lambda one: (one.controller or "", one.slot or "", one.serial)))


def _disk(drive: Resource, unit: StorageTree, known: Vendor, notes: list[Note]) -> Disk | None:
    serial, size = text(drive.get("SerialNumber")), _size(drive, known)
    bay = text(drive.get("Name")) or name(drive)
    if is_absent(drive) or (serial is None and size is None):
        return None
    if serial is None or size is None:
        notes.append(Note(code="disk_unknown", text=f"drive {bay} is left out: it has no {'serial' if size else 'size'}"))
        return None
    protocol = _protocol(drive, unit)
    return Disk(
        serial=serial,
        model=text(drive.get("Model")),
        wwn=_wwn(drive),
        bytes=size,
        media=_media(drive, protocol),
        protocol=protocol,
        slot=text(dig(drive, "PhysicalLocation", "PartLocation", "ServiceLabel")) or text(drive.get("Location")) or bay,
        controller=name(unit.resource),
        health=health(drive),
    )


def _size(drive: Resource, known: Vendor) -> int | None:
    size = count(drive.get("CapacityBytes"))
    if size is None:
        # HPE's own tree counts in blocks.
        blocks, length = count(drive.get("CapacityLogicalBlocks")), count(drive.get("BlockSizeBytes"))
        return blocks * length if blocks and length else None
    return size * known.drive_unit_bytes if size < GB else size


def _wwn(drive: Resource) -> str | None:
    for identifier in resources(drive.get("Identifiers")):
        if identifier.get("DurableNameFormat") in ("NAA", "EUI", "NGUID", "UUID"):
            name = text(identifier.get("DurableName"))
            if name:
                return name.lower().removeprefix("naa.").removeprefix("eui.").replace(":", "")
    return None


def _media(drive: Resource, protocol: str | None) -> Literal["ssd", "hdd"] | None:
    kind = MEDIA.get(str(drive.get("MediaType")))
    if kind:
        return kind
    if protocol == "NVMe" or NVME.search(str(drive.get("Model"))):
        return "ssd"
    return "hdd" if count(drive.get("RotationSpeedRPM") or drive.get("RotationalSpeedRpm")) else None


def _protocol(drive: Resource, unit: StorageTree) -> str | None:
    """What the drive says, else what its controllers can speak where that is one thing only (Supermicro X13)."""
    said = text(drive.get("Protocol")) or text(drive.get("InterfaceType"))
    if said is None:
        spoken = {
            one
            for controller in resources(unit.resource.get("StorageControllers"))
            for one in map(text, items(controller.get("SupportedDeviceProtocols")))
        }
        said = spoken.pop() if len(spoken) == 1 else None
    return "NVMe" if said == "PCIe" else said


def volumes(server: ServerTree, found: tuple[Disk, ...] | None) -> tuple[Volume, ...] | None:
    """Volumes that a controller made of drives; a RawDevice is the drive itself. Unknown where any controller hides its own."""
    if (
        server.storages is None
        or found is None
        or any(unit.drives and unit.volumes is None and "Volumes" in unit.resource for unit in server.storages)
    ):
        return None
    serials = {disk.serial for disk in found}
    return tuple(sorted((one for unit in server.storages for one in _volumes(unit, serials)), key=lambda one: one.name))


def _volumes(unit: StorageTree, serials: set[str]) -> Iterator[Volume]:
    by_path = {link_path(drive): text(drive.get("SerialNumber")) for drive in unit.drives or ()}
    for volume in unit.volumes or ():
        if volume.get("VolumeType") == "RawDevice":
            continue
        members = [by_path.get(link_path(link)) for link in items(dig(volume, "Links", "Drives"))]
        yield Volume(
            name=name(volume),
            raid=text(volume.get("RAIDType")) or text(volume.get("VolumeType")),
            bytes=count(volume.get("CapacityBytes")),
            disks=tuple(sorted(one for one in members if one in serials and one)) or None,
        )
