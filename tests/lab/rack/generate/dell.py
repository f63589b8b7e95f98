# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dell iDRAC 9.

Traps: the service tag is the SKU, every NIC has the same Name, both Ports and NetworkPorts exist and disagree in words,
and a server that is off says zero and blank where it means unknown.
"""

from __future__ import annotations

from dataclasses import replace

from ..spec import Adapter, Json, Port, Power, ServerSpec, Tree
from .common import OK, ROOT, Builder, boot, by_slot, link, links, power_state, reset_action, socket_of
from .dell_storage import add_storage

EXPAND: Json = {"ExpandAll": True, "Levels": True, "Links": True, "MaxLevels": 1, "NoLinks": True}
REDFISH = "1.18.0"
FIRMWARE = "7.10.50.10"
SYSTEM = f"{ROOT}/Systems/System.Embedded.1"
CHASSIS = f"{ROOT}/Chassis/System.Embedded.1"
MANAGER = f"{ROOT}/Managers/iDRAC.Embedded.1"


def build_dell(server: ServerSpec, power: Power) -> Tree:
    made = Builder()
    on = power == "on"
    mac = server.bmc_macs[0]
    oem = {"Dell": {"@odata.type": "#DellServiceRoot.v1_0_0.DellServiceRoot", "ManagerMACAddress": mac, "ServiceTag": server.serial}}
    product = "Integrated Dell Remote Access Controller"
    made.root(REDFISH, "v1_16_0", EXPAND, Vendor="Dell", Product=product, ServiceIdentification=server.serial, Oem=oem)
    _processors(made, server, on)
    _memory(made, server, on)
    _network(made, server, on)
    storage, enclosures = add_storage(made, server, SYSTEM, CHASSIS, on=on)
    _system(made, server, power)
    _chassis(made, server, power, storage, enclosures)
    _manager(made, server)
    return made.tree


def _processors(made: Builder, server: ServerSpec, on: bool) -> None:
    paths = []
    for number in range(1, server.sockets + 1) if on else ():
        fields: Json = {
            "Name": f"CPU {number}", "Socket": f"CPU.Socket.{number}", "ProcessorType": "CPU", "ProcessorArchitecture": "x86",
            "InstructionSet": "x86-64", "Manufacturer": "Intel", "Model": server.cpu, "Status": OK, "Enabled": True,
            "TotalCores": server.cores, "TotalEnabledCores": server.cores, "TotalThreads": server.threads,
        }  # fmt: skip
        paths.append(made.add(f"{SYSTEM}/Processors/CPU.Socket.{number}", "Processor.v1_18_0", fields))
    for gpu in server.gpus if on else ():
        fields = {"Name": f"Video.Slot.{gpu.slot}", "ProcessorType": "GPU", "Manufacturer": "NVIDIA Corporation", "Model": gpu.model}
        fields |= {"SerialNumber": gpu.serial, "TotalCores": None, "TotalThreads": None, "Status": OK}
        paths.append(made.add(f"{SYSTEM}/Processors/Video.Slot.{gpu.slot}-1", "Processor.v1_18_0", fields))
    made.collect(f"{SYSTEM}/Processors", "Processor", paths)


def _memory(made: Builder, server: ServerSpec, on: bool) -> None:
    paths = []
    for slot, gib, serial in by_slot(server) if on else ():
        if not gib:
            continue
        socket, place = socket_of(slot, server)
        name = f"{'ABCD'[socket - 1]}{place}"
        fields: Json = {
            "Name": f"DIMM {name}", "DeviceLocator": f"DIMM {name}", "CapacityMiB": gib * 1024, "MemoryDeviceType": "DDR4",
            "BaseModuleType": "RDIMM", "OperatingSpeedMhz": 3200, "Manufacturer": "Hynix Semiconductor", "SerialNumber": serial,
            "MemoryType": "DRAM", "ErrorCorrection": "MultiBitECC", "Status": OK, "Enabled": True,
        }  # fmt: skip
        paths.append(made.add(f"{SYSTEM}/Memory/DIMM.Socket.{name}", "Memory.v1_17_1", fields))
    made.collect(f"{SYSTEM}/Memory", "Memory", paths)


def adapter_id(adapter: Adapter) -> str:
    return f"NIC.Slot.{adapter.slot}" if adapter.slot else "NIC.Embedded.1"


def port_id(adapter: Adapter, number: int) -> str:
    return f"NIC.Slot.{adapter.slot}-{number}" if adapter.slot else f"NIC.Embedded.{number}-1"


def _network(made: Builder, server: ServerSpec, on: bool) -> None:
    nics, adapters, switches = [], [], []
    for adapter in server.adapters:
        base = f"{CHASSIS}/NetworkAdapters/{adapter_id(adapter)}"
        ports, network_ports, functions = [], [], []
        for number, port in enumerate(_ports(adapter), 1):
            place, function = port_id(adapter, number), f"{port_id(adapter, number)}-1"
            ports.append(_port(made, f"{base}/Ports/{place}", port, on))
            network_ports.append(_network_port(made, f"{base}/NetworkPorts/{place}", port, on))
            functions.append(_function(made, base, function, place, adapter, port))
            nics.append(_interface(made, adapter, function, port, on))
            switches.append(_switch(made, function, port, number, on))
        made.collect(f"{base}/Ports", "Port", ports)
        made.collect(f"{base}/NetworkPorts", "NetworkPort", network_ports)
        made.collect(f"{base}/NetworkDeviceFunctions", "NetworkDeviceFunction", functions)
        places = {name: link(f"{base}/{name}") for name in ("Ports", "NetworkPorts", "NetworkDeviceFunctions")}
        controllers = [
            {
                "FirmwarePackageVersion": "22.31.6",
                "Links": {"NetworkDeviceFunctions": links(functions), "NetworkPorts": links(network_ports)},
            }
        ]
        fields: Json = {"Name": "Network Adapter View", "Manufacturer": adapter.maker, "Status": OK, "Controllers": controllers}
        # iDRAC knows neither model nor serial of what is soldered on.
        fields |= {"Model": adapter.model if adapter.slot else None, "SerialNumber": adapter.serial if adapter.slot else None}
        adapters.append(made.add(base, "NetworkAdapter.v1_9_0", {**fields, **places}))
    made.collect(f"{CHASSIS}/NetworkAdapters", "NetworkAdapter", adapters)
    made.collect(f"{SYSTEM}/EthernetInterfaces", "EthernetInterface", nics)
    made.collect(f"{SYSTEM}/NetworkPorts/Oem/Dell/DellSwitchConnections", "DellSwitchConnection", switches)


def _ports(adapter: Adapter) -> list[Port]:
    """A DPU's ports belong to the DPU: the host sees them disabled and without a link."""
    return [replace(port, up=port.up and not adapter.dpu) for port in adapter.ports]


