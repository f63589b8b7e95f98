# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Storage as Supermicro X13 shows it: drives hang below a backplane whose own Drives collection is empty."""

from __future__ import annotations

from ..spec import Disk, Json, ServerSpec
from .common import OK, ROOT, Builder, link, links


def add_storage(made: Builder, server: ServerSpec, system: str, manager: str) -> list[str]:
    """Returns the backplanes."""
    nvme = [disk for disk in server.disks if disk.protocol == "NVMe"]
    others = [disk for disk in server.disks if disk.protocol != "NVMe"]
    members, backplanes, simple = [], [], []
    for number, (name, place, disks) in enumerate(
        (("NVMeSSD", "NVMeSSD.0.Group.0.StorageBackplane", nvme), ("HA-RAID", "HA-RAID.0.StorageEnclosure.0", others)), 1
    ):
        if not disks:
            continue
        base, chassis = f"{system}/Storage/{name}", f"{ROOT}/Chassis/{place}"
        drives = [_drive(made, chassis, bay, disk) for bay, disk in enumerate(disks)]
        backplanes.append(_backplane(made, chassis, drives, base, manager))
        simple.append(_simple(made, f"{system}/SimpleStorage/{number}", disks, base))
        title = "NVMe Storage System" if name == "NVMeSSD" else "HA-RAID Storage System"
        fields: Json = {"Name": title, "Drives": links(drives), "Status": OK}
        fields["Links"] = {"Enclosures": links([chassis]), "SimpleStorage": link(simple[-1])}
        members.append(made.add(base, "Storage.v1_9_0", fields))
    made.collect(f"{system}/Storage", "Storage", members)
    made.collect(f"{system}/SimpleStorage", "SimpleStorage", simple)
    return backplanes


def _backplane(made: Builder, chassis: str, drives: list[str], storage: str, manager: str) -> str:
    fields: Json = {"Name": "Backplane", "ChassisType": "Enclosure", "Model": "Backplane", "SerialNumber": None}
    fields["Drives"] = link(made.collect(f"{chassis}/Drives", "Drive", []))
    fields["Links"] = {"ManagedBy": links([manager]), "Storage": links([storage]), "Drives": links(drives)}
    return made.add(chassis, "Chassis.v1_14_0", fields)


def _simple(made: Builder, path: str, disks: list[Disk], storage: str) -> str:
    devices = [
        {"Name": f"Slot {bay}", "Manufacturer": disk.maker, "Model": disk.model, "CapacityBytes": None, "Status": OK}
        for bay, disk in enumerate(disks)
    ]
    fields: Json = {"Name": "Simple Storage", "Devices": devices, "Links": {"Storage": link(storage)}, "Status": OK}
    return made.add(path, "SimpleStorage.v1_3_0", fields)


def _drive(made: Builder, chassis: str, bay: int, disk: Disk) -> str:
    name = f"Disk.Bay.{bay}"
    fields: Json = {"Name": name, "Manufacturer": disk.maker, "Model": disk.model, "SerialNumber": disk.serial, "CapacityBytes": disk.size}
    fields |= {"Revision": "GDC5602Q", "FailurePredicted": False, "Status": OK, "Links": {"Volumes": []}}
    if disk.protocol != "NVMe":
        fields |= {"MediaType": disk.media.upper(), "Protocol": disk.protocol, "RotationSpeedRPM": 7200 if disk.media == "hdd" else 0}
    return made.add(f"{chassis}/Drives/{name}", "Drive.v1_11_1", fields)
