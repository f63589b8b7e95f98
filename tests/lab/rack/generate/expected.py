# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a correct reader reports of a generated tree, in the shape of the recorded trees' expected.json.

None: the tree does not say. A list that is empty: there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..spec import Adapter, Json, Port, Power, ServerSpec
from . import cray, dell, hpe, lenovo, supermicro
from .common import volume_size

SYSTEM_IDS = {"dell": "System.Embedded.1", "ilo5": "1", "ilo6": "1", "lenovo": "1", "supermicro": "1"}
MAKERS = {"dell": "Dell Inc.", "ilo5": "HPE", "ilo6": "HPE", "lenovo": "Lenovo", "supermicro": "Supermicro", "cray": "HPE"}
VENDORS = {"dell": "Dell", "ilo5": "HPE", "ilo6": "HPE", "lenovo": "Lenovo", "supermicro": None, "cray": None}
VERSIONS = {"dell": dell.REDFISH, **hpe.REDFISH, "lenovo": lenovo.REDFISH, "supermicro": supermicro.REDFISH, "cray": cray.REDFISH}
FIRMWARES = {"dell": dell.FIRMWARE, **hpe.FIRMWARE, "lenovo": lenovo.FIRMWARE, "supermicro": supermicro.FIRMWARE}
TELLS_PLACE = ("dell", "lenovo")


def expected(servers: Sequence[ServerSpec], powers: Sequence[Power]) -> Json:
    family = servers[0].family
    macs = [*servers[0].bmc_macs, *([hpe.SHARED_MAC] if family in ("ilo5", "ilo6") else [])]
    not_nics = dict.fromkeys(macs, "manager interface")
    if servers[0].usb_mac:
        not_nics[servers[0].usb_mac] = "BMC-to-host interface"
    firmware = [FIRMWARES[family]] if family in FIRMWARES else []
    return {
        "tree": family,
        "bmc": {"vendor": VENDORS[family], "redfish": VERSIONS[family], "firmware": firmware, "macs": sorted(macs)},
        "servers": [_server(server, power, number) for number, (server, power) in enumerate(zip(servers, powers, strict=True))],
        "optional_nics": {},
        "not_nics": not_nics,
        "notes": _notes(family),
    }


def _notes(family: str) -> list[str]:
    if family == "supermicro":
        return [
            "NVMe drives carry no MediaType and no Protocol: null here; the name of their Storage allows ssd and NVMe, both are accepted"
        ]
    return []


def _server(server: ServerSpec, power: Power, number: int) -> Json:
    # Only iDRAC forgets its inventory; the others keep what the last start-up found.
    blank = server.family == "dell" and power == "off"
    system = SYSTEM_IDS.get(server.family, f"Node{number}")
    sockets = server.sockets
    cpu: Json = {"sockets": sockets, "cores": sockets * server.cores, "threads": sockets * server.threads, "model": server.cpu}
    memory: Json = {"gib": server.gib, "dimms": len(server.dimms), "summary_gib": server.gib}
    tells = server.family in TELLS_PLACE
    return {
        "system": f"/redfish/v1/Systems/{system}",
        "manufacturer": None if blank else MAKERS[server.family],
        "model": server.model,
        "serial": server.board_serial if server.family == "dell" else server.serial,
        "sku": server.serial if server.family == "dell" else server.sku or None,
        "uuid": server.uuid or None,
        "power": power,
        "bios": server.bios,
        "cpu": dict.fromkeys(cpu) if blank else cpu,
        "memory": dict.fromkeys(memory) if blank else memory,
        "nics": [_nic(server, power, *found) for found in _ports(server)],
        "disks": _disks(server, power),
        "volumes": _volumes(server, power),
        "gpus": None if blank else [{"model": gpu.model, "serial": gpu.serial} for gpu in server.gpus],
        "location": {"rack": server.rack if tells else None, "unit": server.unit if tells else None},
    }


def _ports(server: ServerSpec) -> Iterator[tuple[Adapter, Port, int, int]]:
    """Every port that the tree gives a MAC for, with its number on the adapter and in the server."""
    position = 0
    for adapter in server.adapters:
        for number, port in enumerate(adapter.ports, 1):
            position += 1
            if not (adapter.dpu and server.family == "lenovo"):
                yield adapter, port, number, position


def _nic(server: ServerSpec, power: Power, adapter: Adapter, port: Port, number: int, position: int) -> Json:
    up = port.up and not (adapter.dpu and server.family == "dell")
    hpe_blind = server.family in ("ilo5", "ilo6") and not (up and hpe.has_ports(adapter, server))
    link: str | None = "up" if up else "down"
    if power == "off" or hpe_blind or server.family == "cray":
        link = None
    names = {
        "dell": f"{dell.port_id(adapter, number)}-1",
        "lenovo": f"NIC{position}",
        "cray": "ManagementEthernet",
    }
    name = names.get(server.family, str(position))
    return {"mac": port.mac, "speed_mbps": port.speed_mbps if link == "up" else None, "link": link, "id": name}


def _disks(server: ServerSpec, power: Power) -> list[Json] | None:
    if server.family == "cray" or (power == "off" and server.family in ("dell", "ilo5")):
        return None
    found = []
    for disk in server.disks:
        silent = server.family == "supermicro" and disk.protocol == "NVMe"
        media, protocol = (None, None) if silent else (disk.media, disk.protocol)
        found.append({"serial": disk.serial, "model": disk.model, "size_bytes": disk.size, "media": media, "protocol": protocol})
    return found


def _volumes(server: ServerSpec, power: Power) -> list[Json] | None:
    """iLO 5 counts its volumes without listing them."""
    if server.family in ("ilo5", "cray") or (power == "off" and server.family == "dell"):
        return None
    sizes = {disk.serial: disk.size for disk in server.disks}
    return [
        {"name": v.name, "raid": v.raid, "size_bytes": volume_size(v.raid, [sizes[s] for s in v.disks]), "disks": list(v.disks)}
        for v in server.volumes
    ]
