# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lenovo XCC.

Traps: ToManager among the host's NICs is the BMC's USB interface, MACs have no separators in NetworkPorts and mixed case
elsewhere, GPUs are Processors, empty DIMM slots have size null, HostName is the BMC's, a DPU shows no port.
"""

from __future__ import annotations

from ..spec import Adapter, Json, Port, Power, ServerSpec, Tree
from .common import OK, ROOT, Builder, boot, by_slot, link, links, power_state, reset_action
from .lenovo_storage import add_storage

EXPAND: Json = {"ExpandAll": True, "Levels": True, "Links": True, "MaxLevels": 2, "NoLinks": True}
REDFISH = "1.15.0"
FIRMWARE = "ESX330M 3.90 2024-03-21"
SYSTEM = f"{ROOT}/Systems/1"
CHASSIS = f"{ROOT}/Chassis/1"
MANAGER = f"{ROOT}/Managers/1"


def build_lenovo(server: ServerSpec, power: Power) -> Tree:
    made = Builder()
    made.root(REDFISH, "v1_13_0", EXPAND, Vendor="Lenovo", UUID=server.uuid.upper())
    _processors(made, server)
    _memory(made, server)
    _network(made, server, on=power == "on")
    drives = add_storage(made, server, SYSTEM, CHASSIS)
    _system(made, server, power)
    _chassis(made, server, power, drives)
    _manager(made, server)
    return made.tree


def _processors(made: Builder, server: ServerSpec) -> None:
    paths = []
    for number in range(1, server.sockets + 1):
        fields: Json = {
            "Name": f"Processor {number}", "Socket": f"CPU {number}", "ProcessorType": "CPU", "ProcessorArchitecture": "x86",
            "Model": server.cpu,
            "InstructionSet": "x86-64", "Manufacturer": "Intel(R) Corporation", "TotalCores": server.cores,
            "TotalEnabledCores": server.cores,
            "TotalThreads": server.threads, "Status": OK, "SerialNumber": "",
        }  # fmt: skip
        paths.append(made.add(f"{SYSTEM}/Processors/{number}", "Processor.v1_14_0", fields))
    for number, gpu in enumerate(server.gpus, 1):
        fields = {
            "Name": f"GPU {number}",
            "ProcessorType": "GPU",
            "Manufacturer": "NVIDIA Corporation",
            "Model": gpu.model,
            "SerialNumber": gpu.serial,
        }
        paths.append(made.add(f"{SYSTEM}/Processors/GPU{number}", "Processor.v1_14_0", fields))
    made.collect(f"{SYSTEM}/Processors", "Processor", paths)


def _memory(made: Builder, server: ServerSpec) -> None:
    paths = []
    for slot, gib, serial in by_slot(server):
        fields: Json = {"Name": f"DIMM {slot}", "DeviceLocator": f"DIMM {slot}", "MemoryType": "DRAM", "CapacityMiB": gib * 1024 or None}
        fields |= {"SerialNumber": serial, "Status": OK if gib else {"Health": None, "State": "Absent"}}
        fields |= (
            {"MemoryDeviceType": "DDR5", "OperatingSpeedMhz": 4800, "Manufacturer": "Micron Technology"}
            if gib
            else {"MemoryDeviceType": None}
        )
        paths.append(made.add(f"{SYSTEM}/Memory/{slot}", "Memory.v1_14_0", fields))
    made.collect(f"{SYSTEM}/Memory", "Memory", paths)


def _network(made: Builder, server: ServerSpec, *, on: bool) -> None:
    nics, adapters, position = [], [], 0
    for adapter in server.adapters:
        base = f"{CHASSIS}/NetworkAdapters/{f'slot-{adapter.slot}' if adapter.slot else 'ob-1'}"
        ports, network_ports, functions = [], [], []
        for number, port in enumerate(adapter.ports, 1):
            position += 1
            if adapter.dpu:
                continue
            nic = _interface(made, f"NIC{position}", port, on)
            nics.append(nic)
            ports.append(_port(made, f"{base}/Ports/{number}", port, on))
            network_ports.append(_network_port(made, f"{base}/NetworkPorts/{number}", port, on))
            functions.append(_function(made, base, number, port, nic))
        _adapter(made, base, adapter, ports, network_ports, functions)
        adapters.append(base)
    nics.append(_to_manager(made, server))
    made.collect(f"{CHASSIS}/NetworkAdapters", "NetworkAdapter", adapters)
    made.collect(f"{SYSTEM}/EthernetInterfaces", "EthernetInterface", nics)


def _adapter(made: Builder, base: str, adapter: Adapter, ports: list[str], network_ports: list[str], functions: list[str]) -> None:
    made.collect(f"{base}/Ports", "Port", ports)
    made.collect(f"{base}/NetworkPorts", "NetworkPort", network_ports)
    made.collect(f"{base}/NetworkDeviceFunctions", "NetworkDeviceFunction", functions)
    location = {"Info": f"Slot {adapter.slot}", "PartLocation": {"LocationType": "Slot", "LocationOrdinalValue": adapter.slot}}
    controller: Json = {"Location": location, "Links": {"Ports": links(ports), "NetworkDeviceFunctions": links(functions)}}
    fields: Json = {
        "Name": "NetworkAdapter",
        "Manufacturer": adapter.maker,
        "Model": adapter.model,
        "SerialNumber": adapter.serial,
        "Status": OK,
    }
    fields |= {name: link(f"{base}/{name}") for name in ("Ports", "NetworkPorts", "NetworkDeviceFunctions")}
    made.add(base, "NetworkAdapter.v1_9_0", {**fields, "Controllers": [controller]})


def _interface(made: Builder, name: str, port: Port, on: bool) -> str:
    mac = port.mac.upper()
    fields: Json = {"Name": "External Ethernet Interface", "MACAddress": mac, "PermanentMACAddress": mac, "SpeedMbps": None, "HostName": ""}
    fields |= {
        "LinkStatus": ("LinkUp" if port.up else "LinkDown") if on else None,
        "Status": OK,
        "InterfaceEnabled": True,
        "Links": {"Chassis": link(CHASSIS)},
    }
    return made.add(f"{SYSTEM}/EthernetInterfaces/{name}", "EthernetInterface.v1_8_0", fields)


def _to_manager(made: Builder, server: ServerSpec) -> str:
    fields: Json = {
        "Name": "Host Ethernet Interface",
        "MACAddress": server.usb_mac,
        "PermanentMACAddress": server.usb_mac,
        "SpeedMbps": None,
    }
    fields |= {"LinkStatus": "LinkDown", "InterfaceEnabled": False, "Status": {"Health": "OK", "State": "Disabled"}}
    fields["Links"] = {"Chassis": link(CHASSIS), "HostInterface": link(f"{MANAGER}/HostInterfaces/1")}
    return made.add(f"{SYSTEM}/EthernetInterfaces/ToManager", "EthernetInterface.v1_8_0", fields)


def _port(made: Builder, path: str, port: Port, on: bool) -> str:
    up = on and port.up
    fields: Json = {
        "Name": f"Phyical Port {path[-1]}",
        "LinkNetworkTechnology": "Ethernet",
        "MaxSpeedGbps": port.speed_mbps / 1000,
        "Status": OK,
    }
    fields |= {
        "LinkStatus": ("LinkUp" if port.up else "LinkDown") if on else None,
        "CurrentSpeedGbps": port.speed_mbps / 1000 if up else None,
    }
    return made.add(path, "Port.v1_6_0", {**fields, "Ethernet": {"AssociatedMACAddresses": [port.mac]}})


def _network_port(made: Builder, path: str, port: Port, on: bool) -> str:
    up = on and port.up
    fields: Json = {"Name": f"Phyical Port {path[-1]}", "ActiveLinkTechnology": "Ethernet", "PhysicalPortNumber": path[-1], "Status": OK}
    fields |= {"LinkStatus": ("Up" if port.up else "Down") if on else None, "CurrentLinkSpeedMbps": port.speed_mbps if up else None}
    return made.add(path, "NetworkPort.v1_4_1", {**fields, "AssociatedNetworkAddresses": [port.mac.replace(":", "").upper()]})


def _function(made: Builder, base: str, number: int, port: Port, nic: str) -> str:
    fields: Json = {"Name": f"Logical Port {number}", "NetDevFuncType": "Ethernet", "DeviceEnabled": True, "Status": OK}
    fields["Ethernet"] = {"MACAddress": port.mac, "PermanentMACAddress": port.mac, "MTUSize": 1500}
    assigned = {
        "PhysicalNetworkPortAssignment": link(f"{base}/Ports/{number}"),
        "PhysicalPortAssignment": link(f"{base}/NetworkPorts/{number}"),
    }
    fields["Links"] = {**assigned, "EthernetInterface": link(nic)}
    return made.add(f"{base}/NetworkDeviceFunctions/{number}.1", "NetworkDeviceFunction.v1_8_0", fields)


def _system(made: Builder, server: ServerSpec, power: Power) -> None:
    parts = {name: link(f"{SYSTEM}/{name}") for name in ("Processors", "Memory", "EthernetInterfaces", "Storage")}
    fields: Json = {
        "Name": "ComputerSystem", "Manufacturer": "Lenovo", "Model": server.model, "SerialNumber": server.serial, "SKU": server.sku,
        "SubModel": server.sku[:4], "UUID": server.uuid.upper(), "AssetTag": "", "PowerState": power_state(power),
        "BiosVersion": server.bios,
        "HostName": f"XCC-{server.sku[:4]}-{server.serial}", "SystemType": "Physical", "Status": {**OK, "HealthRollup": "OK"},
        "Boot": boot(),
        "Actions": reset_action(SYSTEM),
        # Counts the GPUs too: what the firmware calls a processor is not a socket.
        "ProcessorSummary": {"Count": server.sockets + len(server.gpus), "Model": server.cpu, "Status": OK},
        "MemorySummary": {"TotalSystemMemoryGiB": server.gib, "Status": OK},
        "Links": {"Chassis": links([CHASSIS]), "ManagedBy": links([MANAGER])}, **parts,
    }  # fmt: skip
    made.add(SYSTEM, "ComputerSystem.v1_17_0", fields)
    made.collect(f"{ROOT}/Systems", "ComputerSystem", [SYSTEM])


def _chassis(made: Builder, server: ServerSpec, power: Power, drives: list[str]) -> None:
    place: Json = {"Rack": server.rack or "", "RackOffset": server.unit or 0, "RackOffsetUnits": "EIA_310"}
    fields: Json = {
        "Name": "Chassis",
        "ChassisType": "RackMount",
        "Manufacturer": "Lenovo",
        "Model": server.sku,
        "SKU": server.sku,
        "Status": OK,
    }
    fields |= {"SerialNumber": server.serial, "UUID": server.uuid.upper(), "PowerState": power_state(power), "AssetTag": ""}
    fields |= {
        "Location": {"Placement": place, "PostalAddress": {"Building": "", "Room": ""}},
        "NetworkAdapters": link(f"{CHASSIS}/NetworkAdapters"),
    }
    fields["Links"] = {"ComputerSystems": links([SYSTEM]), "ManagedBy": links([MANAGER]), "Drives": links(drives)}
    made.add(CHASSIS, "Chassis.v1_19_0", fields)
    backplane: Json = {
        "Name": "SAS Backplane 1",
        "ChassisType": "Enclosure",
        "Manufacturer": "LNVO",
        "Model": None,
        "PowerState": None,
        "Status": OK,
    }
    other = made.add(f"{ROOT}/Chassis/3", "Chassis.v1_19_0", {**backplane, "SerialNumber": f"{server.board_serial}B"})
    made.collect(f"{ROOT}/Chassis", "Chassis", [CHASSIS, other])


def _manager(made: Builder, server: ServerSpec) -> None:
    paths = []
    for name, mac in zip(("NIC", "ToHost"), server.bmc_macs, strict=True):
        fields: Json = {
            "Name": "Manager Ethernet Interface",
            "MACAddress": mac,
            "PermanentMACAddress": mac,
            "SpeedMbps": None,
            "LinkStatus": "LinkUp",
        }
        fields |= {"HostName": f"XCC-{server.sku[:4]}-{server.serial}", "InterfaceEnabled": True, "Status": OK}
        paths.append(made.add(f"{MANAGER}/EthernetInterfaces/{name}", "EthernetInterface.v1_8_0", fields))
    made.collect(f"{MANAGER}/EthernetInterfaces", "EthernetInterface", paths)
    host = made.add(f"{MANAGER}/HostInterfaces/1", "HostInterface.v1_3_0", {"Name": "Host Interface", "InterfaceEnabled": False})
    made.collect(f"{MANAGER}/HostInterfaces", "HostInterface", [host])
    fields = {
        "Name": "Manager",
        "ManagerType": "BMC",
        "Model": "Lenovo XClarity Controller",
        "FirmwareVersion": FIRMWARE,
        "UUID": server.uuid.upper(),
    }
    fields |= {name: link(f"{MANAGER}/{name}") for name in ("EthernetInterfaces", "HostInterfaces")}
    fields |= {"Links": {"ManagerForServers": links([SYSTEM]), "ManagerForChassis": links([CHASSIS])}, "Status": {"State": "Enabled"}}
    made.add(MANAGER, "Manager.v1_14_0", fields)
    made.collect(f"{ROOT}/Managers", "Manager", [MANAGER])
