# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Storage as iLO 5 and 6 show it: RAID drives hang below an enclosure Chassis, and every NVMe is a Storage of its own.

Traps: empty bays are drives that are Absent; iLO 5 counts a volume that it does not list, and loses the sizes of drives when
the server is off, while those of iLO 6 stay and are StandbyOffline.
"""

from __future__ import annotations

from ..spec import Disk, Json, ServerSpec
from .common import OK, ROOT, Builder, link, links, volume_size

BAYS = 8
FIRST_DRIVE = 2556


def add_storage(made: Builder, server: ServerSpec, system: str, chassis: str, *, on: bool) -> list[str]:
    """Returns the enclosures."""
    groups = {
        "DE07A000": ("HPE NS204i-p Gen10+ Boot Controller", [d for d in server.disks if d.boot], 2),
        "DE00A000": ("HPE SR416i-a Gen10+", [d for d in server.disks if not d.boot and d.protocol != "NVMe"], BAYS),
    }
    enclosures, members = [], []
    for name, (model, disks, bays) in groups.items():
        if disks:
            enclosures.append(_enclosure(made, server, name, disks, bays, system, chassis, on=on))
            members.append(_controller(made, server, f"{system}/Storage/{name}", model, disks))
    for number, disk in enumerate(d for d in server.disks if not d.boot and d.protocol == "NVMe"):
        members.append(_direct(made, server, f"{system}/Storage/DA{number:06X}", disk, chassis, on=on))
    made.collect(f"{system}/Storage", "Storage", members)
    return enclosures


def _state(server: ServerSpec, on: bool) -> str:
    if on:
        return "Enabled"
    return "UnavailableOffline" if server.family == "ilo5" else "StandbyOffline"


def _drive(made: Builder, path: str, server: ServerSpec, disk: Disk, place: Json, where: Json, *, on: bool) -> str:
    size = disk.size if on or server.family == "ilo6" else None
    nvme = disk.protocol == "NVMe"
    fields: Json = {
        "Name": f"{disk.size // 10**9}GB {disk.protocol} {disk.media.upper()}", "Model": disk.model, "SerialNumber": disk.serial,
        "CapacityBytes": size,
        "MediaType": disk.media.upper(), "Protocol": disk.protocol, "Status": {"Health": "OK", "State": _state(server, on)},
        "Revision": "HPK1",
        "BlockSizeBytes": 512, "FailurePredicted": False, "PhysicalLocation": {"PartLocation": place}, "Links": where,
        "RotationSpeedRPM": 7200 if disk.media == "hdd" else None,
        "Identifiers": [{"DurableName": f"{'eui.' if nvme else ''}{disk.serial.encode().hex()[-16:].upper()}",
        "DurableNameFormat": "EUI" if nvme else "NAA"}],
    }  # fmt: skip
    return made.add(path, "Drive.v1_18_0", fields)


def _drive_path(enclosure: str, disk: Disk) -> str:
    return f"{ROOT}/Chassis/{enclosure}/Drives/{FIRST_DRIVE + disk.bay}"


def _enclosure(made: Builder, server: ServerSpec, name: str, disks: list[Disk], bays: int, system: str, chassis: str, *, on: bool) -> str:
    path = f"{ROOT}/Chassis/{name}"
    storage = f"{system}/Storage/{name}"
    fitted = {disk.bay: disk for disk in disks}
    drives = []
    for bay in range(1, max([bays, *fitted]) + 1):
        place: Json = {"LocationType": "Bay", "LocationOrdinalValue": bay, "ServiceLabel": f"Slot=12:Port=2I:Box=1:Bay={bay}"}
        disk = fitted.get(bay)
        if disk:
            volumes = (
                [_volume_path(storage, n) for n, v in enumerate(server.volumes, 1) if disk.serial in v.disks]
                if server.family == "ilo6"
                else []
            )
            where: Json = {"Chassis": link(path), "Storage": link(storage), "Volumes": links(volumes)}
            drives.append(_drive(made, _drive_path(name, disk), server, disk, place, where, on=on))
            continue
        fields: Json = {"Name": "Empty Bay", "Status": {"Health": "OK", "State": "Absent"}, "PhysicalLocation": {"PartLocation": place}}
        drives.append(made.add(f"{path}/Drives/{FIRST_DRIVE + bay}", "Drive.v1_18_0", {**fields, "Links": {"Chassis": link(path)}}))
    made.collect(f"{path}/Drives", "Drive", drives)
    fields = {
        "Name": "8 SFF Backplane",
        "ChassisType": "StorageEnclosure",
        "Manufacturer": "HPE",
        "Model": "8 SFF Backplane",
        "SerialNumber": "",
    }
    fields |= {"Status": OK, "Drives": link(f"{path}/Drives"), "Links": {"ContainedBy": link(chassis), "Storage": links([storage])}}
    return made.add(path, "Chassis.v1_25_0", fields)


def _volume_path(storage: str, number: int) -> str:
    return f"{storage}/Volumes/{number}"


def _controller(made: Builder, server: ServerSpec, path: str, model: str, disks: list[Disk]) -> str:
    name = path.rpartition("/")[2]
    here = {disk.serial: disk for disk in disks}
    volumes = []
    for number, volume in enumerate(server.volumes, 1):
        parts = [here[serial] for serial in volume.disks if serial in here]
        if not parts or server.family == "ilo5":
            continue
        fields: Json = {
            "Name": volume.name,
            "RAIDType": volume.raid,
            "CapacityBytes": volume_size(volume.raid, [d.size for d in parts]),
            "Status": OK,
        }
        fields["Links"] = {"Drives": links([_drive_path(name, disk) for disk in parts])}
        volumes.append(made.add(_volume_path(path, number), "Volume.v1_6_2", fields))
    claimed = sum(1 for volume in server.volumes if set(volume.disks) & set(here))
    made.collect(f"{path}/Volumes", "Volume", volumes, **{"Members@odata.count": claimed})
    controller = made.add(
        f"{path}/Controllers/0", "StorageController.v1_7_2", {"Name": model, "Model": model, "Manufacturer": "HPE", "Status": OK}
    )
    made.collect(f"{path}/Controllers", "StorageController", [controller])
    fields = {
        "Name": model,
        "Status": {"HealthRollup": "OK", "State": "Enabled"},
        "Drives": links([_drive_path(name, disk) for disk in disks]),
    }
    fields |= {part: link(f"{path}/{part}") for part in ("Volumes", "Controllers")}
    fields |= {"Drives@odata.count": len(disks), "Links": {"Enclosures": links([f"{ROOT}/Chassis/{name}"])}}
    return made.add(path, "Storage.v1_15_0", fields)


def _direct(made: Builder, server: ServerSpec, path: str, disk: Disk, chassis: str, *, on: bool) -> str:
    place: Json = {"LocationType": "Bay", "LocationOrdinalValue": disk.bay, "ServiceLabel": f"Box=1:Bay={disk.bay}"}
    drive = _drive(made, f"{path}/Drives/0", server, disk, place, {"Chassis": link(chassis), "Storage": link(path)}, on=on)
    fields: Json = {"Name": "NVM Express Controller", "Status": {"HealthRollup": "OK", "State": "Enabled"}, "Drives": links([drive])}
    return made.add(path, "Storage.v1_13_0", {**fields, "Drives@odata.count": 1, "Links": {"Enclosures": links([chassis])}})
