# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The nine networks of a site: which are its own, which are carried by another, and on which link each goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .endpoints import check_endpoints, service_addresses
from .intent import Intent, Link, Networks
from .links import NAMES, plan_links, planned_links
from .network_checks import GENEVE, check_networks
from .objections import Found
from .servers import NetworkName
from .subnets import Subnet, read_subnet
from .types import PlannedLink, PlannedNetwork

# A network that is not given uses the addresses and the interface of another.
CARRIERS: Final[Mapping[NetworkName, NetworkName]] = {
    "api": "management",
    "public": "api",
    "tunnel": "api",
    "storage": "api",
    "cluster": "storage",
    "migration": "api",
    "fmc": "management",
}


@dataclass(frozen=True, slots=True)
class Networking:
    """`own` are the networks that are given, `carriers` tells for all nine which of them each one uses."""

    own: Mapping[NetworkName, Subnet]
    carriers: Mapping[NetworkName, NetworkName]
    home: Mapping[NetworkName, str]
    wishes: Mapping[str, Link]
    networks: tuple[PlannedNetwork, ...]
    links: tuple[PlannedLink, ...]
    default_links: bool

    def of(self, name: NetworkName) -> Subnet:
        """The network whose addresses this one uses."""
        return self.own[self.carriers[name]]

    @property
    def addressed(self) -> tuple[Subnet, ...]:
        """The networks in which every server has an address."""
        return tuple(one for one in self.own.values() if one.addressed)


def resolved(networks: Networks) -> dict[NetworkName, NetworkName]:
    """For each network the one that carries it in the end, itself if it is given."""
    carriers: dict[NetworkName, NetworkName] = {}
    for name in NAMES:
        carrier = name
        while getattr(networks, carrier) is None:
            carrier = CARRIERS[carrier]
        carriers[name] = carrier
    return carriers


def plan_networks(intent: Intent) -> tuple[Networking, list[Found]]:
    """All networks and links of the site, and everything in the intent that speaks against them."""
    own: dict[NetworkName, Subnet] = {}
    found: list[Found] = []
    others = service_addresses(intent)
    for name in NAMES:
        given = getattr(intent.networks, name)
        if given is not None:
            own[name], against = read_subnet(name, given, others)
            found += against
    carriers = resolved(intent.networks)
    home, wishes, against = plan_links(intent.links, own, carriers)
    found += against
    planned = tuple(_planned(name, own[carriers[name]], home[name]) for name in NAMES)
    networking = Networking(
        own=own,
        carriers=carriers,
        home=home,
        wishes=wishes,
        networks=planned,
        links=planned_links(wishes, home),
        default_links=not intent.links,
    )
    found += check_networks(intent, own, carriers)
    found += check_endpoints(intent)
    return networking, found


def tenant_mtu(networking: Networking, intent: Intent) -> int:
    """What guests get: what was asked for, else 1500, or less where the tunnel has no room for its own header."""
    tunnel = networking.of("tunnel")
    return intent.openstack.tenant_mtu or min(1500, tunnel.mtu - GENEVE[tunnel.version])


def _planned(name: NetworkName, net: Subnet, link: str) -> PlannedNetwork:
    return PlannedNetwork(name=name, carried_by=net.name, link=link, cidr=net.cidr, vlan=net.vlan, mtu=net.mtu, gateway=net.router)
