# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""HPE iLO 5 (Gen10) and iLO 6 (Gen11).

Traps: NIC names are empty, speeds are on the adapter's ports only, two functions share one MACAddress, manager NIC 3 has the
same MAC on every server, absent DIMMs have size 0, CPU models are padded; iLO 5 ends its links with a slash.
"""

from __future__ import annotations

from typing import Any

from ..spec import Adapter, Json, Power, ServerSpec, Tree
from .common import OK, ROOT, Builder, add_pcie_gpus, boot, by_slot, link, links, power_state, reset_action, socket_of
from .hpe_storage import add_storage

EXPAND: Json = {"ExpandAll": False, "Levels": True, "Links": False, "MaxLevels": 1, "NoLinks": True}
REDFISH = {"ilo5": "1.6.0", "ilo6": "1.20.0"}
FIRMWARE = {"ilo5": "iLO 5 v2.72", "ilo6": "iLO 6 v1.58"}
SHARED_MAC = "02:ca:fe:f0:0d:04"
SYSTEM = f"{ROOT}/Systems/1"
CHASSIS = f"{ROOT}/Chassis/1"
MANAGER = f"{ROOT}/Managers/1"


def build_hpe(server: ServerSpec, power: Power) -> Tree:
    made = Builder()
    kind = {"ilo5": "iLO 5", "ilo6": "iLO 6"}[server.family]
    oem = {"Hpe": {"@odata.type": "#HpeiLOServiceExt.v2_5_0.HpeiLOServiceExt", "Manager": [{"ManagerType": kind, "FQDN": None}]}}
    made.root(REDFISH[server.family], "v1_5_1", EXPAND, Vendor="HPE", Product=server.model, UUID=server.uuid, Oem=oem)
    _processors(made, server)
    _memory(made, server)
    _interfaces(made, server, on=power == "on")
    _adapters(made, server, on=power == "on")
    enclosures = add_storage(made, server, SYSTEM, CHASSIS, on=power == "on")
    _system(made, server, power)
    _chassis(made, server, power, enclosures)
    _manager(made, server, kind)
    return _slashed(made.tree) if server.family == "ilo5" else made.tree


def _slashed(value: Any) -> Any:
    """Older iLO 5 firmware writes every link with a trailing slash."""
    if isinstance(value, dict):
        return {k: v + "/" if k == "@odata.id" and "#" not in v else _slashed(v) for k, v in value.items()}
    return [_slashed(item) for item in value] if isinstance(value, list) else value


def _processors(made: Builder, server: ServerSpec) -> None:
    paths = []
    for number in range(1, server.sockets + 1):
        fields: Json = {
            "Name": "Processors", "Socket": f"Proc {number}", "ProcessorType": "CPU", "ProcessorArchitecture": "x86",
            "InstructionSet": "x86-64",
            "Manufacturer": "Intel(R) Corporation", "Model": server.cpu.ljust(48), "TotalCores": server.cores,
            "TotalThreads": server.threads,
            "MaxSpeedMHz": 4000, "Status": OK, "SerialNumber": "", "PartNumber": "",
        }  # fmt: skip
        paths.append(made.add(f"{SYSTEM}/Processors/{number}", "Processor.v1_7_2", fields))
    made.collect(f"{SYSTEM}/Processors", "Processor", paths)


def _memory(made: Builder, server: ServerSpec) -> None:
    paths = []
    for slot, gib, serial in by_slot(server):
        socket, place = socket_of(slot, server)
        name = f"proc{socket}dimm{place}"
        fields: Json = {"Name": name, "DeviceLocator": f"PROC {socket} DIMM {place}", "CapacityMiB": gib * 1024, "MemoryType": "DRAM"}
        fields["Status"] = {"Health": "OK", "State": "Enabled" if gib else "Absent"}
        if gib:
            fields |= {"MemoryDeviceType": "DDR4" if server.family == "ilo5" else "DDR5", "SerialNumber": serial, "OperatingSpeedMhz": 3200}
            fields |= {"Manufacturer": "Samsung", "BaseModuleType": "RDIMM", "ErrorCorrection": "MultiBitECC"}
        paths.append(made.add(f"{SYSTEM}/Memory/{name}", "Memory.v1_7_1", fields))
    made.collect(f"{SYSTEM}/Memory", "Memory", paths)


def has_ports(adapter: Adapter, server: ServerSpec) -> bool:
    """iLO 5 knows what is on the main board only from the host's side."""
    return bool(adapter.slot) or server.family == "ilo6"


