# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can speak against VIPs, their names and their VRIDs. Kolla's own prechecks miss most of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from .endpoints import is_host_name
from .intent import Intent
from .objections import Found, Kind

VipName = Literal["internal", "external", "fmc"]

VIP_EMPTY = Kind(
    code="vip_empty",
    title="A VIP is empty",
    rank=30,
    why="Kolla accepts an empty VIP and then deploys endpoints that nobody can reach.",
    cure="Set it to a free address of its network, or take the key out: then the plan chooses one",
)
VIP_INVALID = Kind(
    code="vip_invalid",
    title="A VIP is not an address of its network's family",
    rank=30,
    why="keepalived cannot bring it up.",
    cure="Set it to a free address of its network, or take the key out: then the plan chooses one",
)
VIP_OUTSIDE = Kind(
    code="vip_outside",
    title="A VIP is outside its network",
    rank=30,
    why="keepalived brings it up on that network's interface, where nobody looks for it.",
    cure="Choose a free address inside the network, or give the network that the VIP belongs to",
)
VIP_UNUSABLE = Kind(
    code="vip_unusable",
    title="A VIP is the gateway, the network or the broadcast address",
    rank=30,
    why="As a gateway it would cut every server off; the other two are not addresses of hosts.",
    cure="Choose another address of the network",
)
VIP_IN_USE = Kind(
    code="vip_in_use",
    title="A VIP is the address of a server or a BMC",
    rank=30,
    why="Two hosts would answer for one address, and connections break at random.",
    cure="Choose an address that no server has, best one outside ranges",
)
VIP_RESERVED = Kind(
    code="vip_reserved",
    title="A VIP is reserved for others",
    rank=31,
    why="Something else may have that address: a switch, a DHCP server, a host that Vitro does not know.",
    cure="Choose another address, or take this one out of reserved",
)
VIP_FLOATING = Kind(
    code="vip_floating",
    title="A VIP is among the floating addresses",
    rank=31,
    why="Neutron may give it to a guest, which then answers in place of the API.",
    cure="Choose another address, or take this one out of networks.external.ranges",
)
VIPS_EQUAL = Kind(
    code="vips_equal",
    title="Two VIPs are one address",
    rank=30,
    why="HAProxy cannot serve one port with and without TLS, and OpenStack and the FMC cannot both hold one address.",
    cure="Give each its own address, or take one of the keys out: then the plan chooses one",
)
NO_ROOM_FOR_VIP = Kind(
    code="no_room_for_vip",
    title="No address is left for a VIP",
    rank=32,
    why="The API and the FMC are reached by their VIPs only.",
    cure="Add to the ranges of the network, or set the VIP to a free address outside them",
)
VIP_WOULD_MOVE = Kind(
    code="vip_would_move",
    title="A VIP would move",
    rank=30,
    why="Endpoints, certificates, kubeconfigs and the join address of RKE2 name it; all break when it changes.",
    cure="Take the change back, or add `addresses` to allow_moves if nothing is deployed yet",
)
VRID_INVALID = Kind(
    code="vrid_invalid",
    title="A VRID is not between 1 and 255",
    rank=33,
    why="VRRP has 8 bits for it; Kolla passes any number on, and keepalived then does not start.",
    cure="Choose a number from 1 to 255 that nobody else uses on the segment",
)
VRID_IN_USE = Kind(
    code="vrid_in_use",
    title="Two VRRP groups of one segment have one VRID",
    rank=33,
    why="Each takes the other's announcements for its own, and the VIPs vanish in turn.",
    cure="Choose a number from 1 to 255 that nobody else uses on the segment",
)
FQDN_INVALID = Kind(
    code="fqdn_invalid",
    title="The name of a VIP is not a DNS name",
    rank=34,
    why="Certificates and endpoints are made for the name.",
    cure="Use letters, digits, dashes and dots",
)
FQDN_TWICE = Kind(
    code="fqdn_twice",
    title="Two VIPs have one name",
    rank=34,
    why="A name can point to one of them only, so clients reach the wrong one.",
    cure="Give each VIP its own name",
)

FQDN_KEYS: Mapping[VipName, str] = {"internal": "openstack.internal_fqdn", "external": "openstack.external_fqdn", "fmc": "fmc.fqdn"}


def check_vrids(intent: Intent, *, same_segment: bool) -> Iterator[Found]:
    """Kolla has one VRRP group for both of its VIPs, on the API network; the FMC has one on its own."""
    for key, vrid in (("openstack.vrid", intent.openstack.vrid), ("fmc.vrid", intent.fmc.vrid)):
        if not 1 <= vrid <= 255:
            yield VRID_INVALID.of(key, f"{key} is {vrid}; allowed are 1 to 255", path=key)
        if vrid in intent.vrids_in_use:
            yield VRID_IN_USE.of(key, f"{key} is {vrid}, which vrids_in_use gives to others", path=key)
    if same_segment and intent.openstack.vrid == intent.fmc.vrid:
        text = f"openstack.vrid and fmc.vrid are both {intent.fmc.vrid}, on the same network"
        yield VRID_IN_USE.of("fmc.vrid", text, path="fmc.vrid")


def check_fqdns(intent: Intent, fqdns: Mapping[VipName, str]) -> Iterator[Found]:
    seen: dict[str, str] = {}
    for name, fqdn in fqdns.items():
        key = FQDN_KEYS[name]
        if not is_host_name(fqdn):
            yield FQDN_INVALID.of(key, f"{key} is `{fqdn}`", path=key)
            continue
        twin = seen.setdefault(fqdn.lower().rstrip("."), key)
        if twin != key and not (key == "openstack.external_fqdn" and intent.vips.internal and intent.vips.internal == intent.vips.external):
            yield FQDN_TWICE.of(key, f"{twin} and {key} are both {fqdn}", path=key)
