# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The host's network ports, from interfaces, adapters, ports and functions; the BMC's own are left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from .hardware import Nic
from .payload import Resource, dig, items, link_path, mac, name, number
from .tree import AdapterTree, BmcTree, ServerTree
from .walk import port_macs

UP = frozenset(("LinkUp", "Up", "Linked", "Starting"))
DOWN = frozenset(("LinkDown", "Down", "NoLink"))


@dataclass(frozen=True, slots=True)
class Port:
    """A port of an adapter and what it says of itself."""

    adapter: str
    name: str
    speed_mbps: int | None
    link: Literal["up", "down"] | None
    kind: Literal["ethernet", "infiniband"] | None


def manager_macs(tree: BmcTree) -> tuple[str, ...]:
    found = {mac(one.get(key)) for one in tree.manager_interfaces for key in ("MACAddress", "PermanentMACAddress")}
    return tuple(sorted(one for one in found if one))


def nics(server: ServerTree, managers: tuple[str, ...], *, powered: bool) -> tuple[Nic, ...] | None:
    """One record per MAC; None where the BMC knows no MAC of the host at all."""
    ports = _ports_by_mac(server.adapters)
    permanent = Counter(mac(one.get("PermanentMACAddress")) for one in server.interfaces or ())
    found: dict[str, Nic] = {}
    for interface in server.interfaces or ():
        # The BMC's own port towards the host; its MAC is none of the managers'.
        if dig(interface, "Links", "HostInterface") is not None:
            continue
        address = _address(interface, permanent)
        if address and address not in managers and address not in found:
            port = ports.get(address) or _port_of_function(interface, server.adapters)
            found[address] = _nic(address, name(interface), interface, port, powered=powered)
    if not found:
        found = {address: _nic(address, None, {}, port, powered=powered) for address, port in ports.items() if address not in managers}
    if not found and server.interfaces is None:
        return None
    return tuple(sorted(found.values(), key=lambda one: one.mac)) or None


def _address(interface: Resource, seen: Counter[str | None]) -> str | None:
    """The permanent address where it is valid and nobody else's, else the present one."""
    permanent = mac(interface.get("PermanentMACAddress"))
    return permanent if permanent and seen[permanent] == 1 else mac(interface.get("MACAddress")) or permanent


def _nic(address: str, label: str | None, interface: Resource, port: Port | None, *, powered: bool) -> Nic:
    speed = number(interface.get("SpeedMbps"))
    link = _link(interface) or (port.link if port else None)
    return Nic(
        mac=address,
        name=label or (port.name if port else None),
        adapter=port.adapter if port else None,
        port=port.name if port else None,
        speed_mbps=int(speed) if speed else port.speed_mbps if port else None,
        # A server that is off has no link to tell of.
        link=link if powered else None,
        kind=port.kind if port else None,
    )


def _ports_by_mac(adapters: list[AdapterTree]) -> dict[str, Port]:
    found: dict[str, Port] = {}
    for adapter in adapters:
        ports = {link_path(one): _port(adapter, one) for one in adapter.ports}
        for function in adapter.functions:
            port = next((ports[path] for path in _assigned(function) if path in ports), None)
            address = mac(dig(function, "Ethernet", "PermanentMACAddress")) or mac(dig(function, "Ethernet", "MACAddress"))
            if address:
                found.setdefault(address, port or Port(_adapter_name(adapter), name(function), None, None, None))
        for one in adapter.ports:
            for address in port_macs(one):
                found.setdefault(address, ports[link_path(one)])
    return found


def _assigned(function: Resource) -> list[str | None]:
    keys = ("PhysicalNetworkPortAssignment", "PhysicalPortAssignment")
    return [link_path(dig(place, key)) for place in (function.get("Links"), function) for key in keys]


def _port_of_function(interface: Resource, adapters: list[AdapterTree]) -> Port | None:
    """The port behind an interface that names its function: sure where the adapter has one port."""
    functions = [dig(interface, "Links", "NetworkDeviceFunction"), *items(dig(interface, "Links", "NetworkDeviceFunctions"))]
    named = [link_path(link) or "" for link in functions]
    for adapter in adapters:
        own = link_path(adapter.resource)
        if own and any(path.startswith(f"{own}/") for path in named):
            if len(adapter.ports) == 1:
                return _port(adapter, adapter.ports[0])
            return Port(_adapter_name(adapter), name(interface), None, None, None)
    return None


def _port(adapter: AdapterTree, port: Resource) -> Port:
    gbps, mbps = number(port.get("CurrentSpeedGbps")), number(port.get("CurrentLinkSpeedMbps") or port.get("SpeedMbps"))
    technology = str(port.get("LinkNetworkTechnology") or port.get("ActiveLinkTechnology") or "").lower()
    return Port(
        adapter=_adapter_name(adapter),
        name=name({"Id": port.get("Id") or dig(port, "Oem", "Hpe", "PortNumber"), "Name": port.get("Name")}),
        speed_mbps=int(gbps * 1000) if gbps else int(mbps) if mbps else None,
        link=_link(port),
        kind="ethernet" if technology == "ethernet" else "infiniband" if technology == "infiniband" else None,
    )


def _adapter_name(adapter: AdapterTree) -> str:
    return name(adapter.resource)


def _link(resource: Resource) -> Literal["up", "down"] | None:
    status = str(resource.get("LinkStatus"))
    return "up" if status in UP else "down" if status in DOWN else None
