# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the trees of all vendors have in common."""

from __future__ import annotations

from typing import Any

from ..spec import Json, Power, ServerSpec, Tree

ROOT = "/redfish/v1"
OK: Json = {"Health": "OK", "State": "Enabled"}
BOOT_TARGETS = ["None", "Pxe", "Cd", "Hdd", "Usb", "BiosSetup", "UefiTarget", "UefiHttp"]
RESETS = ["On", "ForceOff", "GracefulShutdown", "ForceRestart", "GracefulRestart", "PowerCycle", "Nmi", "PushPowerButton"]


def link(path: str) -> Json:
    return {"@odata.id": path}


def links(paths: list[str]) -> list[Json]:
    return [{"@odata.id": path} for path in paths]


class Builder:
    """A tree in the making."""

    def __init__(self) -> None:
        self.tree: Tree = {}

    def add(self, path: str, kind: str, fields: Json) -> str:
        """A resource of a schema such as Drive.v1_17_0; returns its path."""
        schema, _, _ = kind.partition(".")
        head = {"@odata.id": path, "@odata.type": f"#{kind}.{schema}", "Id": path.rpartition("/")[2]}
        self.tree[path] = {**head, **fields}
        return path

    def collect(self, path: str, schema: str, members: list[str], **extra: Any) -> str:
        """A collection of what was added; returns its path."""
        kind = f"#{schema}Collection.{schema}Collection"
        document: Json = {"@odata.id": path, "@odata.type": kind, "Name": f"{schema} Collection", "Members": links(members)}
        self.tree[path] = {**document, "Members@odata.count": len(members), **extra}
        return path

    def root(self, version: str, schema: str, expand: Json | None, **extra: Any) -> None:
        places = ("Systems", "Chassis", "Managers", "SessionService", "AccountService")
        document: Json = {"Name": "Root Service", "RedfishVersion": version, "Links": {"Sessions": link(f"{ROOT}/SessionService/Sessions")}}
        document |= {place: link(f"{ROOT}/{place}") for place in places}
        if expand is not None:
            document["ProtocolFeaturesSupported"] = {"ExpandQuery": expand, "FilterQuery": True, "SelectQuery": True}
        self.add(ROOT, f"ServiceRoot.{schema}", {**document, "Id": "RootService", **extra})
        self._services()

    def _services(self) -> None:
        sessions = link(f"{ROOT}/SessionService/Sessions")
        fields: Json = {"Name": "Session Service", "ServiceEnabled": True, "SessionTimeout": 1800, "Sessions": sessions}
        self.add(f"{ROOT}/SessionService", "SessionService.v1_1_8", fields)
        # The BMC answers for the collection itself; the entry makes the link a good one.
        self.collect(f"{ROOT}/SessionService/Sessions", "Session", [])
        self.add(f"{ROOT}/AccountService", "AccountService.v1_9_0", {"Name": "Account Service", "AccountLockoutThreshold": 5})


def reset_action(system: str) -> Json:
    target = f"{system}/Actions/ComputerSystem.Reset"
    return {"#ComputerSystem.Reset": {"target": target, "ResetType@Redfish.AllowableValues": RESETS}}


def boot(target: str = "None") -> Json:
    return {
        "BootSourceOverrideEnabled": "Disabled",
        "BootSourceOverrideMode": "UEFI",
        "BootSourceOverrideTarget": target,
        "BootSourceOverrideTarget@Redfish.AllowableValues": BOOT_TARGETS,
    }


def power_state(power: Power) -> str:
    return "On" if power == "on" else "Off"


def by_slot(server: ServerSpec) -> list[tuple[int, int, str | None]]:
    """Every DIMM slot: number, GiB (0 when empty) and serial."""
    fitted = {dimm.slot: dimm for dimm in server.dimms}
    return [(n, fitted[n].gib, fitted[n].serial) if n in fitted else (n, 0, None) for n in range(1, server.dimm_slots + 1)]


def socket_of(slot: int, server: ServerSpec) -> tuple[int, int]:
    """The socket that a DIMM slot belongs to, and the slot's number there; both from 1."""
    each = max(1, server.dimm_slots // server.sockets)
    return (slot - 1) // each + 1, (slot - 1) % each + 1


def volume_size(raid: str, sizes: list[int]) -> int:
    """What the RAID level leaves of the disks."""
    usable = {"RAID1": 1, "RAID5": len(sizes) - 1, "RAID6": len(sizes) - 2, "RAID10": len(sizes) // 2}
    return min(sizes) * usable.get(raid, len(sizes))


def add_pcie_gpus(made: Builder, chassis: str, server: ServerSpec) -> Json:
    """GPUs of vendors that list them as PCIe devices only; returns the Chassis' field."""
    paths = []
    for number, gpu in enumerate(server.gpus, 1):
        base = f"{chassis}/PCIeDevices/GPU{number}"
        function = made.add(
            f"{base}/PCIeFunctions/1",
            "PCIeFunction.v1_2_3",
            {"Name": "PCIe Function", "DeviceClass": "DisplayController", "VendorId": "0x10DE"},
        )
        made.collect(f"{base}/PCIeFunctions", "PCIeFunction", [function])
        fields: Json = {"Name": f"GPU{number}", "Manufacturer": "NVIDIA", "Model": gpu.model, "SerialNumber": gpu.serial, "Status": OK}
        fields |= {"DeviceType": "SingleFunction", "PCIeFunctions": link(f"{base}/PCIeFunctions")}
        paths.append(made.add(base, "PCIeDevice.v1_7_0", fields))
    return {"PCIeDevices": link(made.collect(f"{chassis}/PCIeDevices", "PCIeDevice", paths))}
