# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks, VIPs, the map, and every interface of every server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..plan.servers import Address, Interface
from ..plan.types import Plan
from .elements import Child, Markup, tag
from .network_map import network_map
from .site import Shown, Site
from .tables import Column, body, folded, section, simple, table
from .wiring import lanes, networks_by_interface
from .wording import commas, speed

NETWORKS: tuple[Column, ...] = (
    ("Network", "nw"), ("Carried by", None), ("Link", None), ("Subnet", "nw"), ("VLAN", "n"), ("MTU", "n"), ("Gateway", "nw")
)  # fmt: skip
LINKS: tuple[Column, ...] = (("Link", None), ("Ports per server", "n"), ("Bond", None), ("Networks", None))
VIPS: tuple[Column, ...] = (("VIP", None), ("Address", "nw"), ("Network", None), ("Name", None), ("VRID", "n"), ("Servers", None))
INTERFACES: tuple[Column, ...] = (
    ("Server", None), ("Interface", None), ("Link", None), ("Made of", None), ("MTU", None), ("Networks", None), ("Addresses", None)
)  # fmt: skip


def networks(site: Site) -> Markup:
    plan = site.plan
    alike = " Servers that are wired alike are drawn once." if site.large else ""
    return section(
        "networks",
        "Networks",
        _networks(plan),
        simple("Links: ports that carry the same networks", LINKS, (
            (one.name, one.ports, one.bond or "none", commas(one.networks)) for one in plan.links
        )),
        simple("Addresses that move between servers (VIPs)", VIPS, (
            (one.name, tag("code", f"{one.address}/{one.prefix}"), one.network, one.fqdn, one.vrid, site.links(one.servers))
            for one in plan.vips
        )),
        tag("h3", "Network map"),
        tag("p", "A filled circle: the interface has an address of this network. A hollow one: it carries the network "
            f"on the address of another one, or without any.{alike}"),
        network_map(site) if site.servers else tag("p", "The plan has no servers."),
        folded("Interfaces of every server", _interfaces(site), opened=not site.large),
    )  # fmt: skip


def _networks(plan: Plan) -> Markup:
    rows = (
        (
            one.name,
            "itself" if one.carried_by == one.name else one.carried_by,
            one.link,
            tag("code", one.cidr) if one.cidr else "no addresses",
            "untagged" if one.vlan is None else one.vlan,
            one.mtu,
            tag("code", one.gateway) if one.gateway else "none",
        )
        for one in plan.networks
    )
    return simple("Networks", NETWORKS, rows)


def _interfaces(site: Site) -> Markup:
    order = lanes(site.plan)
    bodies = (body(_rows(one, order), group=True) for one in site.servers if one.server.interfaces)
    return table("Interfaces, by server", INTERFACES, bodies, dense=True)


def _rows(one: Shown, order: Sequence[str]) -> Iterator[Markup]:
    interfaces = one.server.interfaces
    running = networks_by_interface(one.server, order)
    for position, interface in enumerate(interfaces):
        first = tag("th", one.link(), scope="rowgroup", rowspan=len(interfaces)) if position == 0 else None
        yield tag("tr", first, _cells(interface, running))


def _cells(interface: Interface, running: Mapping[str, Sequence[str]]) -> list[Markup]:
    cells: tuple[Child, ...] = (
        (interface.name, tag("small", f" {interface.kind}")),
        interface.link,
        _made_of(interface),
        interface.mtu,
        commas(running.get(interface.name, ())),
        [_address(address) for address in interface.addresses],
    )
    return [tag("td", cell) for cell in cells]


def _address(address: Address) -> Child:
    route = tag("small", f" by {address.gateway}") if address.gateway else None
    return (tag("code", address.cidr), tag("small", f" {address.network}"), route, " ")


def _made_of(interface: Interface) -> Child:
    parts = (
        commas(interface.members),
        f"mode {interface.mode}" if interface.mode else "",
        f"VLAN {interface.vlan}" if interface.vlan is not None else "",
        f"on {interface.parent}" if interface.parent else "",
        f"adapter {interface.adapter}" if interface.adapter else "",
        f"port {interface.port}" if interface.port else "",
        speed(interface.speed_mbps) if interface.kind == "physical" else "",
    )
    return (tag("code", interface.mac, " ") if interface.mac else None, commas(filter(None, parts)))
