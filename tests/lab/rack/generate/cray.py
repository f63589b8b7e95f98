# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""HPE Cray EX: two servers behind one BMC.

Traps: no Vendor, no expand, no storage; the servers share a serial, have no UUID and no Links; "Not Available" is a MAC.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..spec import Json, Power, ServerSpec, Tree
from .common import OK, ROOT, Builder, boot, by_slot, link, links, power_state, reset_action

REDFISH = "1.2.0"
MANAGER = f"{ROOT}/Managers/BMC"


def build_cray(servers: Sequence[ServerSpec], powers: Sequence[Power]) -> Tree:
    made = Builder()
    made.root(REDFISH, "v1_2_0", None)
    systems, chassis = [], [_enclosure(made, servers[0])]
    for number, (server, power) in enumerate(zip(servers, powers, strict=True)):
        systems.append(_node(made, server, f"{ROOT}/Systems/Node{number}", power))
        chassis.append(_blade(made, f"{ROOT}/Chassis/Node{number}"))
    made.collect(f"{ROOT}/Systems", "ComputerSystem", systems)
    made.collect(f"{ROOT}/Chassis", "Chassis", chassis)
    fields: Json = {"Name": "BMC", "ManagerType": "EnclosureManager", "Description": "Shasta Manager", "Status": OK}
    made.add(MANAGER, "Manager.v1_3_2", {**fields, "Links": {"ManagerForServers": links(systems), "ManagerInChassis": link(chassis[0])}})
    made.collect(f"{ROOT}/Managers", "Manager", [MANAGER])
    return made.tree


def _node(made: Builder, server: ServerSpec, path: str, power: Power) -> str:
    _processors(made, server, path)
    _memory(made, server, path)
    _interfaces(made, server, path)
    fields: Json = {
        "Name": path.rpartition("/")[2], "Manufacturer": "HPE", "Model": server.model, "SerialNumber": server.serial,
        "PowerState": power_state(power),
        "BiosVersion": server.bios, "SystemType": "Physical", "Status": OK, "Boot": boot(), "Actions": reset_action(path),
        "Description": "WNC",
        "ProcessorSummary": {"Count": server.sockets, "Model": server.cpu}, "MemorySummary": {"TotalSystemMemoryGiB": server.gib},
        **{name: link(f"{path}/{name}") for name in ("Processors", "Memory", "EthernetInterfaces")},
    }  # fmt: skip
    return made.add(path, "ComputerSystem.v1_5_0", fields)


def _processors(made: Builder, server: ServerSpec, system: str) -> None:
    paths = []
    for number in range(server.sockets):
        fields: Json = {
            "Name": "Processor",
            "Socket": f"CPU {number}",
            "ProcessorType": "CPU",
            "Model": server.cpu,
            "Status": {"Health": "OK"},
        }
        fields |= {"Manufacturer": "Advanced Micro Devices, Inc.", "TotalCores": server.cores, "TotalThreads": server.threads}
        paths.append(made.add(f"{system}/Processors/CPU{number}", "Processor.v1_7_0", fields))
    made.collect(f"{system}/Processors", "Processor", paths)


def _memory(made: Builder, server: ServerSpec, system: str) -> None:
    paths = []
    for slot, gib, serial in by_slot(server):
        if gib:
            fields: Json = {
                "Name": f"DIMM {slot}",
                "CapacityMiB": gib * 1024,
                "MemoryType": "DRAM",
                "MemoryDeviceType": "DDR4",
                "SerialNumber": serial,
            }
            paths.append(made.add(f"{system}/Memory/DIMM{slot}", "Memory.v1_5_0", fields))
    made.collect(f"{system}/Memory", "Memory", paths)


def _interfaces(made: Builder, server: ServerSpec, system: str) -> None:
    base = f"{system}/EthernetInterfaces"
    fields: Json = {"Description": "SS11 200Gb 2P NIC Mezz (HSN)", "MACAddress": "Not Available", "PermanentMACAddress": ""}
    paths = [made.add(f"{base}/HPCNet0", "EthernetInterface.v1_3_0", fields)]
    for port in server.ports:
        fields = {"MACAddress": port.mac, "PermanentMACAddress": port.mac}
        paths.append(made.add(f"{base}/ManagementEthernet", "EthernetInterface.v1_3_0", fields))
    made.collect(base, "EthernetInterface", paths)


def _enclosure(made: Builder, server: ServerSpec) -> str:
    fields: Json = {"Name": "Enclosure", "ChassisType": "Enclosure", "Manufacturer": "HPE", "Model": "WNC", "SerialNumber": server.serial}
    return made.add(f"{ROOT}/Chassis/Enclosure", "Chassis.v1_5_1", {**fields, "Status": OK, "AssetTag": ""})


def _blade(made: Builder, path: str) -> str:
    adapter = made.add(
        f"{path}/NetworkAdapters/HPCNet0", "NetworkAdapter.v1_0_1", {"Name": "HPCNet0", "Manufacturer": "HPE-PRM", "Model": "R4K44A"}
    )
    made.collect(f"{path}/NetworkAdapters", "NetworkAdapter", [adapter])
    fields: Json = {
        "Name": path.rpartition("/")[2],
        "ChassisType": "Blade",
        "Manufacturer": "HPE",
        "NetworkAdapters": link(f"{path}/NetworkAdapters"),
    }
    return made.add(path, "Chassis.v1_5_1", {**fields, "Status": OK})
