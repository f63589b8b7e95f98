# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Storage as iDRAC 9 shows it: BOSS, PERC and the NVMe slots of a CPU are three kinds of Storage.

Traps: NVMe is "PCIe" and appears once more as a RawDevice volume; models are padded; the backplane is a SimpleStorage
device without a size.
"""

from __future__ import annotations

from ..spec import Disk, Json, ServerSpec, Volume
from .common import OK, ROOT, Builder, link, links, volume_size

PADDED = 40
BACKPLANE = "Enclosure.Internal.0-1"


def _controller_of(disk: Disk) -> str:
    if disk.boot:
        return "BOSS.SL.10-1"
    return "CPU.1" if disk.protocol == "NVMe" else "RAID.SL.3-1"


def _drive_id(disk: Disk) -> str:
    if disk.boot:
        return f"Disk.Direct.{disk.bay}-{disk.bay}:BOSS.SL.10-1"
    enclosure = BACKPLANE if disk.protocol == "NVMe" else f"{BACKPLANE}:RAID.SL.3-1"
    return f"Disk.Bay.{disk.bay}:{enclosure}"


def add_storage(made: Builder, server: ServerSpec, system: str, chassis: str, *, on: bool) -> tuple[list[str], list[str]]:
    """Returns the Storage members and the enclosures; a server that is off keeps its controllers and shows no drive."""
    members, simple, bays = [], [], []
    for name in dict.fromkeys(_controller_of(disk) for disk in server.disks):
        base = f"{system}/Storage/{name}"
        disks = [disk for disk in server.disks if _controller_of(disk) == name] if on else []
        volumes = _volumes(made, server, base, disks)
        drives = [_drive(made, base, disk, volumes) for disk in disks]
        bays += [path for path, disk in zip(drives, disks, strict=True) if not disk.boot]
        fields: Json = {
            "Name": name,
            "Status": OK,
            "Drives": links(drives),
            "Drives@odata.count": len(drives),
            "Volumes": link(f"{base}/Volumes"),
        }
        fields["Links"] = {"Enclosures": links([chassis]), "SimpleStorage": link(f"{system}/SimpleStorage/{name}")}
        members.append(made.add(base, "Storage.v1_15_0", fields))
        simple.append(_simple(made, f"{system}/SimpleStorage/{name}", base, chassis, disks))
    made.collect(f"{system}/Storage", "Storage", members)
    made.collect(f"{system}/SimpleStorage", "SimpleStorage", simple)
    return members, [_enclosure(made, chassis, bays)]


def _drive(made: Builder, base: str, disk: Disk, volumes: dict[str, list[str]]) -> str:
    nvme = disk.protocol == "NVMe"
    name = f"{'PCIe SSD' if nvme else disk.media.upper()} in Slot {disk.bay} in Bay 1"
    wwn = None if nvme else f"5{int.from_bytes(disk.serial.encode()[-7:]):015x}"[:16].upper()
    fields: Json = {
        "Name": name, "Manufacturer": disk.maker, "Model": disk.model.ljust(PADDED), "SerialNumber": disk.serial,
        "CapacityBytes": disk.size,
        "MediaType": disk.media.upper(), "Protocol": "PCIe" if nvme else disk.protocol, "BlockSizeBytes": 512, "HotspareType": "None",
        "RotationSpeedRPM": 7200 if disk.media == "hdd" else (None if nvme else 0), "FailurePredicted": False,
        "PredictedMediaLifeLeftPercent": 100,
        "Identifiers": [{"DurableName": wwn, "DurableNameFormat": None if nvme else "NAA"}], "Location": [], "Revision": "A001",
        "Status": OK,
        "PhysicalLocation": {"PartLocation": {"LocationOrdinalValue": disk.bay, "LocationType": "Slot"}},
        "Links": {"Storage": link(base), "Volumes": links(volumes.get(disk.serial, []))},
    }  # fmt: skip
    return made.add(f"{base}/Drives/{_drive_id(disk)}", "Drive.v1_17_0", fields)


def _volumes(made: Builder, server: ServerSpec, base: str, disks: list[Disk]) -> dict[str, list[str]]:
    """The volumes of a controller; returns for each serial the volumes that it is part of."""
    here = {disk.serial: disk for disk in disks}
    made_of: dict[str, list[str]] = {}
    paths = []
    for number, volume in enumerate(v for v in server.volumes if set(v.disks) & set(here)):
        path = f"{base}/Volumes/Disk.Virtual.{number}:{base.rpartition('/')[2]}"
        _virtual_disk(made, path, base, volume, here)
        paths.append(path)
        for serial in volume.disks:
            made_of.setdefault(serial, []).append(path)
    for disk in disks:
        if disk.protocol != "NVMe":
            continue
        drive = _drive_id(disk)
        fields: Json = {
            "Name": f"PCIe SSD in Slot {disk.bay} in Bay 1",
            "VolumeType": "RawDevice",
            "RAIDType": None,
            "CapacityBytes": disk.size,
        }
        fields |= {"Status": OK, "Links": {"Drives": links([f"{base}/Drives/{drive}"])}}
        paths.append(made.add(f"{base}/Volumes/{drive}", "Volume.v1_9_0", fields))
        made_of.setdefault(disk.serial, []).append(paths[-1])
    made.collect(f"{base}/Volumes", "Volume", paths)
    return made_of


def _virtual_disk(made: Builder, path: str, base: str, volume: Volume, here: dict[str, Disk]) -> None:
    parts = [here[serial] for serial in volume.disks if serial in here]
    fields: Json = {
        "Name": volume.name,
        "VolumeType": "Mirrored" if volume.raid == "RAID1" else "StripedWithParity",
        "RAIDType": volume.raid,
    }
    fields |= {"CapacityBytes": volume_size(volume.raid, [disk.size for disk in parts]), "Status": OK}
    fields["Links"] = {"Drives": links([f"{base}/Drives/{_drive_id(disk)}" for disk in parts])}
    made.add(path, "Volume.v1_9_0", fields)


def _simple(made: Builder, path: str, storage: str, chassis: str, disks: list[Disk]) -> str:
    devices: list[Json] = [
        {
            "Name": f"Disk {disk.bay}",
            "Manufacturer": disk.maker,
            "Model": disk.model.ljust(PADDED),
            "CapacityBytes": disk.size,
            "Status": OK,
        }
        for disk in disks
    ]
    devices.append({"Name": "Backplane 1", "Manufacturer": "DELL", "Model": "Backplane 1", "CapacityBytes": None, "Status": OK})
    fields: Json = {
        "Name": path.rpartition("/")[2],
        "Devices": devices,
        "Status": OK,
        "Links": {"Chassis": link(chassis), "Storage": link(storage)},
    }
    return made.add(path, "SimpleStorage.v1_3_1", fields)


def _enclosure(made: Builder, chassis: str, drives: list[str]) -> str:
    fields: Json = {
        "Name": "Backplane 1",
        "ChassisType": "StorageEnclosure",
        "Model": "Backplane 1",
        "Manufacturer": None,
        "SerialNumber": None,
    }
    fields |= {"Status": OK, "Links": {"ContainedBy": link(chassis), "Drives": links(drives), "Drives@odata.count": len(drives)}}
    return made.add(f"{ROOT}/Chassis/{BACKPLANE}", "Chassis.v1_23_0", fields)