def _interfaces(made: Builder, server: ServerSpec, *, on: bool) -> None:
    paths = []
    ports = [(adapter, port) for adapter in server.adapters for port in adapter.ports]
    for number, (adapter, port) in enumerate(ports, 1):
        known = on and port.up and has_ports(adapter, server)
        fields: Json = {
            "Name": "",
            "MACAddress": port.mac,
            "SpeedMbps": None,
            "FullDuplex": False,
            "InterfaceEnabled": None,
            "IPv4Addresses": [],
        }
        fields |= {"LinkStatus": "LinkUp" if known else None, "Status": OK if known else {"Health": None, "State": None}}
        paths.append(made.add(f"{SYSTEM}/EthernetInterfaces/{number}", "EthernetInterface.v1_4_1", fields))
    made.collect(f"{SYSTEM}/EthernetInterfaces", "EthernetInterface", paths)


def _adapters(made: Builder, server: ServerSpec, *, on: bool) -> None:
    paths, base_adapters = [], []
    for number, adapter in enumerate(server.adapters, 1):
        base_adapters.append(_base_adapter(made, adapter, number, on=on))
        if not has_ports(adapter, server):
            continue
        base = f"{CHASSIS}/NetworkAdapters/DE{7 + number:02X}A000"
        ports = [_port(made, base, adapter, place, on=on) for place in range(len(adapter.ports))]
        functions = [_function(made, base, adapter, place, port) for place, port in enumerate(ports)]
        made.collect(f"{base}/Ports", "Port", ports)
        made.collect(f"{base}/NetworkDeviceFunctions", "NetworkDeviceFunction", functions)
        fields: Json = {"Name": "NetworkAdapter", "Manufacturer": adapter.maker, "Model": adapter.model, "SerialNumber": adapter.serial}
        fields |= {name: link(f"{base}/{name}") for name in ("Ports", "NetworkDeviceFunctions")}
        paths.append(made.add(base, "NetworkAdapter.v1_9_0", {**fields, "Status": OK}))
    made.collect(f"{CHASSIS}/NetworkAdapters", "NetworkAdapter", paths)
    made.collect(f"{SYSTEM}/BaseNetworkAdapters", "HpeBaseNetworkAdapter", base_adapters)


def _port(made: Builder, base: str, adapter: Adapter, place: int, *, on: bool) -> str:
    """A port without a link has no LinkStatus at all."""
    port = adapter.ports[place]
    gbps = port.speed_mbps / 1000
    fields: Json = {"Name": "Port", "PortId": str(place + 1), "LinkNetworkTechnology": "Ethernet", "MaxSpeedGbps": gbps, "Status": OK}
    fields |= {"LinkStatus": "LinkUp", "LinkState": "Enabled", "CurrentSpeedGbps": gbps} if on and port.up else {"CurrentSpeedGbps": None}
    fields["Ethernet"] = {"AssociatedMACAddresses": [adapter.ports[0].mac]}
    return made.add(f"{base}/Ports/{place}", "Port.v1_6_0", fields)


def _function(made: Builder, base: str, adapter: Adapter, place: int, port: str) -> str:
    macs = {"MACAddress": adapter.ports[0].mac, "PermanentMACAddress": adapter.ports[place].mac}
    fields: Json = {"Name": "NetworkDeviceFunction", "NetDevFuncType": "Ethernet", "DeviceEnabled": True, "Ethernet": macs, "Status": OK}
    fields["Links"] = {"PhysicalNetworkPortAssignment": link(port)}
    return made.add(f"{base}/NetworkDeviceFunctions/{place}", "NetworkDeviceFunction.v1_8_0", fields)


def _base_adapter(made: Builder, adapter: Adapter, number: int, *, on: bool) -> str:
    ports: list[Json] = [
        {"MacAddress": p.mac, "Name": "", "SpeedMbps": 0, "LinkStatus": "LinkUp" if on and p.up and adapter.slot else None}
        for p in adapter.ports
    ]
    place = f"PCI-E Slot {adapter.slot}" if adapter.slot else "Embedded LOM"
    structured = f"NIC.Slot.{adapter.slot}.1" if adapter.slot else "NIC.LOM.1.1"
    fields: Json = {
        "Name": adapter.model,
        "Location": place,
        "StructuredName": structured,
        "PhysicalPorts": ports,
        "FcPorts": [],
        "Status": OK,
    }
    return made.add(
        f"{SYSTEM}/BaseNetworkAdapters/{number}", "HpeBaseNetworkAdapter.v2_0_0", {**fields, "SerialNumber": adapter.serial.ljust(15)}
    )


