# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned servers as hosts get them, and what a kernel says of interfaces."""

from __future__ import annotations

import json
from typing import Any

PORTS = {"main0": "02:00:00:00:00:0a", "main1": "02:00:00:00:00:0b", "provider0": "02:00:00:00:00:0c"}


def interface(name: str, kind: str = "physical", mtu: int = 1500, **more: Any) -> dict[str, Any]:
    plain = {"link": "main", "mac": PORTS.get(name), "adapter": None, "port": None, "speed_mbps": None, "members": [], "mode": None}
    return {"name": name, "kind": kind, "mtu": mtu, **plain, "parent": None, "vlan": None, "addresses": [], **more}


def address(network: str, cidr: str, **more: Any) -> dict[str, Any]:
    return {"network": network, "cidr": cidr, "gateway": None, "mtu": None, **more}


def server(number: int = 1, mode: str = "802.3ad") -> dict[str, Any]:
    """Two ports in a bond with the management network, a VLAN on it, and a port without address."""
    management = address("management", f"192.0.2.{number}/24", gateway="192.0.2.254", mtu=1500)
    return {
        "name": f"edge-{number:02d}",
        "fqdn": f"edge-{number:02d}.edge.example",
        "interfaces": [
            interface("main0", mtu=9000),
            interface("main1", mtu=9000),
            interface("main", "bond", 9000, members=["main0", "main1"], mode=mode, addresses=[management]),
            interface("main.130", "vlan", 9000, parent="main", vlan=130, addresses=[address("storage", f"198.51.100.{number}/24")]),
            interface("provider0"),
        ],
    }


PLAN = {
    "networks": [
        {"name": "management", "carried_by": "management", "mtu": 1500},
        {"name": "api", "carried_by": "management", "mtu": 1500},
        {"name": "storage", "carried_by": "storage", "mtu": 9000},
    ],
    "vips": [
        {"address": "192.0.2.200", "fqdn": "api.edge.example"},
        {"address": "192.0.2.200", "fqdn": "api.edge.example"},
        {"address": "192.0.2.201", "fqdn": "fmc.edge.example"},
    ],
}


def link(name: str, mac: str, kind: str | None = None, mtu: int = 1500, addresses: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """An interface as `ip -json -details address show` has it."""
    pairs = [one.split("/") for one in addresses]
    info = {"linkinfo": {"info_kind": kind, **({"info_data": {"id": more.pop("vlan")}} if "vlan" in more else {})}} if kind else {}
    shown = [{"local": ip, "prefixlen": int(length), "scope": "global"} for ip, length in pairs]
    shown.append({"local": "fe80::1", "prefixlen": 64, "scope": "link"})
    return {
        "ifname": name,
        "address": mac,
        "mtu": mtu,
        "link_type": "ether",
        "flags": ["UP", "LOWER_UP"],
        "addr_info": shown,
        **info,
        **more,
    }


LOOPBACK = {"ifname": "lo", "link_type": "loopback", "mtu": 65536, "flags": ["UP"], "addr_info": []}


def kernel(*links: dict[str, Any]) -> str:
    return json.dumps([LOOPBACK, *links])


def as_planned() -> str:
    """What the kernel shows when server() is in force; a port of a bond has the bond's address, and its own beside it."""
    ports = {"bond": "02:00:00:00:00:0a"}
    return kernel(
        link("main0", ports["bond"], "veth", 9000, permaddr=PORTS["main0"], master="main"),
        link("main1", ports["bond"], None, 9000, permaddr=PORTS["main1"], master="main"),
        link("main", ports["bond"], "bond", 9000, ("192.0.2.1/24",)),
        link("main.130", ports["bond"], "vlan", 9000, ("198.51.100.1/24",), link="main", vlan=130),
        link("provider0", PORTS["provider0"]),
    )
