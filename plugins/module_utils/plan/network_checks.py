# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What speaks against the networks together: overlaps, the way out, frame sizes, and traffic that starves other traffic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from .intent import Intent
from .objections import Found, Kind
from .ranges import common
from .servers import NetworkName
from .subnets import Subnet, read_cidr

# Geneve as OVN sends it: outer IP header 20 or 40, UDP 8, Geneve 8 and OVN's option 8, inner Ethernet 14.
GENEVE: Mapping[int, int] = {0: 58, 4: 58, 6: 78}

NETWORKS_OVERLAP = Kind(
    code="networks_overlap",
    title="Two networks overlap",
    rank=30,
    why="A server cannot tell which interface an address is behind, and pods cannot reach hosts whose addresses lie in their own network.",
    cure="Give one of them other addresses; pods and services of the FMC cannot be changed once it runs",
)
FLOATING_OVERLAP = Kind(
    code="floating_overlap",
    title="Floating addresses and servers share a range",
    rank=31,
    why="Neutron would hand out an address that a server or a VIP has.",
    cure="Set networks.external.ranges to what is for guests, and the ranges of the other network to what is for servers",
)
NO_DEFAULT_ROUTE = Kind(
    code="no_default_route",
    title="The management network has no gateway",
    rank=30,
    why="RKE2 does not find its own address and its services do not route on a host without a default route, even with no internet.",
    cure="Set networks.management.gateway; without a router any address of the network that is kept free will do",
)
TUNNEL_TOO_SMALL = Kind(
    code="tunnel_too_small",
    title="The tunnel has no room for the guests' frames",
    rank=35,
    why="Geneve adds its header to each frame; too long ones are dropped silently: connections open, then hang.",
    cure="Raise networks.tunnel.mtu on servers and switches, or lower openstack.tenant_mtu",
)
TENANT_MTU_REDUCED = Kind(
    code="tenant_mtu_reduced",
    title="Guests get frames of less than 1500 bytes",
    severity="warning",
    rank=65,
    why="Geneve's header has to fit into the tunnel's frames; guests that ignore the MTU they are told lose long packets.",
    cure="Give the tunnel network an MTU of 9000 on servers and switches, at least 1558 (IPv6: 1578)",
)
MANAGEMENT_JUMBO = Kind(
    code="management_jumbo",
    title="The management network has long frames",
    severity="warning",
    rank=70,
    why="Gateways, BMCs, installers and name servers mostly have 1500; longer frames to them are lost.",
    cure="Set networks.management.mtu to 1500, and use a network of its own for storage and tunnel",
)
STORAGE_MTU_DIFFERS = Kind(
    code="storage_mtu_differs",
    title="Storage and cluster network have different MTUs",
    severity="warning",
    rank=70,
    why="OSDs talk on both; the smaller one sets the pace, and differing ones are mostly a mistake.",
    cure="Give networks.storage and networks.cluster one MTU",
)
STORAGE_SHARED = Kind(
    code="storage_shared",
    title="Storage has no network of its own",
    severity="warning",
    rank=60,
    why="When Ceph recovers, it fills the link; API, database and quorum traffic on the same network then time out.",
    cure="Give networks.storage its own cidr and VLAN, and on busy sites its own link",
)


def check_networks(intent: Intent, own: Mapping[NetworkName, Subnet], carriers: Mapping[NetworkName, NetworkName]) -> Iterator[Found]:
    """Everything that speaks against the networks as a whole."""
    yield from _overlaps(intent, own)
    management = own["management"]
    if intent.networks.management.gateway is None:
        path = "networks.management.gateway"
        yield NO_DEFAULT_ROUTE.of("networks.management", "networks.management has no gateway, so no server has a default route", path=path)
    yield from _tunnel(intent, own[carriers["tunnel"]])
    if management.mtu > 1500:
        text = f"networks.management.mtu is {management.mtu}"
        yield MANAGEMENT_JUMBO.of("networks.management", text, path="networks.management.mtu")
    storage, cluster = own[carriers["storage"]], own[carriers["cluster"]]
    if storage.mtu != cluster.mtu:
        text = f"storage has an MTU of {storage.mtu}, cluster of {cluster.mtu}"
        yield STORAGE_MTU_DIFFERS.of("networks.cluster", text, path="networks.cluster.mtu")
    if storage.name != "storage":
        yield STORAGE_SHARED.of("networks.storage", f"storage traffic goes over the {storage.name} network", path="networks.storage")


def _tunnel(intent: Intent, tunnel: Subnet) -> Iterator[Found]:
    wanted, overhead = intent.openstack.tenant_mtu, GENEVE[tunnel.version]
    path = f"networks.{tunnel.name}.mtu"
    subject = f"networks.{tunnel.name}"
    room = tunnel.mtu - overhead
    if (wanted or 1280) > room:
        least = "IPv6 needs 1280" if wanted is None else f"openstack.tenant_mtu is {wanted}"
        text = f"{tunnel.name}, which carries the tunnels, has an MTU of {tunnel.mtu}; less {overhead} bytes that is {room}, and {least}"
        yield TUNNEL_TOO_SMALL.of(subject, text, path=path)
    elif wanted is None and room < 1500:
        text = f"{tunnel.name}, which carries the tunnels, has an MTU of {tunnel.mtu}; guests get {room}"
        yield TENANT_MTU_REDUCED.of(subject, text, path=path)


def _overlaps(intent: Intent, own: Mapping[NetworkName, Subnet]) -> Iterator[Found]:
    # NAMES ends with external, so in a pair of networks it is the other one.
    areas = [(f"networks.{one.name}", one.version, one.first, one.last, one.cidr) for one in own.values() if one.version]
    for key, text in (("fmc.pods", intent.fmc.pods), ("fmc.services", intent.fmc.services)):
        net, found = read_cidr(key, text)
        yield from found
        if net is not None:
            areas.append((key, net.version, int(net.network_address), int(net.broadcast_address), str(net)))
    for one, other in combinations(areas, 2):
        if one[1] != other[1] or one[2] > other[3] or other[2] > one[3]:
            continue
        if other[0] == "networks.external" and one[4] == other[4]:
            yield from _floating(own, one[0].removeprefix("networks."))
            continue
        path = other[0] if other[0].startswith("fmc.") else f"{other[0]}.cidr"
        yield NETWORKS_OVERLAP.of(other[0], f"{one[0]} ({one[4]}) and {other[0]} ({other[4]}) overlap", path=path)


def _floating(own: Mapping[NetworkName, Subnet], name: str) -> Iterator[Found]:
    """External may be the same network as another one, since servers have no address there, if the two share it out between them."""
    external, other = own["external"], next(one for one in own.values() if one.name == name)
    if external.ranges and not common(external.ranges, other.usable):
        return
    text = f"external and {name} are both {external.cidr}, and " + (
        "their ranges have addresses in common" if external.ranges else "networks.external.ranges does not say which are for guests"
    )
    yield FLOATING_OVERLAP.of("networks.external", text, path="networks.external.ranges")