def _system(made: Builder, server: ServerSpec, power: Power) -> None:
    parts = {name: link(f"{SYSTEM}/{name}") for name in ("Processors", "Memory", "EthernetInterfaces", "Storage")}
    oem: Json = {
        "@odata.type": "#HpeComputerSystemExt.v2_14_0.HpeComputerSystemExt",
        "PostState": "FinishedPost" if power == "on" else "PowerOff",
    }
    oem["Links"] = {"BaseNetworkAdapters": link(f"{SYSTEM}/BaseNetworkAdapters")}
    fields: Json = {
        "Name": "Computer System", "Manufacturer": "HPE", "Model": server.model, "SerialNumber": server.serial, "SKU": server.sku,
        "UUID": server.uuid, "AssetTag": "", "PowerState": power_state(power), "BiosVersion": server.bios, "HostName": "",
        "SystemType": "Physical",
        "Status": {**OK, "HealthRollup": "OK"}, "Boot": boot(), "Actions": reset_action(SYSTEM), "Oem": {"Hpe": oem},
        "ProcessorSummary": {"Count": server.sockets, "Model": server.cpu.ljust(48), "Status": {"HealthRollup": "OK"}},
        "MemorySummary": {"TotalSystemMemoryGiB": server.gib, "TotalSystemPersistentMemoryGiB": 0, "Status": {"HealthRollup": "OK"}},
        "Links": {"Chassis": links([CHASSIS]), "ManagedBy": links([MANAGER])}, **parts,
    }  # fmt: skip
    made.add(SYSTEM, "ComputerSystem.v1_17_0", fields)
    made.collect(f"{ROOT}/Systems", "ComputerSystem", [SYSTEM])


def _chassis(made: Builder, server: ServerSpec, power: Power, enclosures: list[str]) -> None:
    fields: Json = {
        "Name": "Computer System Chassis",
        "ChassisType": "RackMount",
        "Manufacturer": "HPE",
        "Model": server.model,
        "Status": OK,
    }
    fields |= {"SerialNumber": server.serial, "SKU": server.sku, "AssetTag": "", "PowerState": power_state(power)}
    fields |= {"NetworkAdapters": link(f"{CHASSIS}/NetworkAdapters"), **add_pcie_gpus(made, CHASSIS, server)}
    fields["Links"] = {"ComputerSystems": links([SYSTEM]), "ManagedBy": links([MANAGER])}
    made.add(CHASSIS, "Chassis.v1_23_0", fields)
    made.collect(f"{ROOT}/Chassis", "Chassis", [CHASSIS, *enclosures])


def _manager(made: Builder, server: ServerSpec, kind: str) -> None:
    names = ("Manager Dedicated Network Interface", "Manager Shared Network Interface", "Manager Virtual Network Interface")
    paths = []
    for number, (name, mac) in enumerate(zip(names, (*server.bmc_macs, SHARED_MAC), strict=True), 1):
        fields: Json = {"Name": name, "MACAddress": mac.upper(), "PermanentMACAddress": mac.upper(), "InterfaceEnabled": number == 1}
        fields |= {
            "LinkStatus": "LinkUp" if number == 1 else None,
            "SpeedMbps": 1000 if number == 1 else None,
            "HostName": f"ILO{server.serial}",
        }
        if mac == SHARED_MAC:
            fields["Links"] = {"HostInterface": link(f"{MANAGER}/HostInterfaces/1")}
        paths.append(made.add(f"{MANAGER}/EthernetInterfaces/{number}", "EthernetInterface.v1_4_1", fields))
    made.collect(f"{MANAGER}/EthernetInterfaces", "EthernetInterface", paths)
    host = made.add(f"{MANAGER}/HostInterfaces/1", "HostInterface.v1_1_1", {"Name": "Host Interface", "InterfaceEnabled": False})
    made.collect(f"{MANAGER}/HostInterfaces", "HostInterface", [host])
    fields = {"Name": "Manager", "ManagerType": "BMC", "Model": kind, "FirmwareVersion": FIRMWARE[server.family], "Status": OK}
    fields |= {name: link(f"{MANAGER}/{name}") for name in ("EthernetInterfaces", "HostInterfaces")}
    fields["Links"] = {"ManagerForServers": links([SYSTEM]), "ManagerForChassis": links([CHASSIS]), "ManagerInChassis": link(CHASSIS)}
    made.add(MANAGER, "Manager.v1_5_1", fields)
    made.collect(f"{ROOT}/Managers", "Manager", [MANAGER])
