# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Storage as Lenovo XCC shows it: sizes are decimal and identifiers null."""

from __future__ import annotations

from ..spec import Disk, Json, ServerSpec
from .common import OK, Builder, link, links, volume_size


def _storage_of(disk: Disk) -> str:
    if disk.boot:
        return "M.2"
    return "Direct_Attached_NVMe" if disk.protocol == "NVMe" else "RAID_Slot3"


def _drive_path(base: str, disk: Disk) -> str:
    return f"{base}/Drives/{'Drive.M.2_Bay' if disk.boot else 'Drive.Bay'}_{disk.bay}"


def add_storage(made: Builder, server: ServerSpec, system: str, chassis: str) -> list[str]:
    """Returns the drives."""
    members, drives = [], []
    for name in dict.fromkeys(_storage_of(disk) for disk in server.disks):
        base = f"{system}/Storage/{name}"
        disks = [disk for disk in server.disks if _storage_of(disk) == name]
        volumes = _volumes(made, server, base, disks)
        here = [_drive(made, base, disk, volumes.get(disk.serial, []), chassis) for disk in disks]
        fields: Json = {"Name": f"{name} Storage", "Status": OK, "Drives": links(here), "Drives@odata.count": len(here)}
        fields |= {"Volumes": link(f"{base}/Volumes"), "Links": {"Enclosures": links([chassis])}}
        members.append(made.add(base, "Storage.v1_12_0", fields))
        drives += here
    made.collect(f"{system}/Storage", "Storage", members)
    return drives


def _volumes(made: Builder, server: ServerSpec, base: str, disks: list[Disk]) -> dict[str, list[str]]:
    """The volumes of a controller; returns for each serial the volumes that it is part of."""
    here = {disk.serial: disk for disk in disks}
    made_of: dict[str, list[str]] = {}
    paths = []
    for number, volume in enumerate(v for v in server.volumes if set(v.disks) & set(here)):
        parts = [here[serial] for serial in volume.disks]
        size = volume_size(volume.raid, [disk.size for disk in parts])
        fields: Json = {"Name": volume.name, "RAIDType": volume.raid, "CapacityBytes": size, "Status": OK}
        fields["Links"] = {"Drives": links([_drive_path(base, disk) for disk in parts])}
        paths.append(made.add(f"{base}/Volumes/{number}", "Volume.v1_6_2", fields))
        for serial in volume.disks:
            made_of.setdefault(serial, []).append(paths[-1])
    made.collect(f"{base}/Volumes", "Volume", paths)
    return made_of


def _drive(made: Builder, base: str, disk: Disk, volumes: list[str], chassis: str) -> str:
    name = f"{disk.size / 10**12:.2f}TB {disk.protocol} {disk.media.upper()}"
    place = {"LocationType": "Bay", "LocationOrdinalValue": disk.bay, "ServiceLabel": f"Drive {disk.bay}"}
    fields: Json = {"Name": name, "Manufacturer": disk.maker.upper(), "Model": disk.model, "SerialNumber": disk.serial, "SKU": disk.serial}
    fields |= {"CapacityBytes": disk.size, "MediaType": disk.media.upper(), "Protocol": disk.protocol, "BlockSizeBytes": None}
    fields |= {"RotationSpeedRPM": 7200 if disk.media == "hdd" else 0, "FailurePredicted": False, "Status": OK}
    fields |= {"Identifiers": [{"DurableName": None, "DurableNameFormat": "UUID"}], "PhysicalLocation": {"PartLocation": place}}
    fields["Links"] = {"Chassis": link(chassis), "Volumes": links(volumes)}
    return made.add(_drive_path(base, disk), "Drive.v1_14_0", fields)
