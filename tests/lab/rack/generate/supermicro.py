# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Supermicro X13.

Traps: no Vendor in the root, every NIC is AOC_NIC1 and none has a permanent MAC, ToManager is the BMC's, NVMe drives hang below
a backplane whose Drives collection is empty and say neither MediaType nor Protocol, the UUID ends in the BMC's MAC.
"""

from __future__ import annotations

from ..spec import Adapter, Json, Port, Power, ServerSpec, Tree
from .common import OK, ROOT, Builder, add_pcie_gpus, boot, by_slot, link, links, power_state, reset_action, socket_of
from .supermicro_storage import add_storage

EXPAND: Json = {"ExpandAll": True, "Levels": True, "Links": True, "MaxLevels": 2, "NoLinks": True}
REDFISH = "1.11.0"
FIRMWARE = "01.03.14"
SYSTEM = f"{ROOT}/Systems/1"
CHASSIS = f"{ROOT}/Chassis/1"
MANAGER = f"{ROOT}/Managers/1"


def build_supermicro(server: ServerSpec, power: Power) -> Tree:
    made = Builder()
    oem = {"Supermicro": {"@odata.type": "#SmcServiceRootExtensions.v1_0_0.ServiceRoot"}}
    made.root(REDFISH, "v1_9_0", EXPAND, UUID=server.uuid.upper(), Oem=oem)
    _processors(made, server)
    _memory(made, server)
    _network(made, server, on=power == "on")
    backplanes = add_storage(made, server, SYSTEM, MANAGER)
    _system(made, server, power)
    _chassis(made, server, power, backplanes)
    _manager(made, server)
    return made.tree


def _processors(made: Builder, server: ServerSpec) -> None:
    paths = []
    for number in range(1, server.sockets + 1):
        fields: Json = {
            "Name": "Processor", "Socket": f"CPU{number}", "ProcessorType": "CPU", "ProcessorArchitecture": "x86",
            "InstructionSet": "x86-64",
            "Manufacturer": "Intel(R) Corporation", "Model": server.cpu, "TotalCores": server.cores, "TotalThreads": server.threads,
            "Status": OK,
            "SerialNumber": None, "PartNumber": None,
        }  # fmt: skip
        paths.append(made.add(f"{SYSTEM}/Processors/{number}", "Processor.v1_10_0", fields))
    made.collect(f"{SYSTEM}/Processors", "Processor", paths)


def _memory(made: Builder, server: ServerSpec) -> None:
    paths = []
    for slot, gib, serial in by_slot(server):
        if not gib:
            continue
        socket, place = socket_of(slot, server)
        fields: Json = {
            "Name": "Memory",
            "DeviceLocator": f"P{socket}-DIMM{'ABCDEFGHIJKLMNOP'[place - 1]}1",
            "CapacityMiB": gib * 1024,
            "Status": OK,
        }
        fields |= {
            "MemoryType": "DRAM",
            "MemoryDeviceType": "DDR5",
            "OperatingSpeedMhz": 4800,
            "Manufacturer": "Samsung",
            "SerialNumber": serial,
        }
        paths.append(made.add(f"{SYSTEM}/Memory/{slot}", "Memory.v1_11_0", fields))
    made.collect(f"{SYSTEM}/Memory", "Memory", paths)


def _network(made: Builder, server: ServerSpec, *, on: bool) -> None:
    nics, adapters, position = [], [], 0
    for number, adapter in enumerate(server.adapters, 1):
        base = f"{CHASSIS}/NetworkAdapters/{number}"
        ports, network_ports, functions = [], [], []
        for place, port in enumerate(adapter.ports, 1):
            position += 1
            state = ("Up" if port.up else "Down") if on else None
            fields: Json = {
                "Name": "Network Port View",
                "PortId": str(place),
                "LinkNetworkTechnology": "Ethernet",
                "LinkStatus": state and f"Link{state}",
            }
            fields["Ethernet"] = {"AssociatedMACAddresses": [port.mac.upper()]}
            ports.append(made.add(f"{base}/Ports/{place}", "Port.v1_4_0", fields))
            fields = {
                "Name": "Network Port View",
                "PhysicalPortNumber": str(place),
                "ActiveLinkTechnology": "Ethernet",
                "LinkStatus": state,
            }
            fields["AssociatedNetworkAddresses"] = [port.mac.upper()]
            network_ports.append(made.add(f"{base}/NetworkPorts/{place}", "NetworkPort.v1_3_0", fields))
            functions.append(_function(made, base, place, port))
            nics.append(_interface(made, position, port, functions[-1], on))
        _adapter(made, base, adapter, ports, network_ports, functions)
        adapters.append(base)
    nics.append(_to_manager(made, server))
    made.collect(f"{CHASSIS}/NetworkAdapters", "NetworkAdapter", adapters)
    made.collect(f"{SYSTEM}/EthernetInterfaces", "EthernetInterface", nics)


def _function(made: Builder, base: str, place: int, port: Port) -> str:
    fields: Json = {"Name": "Network Device Function View", "NetDevFuncType": "Ethernet", "DeviceEnabled": True}
    fields["Ethernet"] = {"MACAddress": port.mac.upper()}
    fields["Links"] = {
        "PhysicalPortAssignment": link(f"{base}/NetworkPorts/{place}"),
        "PhysicalNetworkPortAssignment": link(f"{base}/Ports/{place}"),
    }
    return made.add(f"{base}/NetworkDeviceFunctions/{place}", "NetworkDeviceFunction.v1_5_0", fields)


def _interface(made: Builder, position: int, port: Port, function: str, on: bool) -> str:
    up = on and port.up
    fields: Json = {"Name": "AOC_NIC1", "MACAddress": port.mac, "SpeedMbps": port.speed_mbps if up else 0, "FQDN": None, "Status": OK}
    fields |= {"LinkStatus": ("LinkUp" if port.up else "LinkDown") if on else None, "Links": {"NetworkDeviceFunction": link(function)}}
    return made.add(f"{SYSTEM}/EthernetInterfaces/{position}", "EthernetInterface.v1_6_3", fields)


def _to_manager(made: Builder, server: ServerSpec) -> str:
    mac = server.usb_mac.upper()
    fields: Json = {"Name": "Manager Ethernet Interface", "MACAddress": mac, "PermanentMACAddress": mac, "SpeedMbps": 100, "Status": OK}
    fields |= {"InterfaceEnabled": True, "Links": {"HostInterface": link(f"{MANAGER}/HostInterfaces/1")}}
    return made.add(f"{SYSTEM}/EthernetInterfaces/ToManager", "EthernetInterface.v1_6_3", fields)


def _adapter(made: Builder, base: str, adapter: Adapter, ports: list[str], network_ports: list[str], functions: list[str]) -> None:
    made.collect(f"{base}/Ports", "Port", ports)
    made.collect(f"{base}/NetworkPorts", "NetworkPort", network_ports)
    made.collect(f"{base}/NetworkDeviceFunctions", "NetworkDeviceFunction", functions)
    fields: Json = {"Name": "Network Adapter View", "Manufacturer": "Supermicro", "Model": adapter.model, "SerialNumber": adapter.serial}
    fields |= {name: link(f"{base}/{name}") for name in ("Ports", "NetworkPorts", "NetworkDeviceFunctions")}
    place = {
        "ServiceLabel": f"PCIe Slot {adapter.slot}" if adapter.slot else "Onboard",
        "LocationType": "Slot",
        "LocationOrdinalValue": adapter.slot,
    }
    fields["Controllers"] = [
        {"Location": {"PartLocation": place}, "Links": {"NetworkDeviceFunctions": links(functions), "Ports": links(ports)}}
    ]
    made.add(base, "NetworkAdapter.v1_5_0", fields)


def _system(made: Builder, server: ServerSpec, power: Power) -> None:
    names = ("Processors", "Memory", "EthernetInterfaces", "Storage", "SimpleStorage")
    fields: Json = {
        "Name": "System", "Manufacturer": "Supermicro", "Model": server.model, "SerialNumber": server.serial, "SKU": server.sku,
        "UUID": server.uuid.upper(), "PowerState": power_state(power), "BiosVersion": server.bios, "SystemType": "Physical", "Status": OK,
        "ProcessorSummary": {"Count": server.sockets, "Model": "Intel(R) Xeon(R) processor", "Status": OK},
        "MemorySummary": {"TotalSystemMemoryGiB": server.gib, "MemoryMirroring": "System", "Status": OK}, "Boot": boot("Pxe"),
        "Actions": reset_action(SYSTEM), "Links": {"Chassis": links([CHASSIS]), "ManagedBy": links([MANAGER])},
        **{name: link(f"{SYSTEM}/{name}") for name in names},
    }  # fmt: skip
    made.add(SYSTEM, "ComputerSystem.v1_14_0", fields)
    made.collect(f"{ROOT}/Systems", "ComputerSystem", [SYSTEM])


def _chassis(made: Builder, server: ServerSpec, power: Power, backplanes: list[str]) -> None:
    fields: Json = {
        "Name": "Computer System Chassis",
        "ChassisType": "RackMount",
        "Manufacturer": "Supermicro",
        "Model": "X13DEM",
        "AssetTag": None,
    }
    fields |= {
        "SerialNumber": f"C{server.board_serial}",
        "PowerState": power_state(power),
        "Status": OK,
        **add_pcie_gpus(made, CHASSIS, server),
    }
    fields |= {
        "NetworkAdapters": link(f"{CHASSIS}/NetworkAdapters"),
        "Links": {"ComputerSystems": links([SYSTEM]), "ManagedBy": links([MANAGER])},
    }
    fields["Oem"] = {"Supermicro": {"@odata.type": "#SmcChassisExtensions.v1_0_0.Chassis", "BoardSerialNumber": server.board_serial}}
    made.add(CHASSIS, "Chassis.v1_14_0", fields)
    made.collect(f"{ROOT}/Chassis", "Chassis", [CHASSIS, *backplanes])


def _manager(made: Builder, server: ServerSpec) -> None:
    host = link(f"{MANAGER}/HostInterfaces/1")
    paths = []
    for name, mac in zip(("1", "ToHost"), server.bmc_macs, strict=True):
        fields: Json = {
            "Name": "Manager Ethernet Interface",
            "MACAddress": mac.upper(),
            "SpeedMbps": 1000,
            "LinkStatus": "LinkUp",
            "Status": OK,
        }
        fields["Links"] = {"HostInterface": host} if name == "ToHost" else {}
        paths.append(made.add(f"{MANAGER}/EthernetInterfaces/{name}", "EthernetInterface.v1_6_3", fields))
    made.collect(f"{MANAGER}/EthernetInterfaces", "EthernetInterface", paths)
    made.add(host["@odata.id"], "HostInterface.v1_1_1", {"Name": "Host Interface 1", "InterfaceEnabled": True})
    made.collect(f"{MANAGER}/HostInterfaces", "HostInterface", [host["@odata.id"]])
    fields = {
        "Name": "Manager",
        "ManagerType": "BMC",
        "Model": "ASPEED",
        "FirmwareVersion": FIRMWARE,
        "UUID": server.uuid.upper(),
        "Status": OK,
    }
    fields |= {name: link(f"{MANAGER}/{name}") for name in ("EthernetInterfaces", "HostInterfaces")}
    fields["Links"] = {"ManagerForServers": links([SYSTEM]), "ManagerForChassis": links([CHASSIS])}
    made.add(MANAGER, "Manager.v1_11_0", fields)
    made.collect(f"{ROOT}/Managers", "Manager", [MANAGER])