def _port(made: Builder, path: str, port: Port, on: bool) -> str:
    up = on and port.up
    fields: Json = {
        "Name": "Network Interface Card(NIC) Port View",
        "LinkNetworkTechnology": "Ethernet",
        "LinkStatus": "LinkUp" if up else "LinkDown",
    }
    fields |= {"CurrentSpeedGbps": port.speed_mbps / 1000 if up else 0, "PortId": path[-1], "Status": OK}
    return made.add(path, "Port.v1_9_0", {**fields, "Ethernet": {"AssociatedMACAddresses": [port.mac.upper()], "LLDPReceive": {}}})


def _network_port(made: Builder, path: str, port: Port, on: bool) -> str:
    up = on and port.up
    fields: Json = {"Name": "Network Port View", "ActiveLinkTechnology": "Ethernet", "LinkStatus": "Up" if up else "Down", "Status": OK}
    fields |= {"CurrentLinkSpeedMbps": port.speed_mbps if up else 0, "AssociatedNetworkAddresses": [port.mac.upper()]}
    return made.add(path, "NetworkPort.v1_4_1", {**fields, "PhysicalPortNumber": path[-1]})


def _function(made: Builder, base: str, name: str, place: str, adapter: Adapter, port: Port) -> str:
    """A DPU's function has no MAC of its own here (infra-controller#2821); the EthernetInterface has it."""
    mac = "" if adapter.dpu else port.mac.upper()
    assigned = {
        "PhysicalPortAssignment": link(f"{base}/NetworkPorts/{place}"),
        "PhysicalNetworkPortAssignment": link(f"{base}/Ports/{place}"),
    }
    fields: Json = {"Name": "NetworkDeviceFunction", "NetDevFuncType": "Ethernet", "Status": OK, "Links": assigned}
    fields["Ethernet"] = {"MACAddress": mac, "PermanentMACAddress": mac}
    return made.add(f"{base}/NetworkDeviceFunctions/{name}", "NetworkDeviceFunction.v1_9_0", fields)


def _interface(made: Builder, adapter: Adapter, name: str, port: Port, on: bool) -> str:
    up = on and port.up
    mac = port.mac.upper()
    fields: Json = {"Name": "System Ethernet Interface", "Description": f"{name} partition", "MACAddress": mac, "PermanentMACAddress": mac}
    fields |= {"SpeedMbps": port.speed_mbps if up else 0, "LinkStatus": ("LinkUp" if up else "LinkDown") if on else None, "AutoNeg": up}
    fields |= {
        "FullDuplex": up,
        "InterfaceEnabled": on and not adapter.dpu,
        "Links": {"Chassis": link(CHASSIS)},
        "EthernetInterfaceType": "Physical",
    }
    fields |= {
        "Status": {"Health": "OK", "State": "Disabled" if adapter.dpu else "Enabled"},
        "UefiDevicePath": f"PciRoot(0x{adapter.slot:X})/Pci(0x2,0x0)",
    }
    return made.add(f"{SYSTEM}/EthernetInterfaces/{name}", "EthernetInterface.v1_10_0", fields)


def _switch(made: Builder, name: str, port: Port, number: int, on: bool) -> str:
    up = on and port.up
    fields: Json = {"Name": "DellSwitchConnection", "FQDD": name, "StaleData": "NotStale"}
    fields["SwitchConnectionID"] = f"02:53:57:00:00:{number:02x}" if up else "No Link"
    fields["SwitchPortConnectionID"] = f"swp{int(port.mac[-2:], 16)}" if up else "No Link"
    return made.add(f"{SYSTEM}/NetworkPorts/Oem/Dell/DellSwitchConnections/{name}", "DellSwitchConnection.v1_1_0", fields)


def _system(made: Builder, server: ServerSpec, power: Power) -> None:
    on = power == "on"
    parts = {name: link(f"{SYSTEM}/{name}") for name in ("Processors", "Memory", "EthernetInterfaces", "Storage", "SimpleStorage")}
    sockets = server.sockets if on else 0
    fields: Json = {
        "Name": "System", "Manufacturer": "Dell Inc." if on else " ", "Model": server.model, "SerialNumber": server.board_serial,
        "SKU": server.serial, "UUID": server.uuid, "AssetTag": "", "PowerState": power_state(power), "BiosVersion": server.bios,
        "HostName": "", "SystemType": "Physical", "Status": {**OK, "HealthRollup": "OK"}, "Boot": boot(), "Actions": reset_action(SYSTEM),
        "ProcessorSummary": {
            "Count": sockets, "CoreCount": sockets * server.cores, "LogicalProcessorCount": sockets * server.threads,
            "Model": server.cpu if on else None, "Status": OK, "ThreadingEnabled": on,
        },
        "MemorySummary": {"TotalSystemMemoryGiB": server.gib if on else 0, "MemoryMirroring": "System", "Status": OK},
        "Links": {"Chassis": links([CHASSIS]), "ManagedBy": links([MANAGER])}, **parts,
    }  # fmt: skip
    made.add(SYSTEM, "ComputerSystem.v1_20_1", fields)
    made.collect(f"{ROOT}/Systems", "ComputerSystem", [SYSTEM])


def _chassis(made: Builder, server: ServerSpec, power: Power, storage: list[str], enclosures: list[str]) -> None:
    """iDRAC has the place both as text with semicolons and as Placement."""
    rack, unit = server.rack or "", server.unit or 0
    location: Json = {"Info": f";;;{rack};{unit}", "InfoFormat": "DataCenter;RoomName;Aisle;RackName;RackSlot"}
    location["Placement"] = {"Rack": rack, "RackOffset": unit, "RackOffsetUnits": "EIA_310", "Row": ""}
    fields: Json = {
        "Name": "Computer System Chassis", "ChassisType": "RackMount", "Manufacturer": "Dell Inc.", "Model": server.model,
        "SKU": server.serial, "SerialNumber": server.board_serial, "PowerState": power_state(power), "Status": OK, "AssetTag": None,
        "Location": location, "NetworkAdapters": link(f"{CHASSIS}/NetworkAdapters"), "UUID": server.uuid,
        "Links": {"ComputerSystems": links([SYSTEM]), "ManagedBy": links([MANAGER]), "Contains": links(enclosures),
        "Storage": links(storage), "Drives": []},
    }  # fmt: skip
    made.add(CHASSIS, "Chassis.v1_23_0", fields)
    made.collect(f"{ROOT}/Chassis", "Chassis", [CHASSIS, *enclosures])


def _manager(made: Builder, server: ServerSpec) -> None:
    mac = server.bmc_macs[0]
    fields: Json = {"Name": "Manager Ethernet Interface", "MACAddress": mac, "PermanentMACAddress": mac, "SpeedMbps": 1000, "Status": OK}
    fields |= {"HostName": f"idrac-{server.serial}", "InterfaceEnabled": True, "Links": {"Chassis": link(CHASSIS)}}
    nic = made.add(f"{MANAGER}/EthernetInterfaces/NIC.1", "EthernetInterface.v1_10_0", fields)
    made.collect(f"{MANAGER}/EthernetInterfaces", "EthernetInterface", [nic])
    serves = {"ManagerForServers": links([SYSTEM]), "ManagerForChassis": links([CHASSIS]), "ManagerInChassis": link(CHASSIS)}
    fields = {"Name": "Manager", "ManagerType": "BMC", "Model": "15G Monolithic", "FirmwareVersion": FIRMWARE, "Status": OK}
    fields |= {"EthernetInterfaces": link(f"{MANAGER}/EthernetInterfaces"), "Links": serves, "PowerState": "On"}
    made.add(MANAGER, "Manager.v1_18_0", fields)
    made.collect(f"{ROOT}/Managers", "Manager", [MANAGER])
