# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""VIPs: given by the operator or taken from the end of the ranges, and kept for ever."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .intent import Intent
from .networks import Networking
from .objections import Found
from .ranges import last_free, number, spelled, within, without
from .servers import Address, NetworkName
from .subnets import Subnet
from .types import Vip
from .vip_checks import (
    NO_ROOM_FOR_VIP,
    VIP_EMPTY,
    VIP_FLOATING,
    VIP_IN_USE,
    VIP_INVALID,
    VIP_OUTSIDE,
    VIP_RESERVED,
    VIP_UNUSABLE,
    VIP_WOULD_MOVE,
    VIPS_EQUAL,
    VipName,
    check_fqdns,
    check_vrids,
)

VIP_NETWORKS: Final[Mapping[VipName, NetworkName]] = {"internal": "api", "external": "public", "fmc": "fmc"}
# By default: the host part of the name under which people and services find it.
HOSTS: Final[Mapping[VipName, str]] = {"internal": "api-int", "external": "api", "fmc": "fmc"}


@dataclass(frozen=True, slots=True)
class _Wish:
    """A VIP before its address is certain: what the intent says and what the previous plan had, as numbers in the network's family."""

    name: VipName
    net: Subnet
    text: str | None
    given: int | None
    old: int | None


def given_vips(intent: Intent, networking: Networking, before: Sequence[Vip] = ()) -> dict[NetworkName, frozenset[int]]:
    """The addresses that servers must not get, by the network that has them: VIPs of the intent and those of the previous plan."""
    taken: dict[NetworkName, frozenset[int]] = {}
    for wish in _wishes(intent, networking, before):
        mine = {one for one in (wish.given, wish.old if wish.text is None else None) if one is not None and wish.net.holds(one)}
        taken[wish.net.name] = taken.get(wish.net.name, frozenset()) | mine
    return taken


def plan_vips(
    intent: Intent,
    networking: Networking,
    loadbalancers: Sequence[str],
    fmc_servers: Sequence[str],
    before: Sequence[Vip],
    server_addresses: Mapping[str, Mapping[NetworkName, Address]],
    bmcs: Collection[str] = (),
) -> tuple[tuple[Vip, ...], list[Found]]:
    """The three VIPs, as far as there are addresses for them, and everything that speaks against them."""
    found: list[Found] = []
    nets = {networking.carriers[one] for one in VIP_NETWORKS.values()}
    owners = {(net, bmc): f"the BMC {bmc}" for bmc in bmcs for net in nets} | _owners(server_addresses, nets)
    may_move = "addresses" in intent.allow_moves
    chosen: dict[VipName, int] = {}
    wishes = list(_wishes(intent, networking, before))
    closed = {(one.net.name, value) for one in wishes for value in (one.given, one.old) if value is not None}
    for wish in wishes:
        found += _against(wish, networking, owners)
        value, against = _settled(wish, networking, owners, closed, may_move=may_move)
        found += against
        if value is not None:
            chosen[wish.name] = value
            closed.add((wish.net.name, value))
    found += _equal(intent, networking, chosen)
    fqdns = vip_names(intent)
    found += check_fqdns(intent, fqdns)
    found += check_vrids(intent, same_segment=networking.carriers["api"] == networking.carriers["fmc"])
    return tuple(_vip(intent, networking, name, value, fqdns, loadbalancers, fmc_servers) for name, value in chosen.items()), found


def vip_names(intent: Intent) -> dict[VipName, str]:
    """The FQDN of each VIP."""
    wanted: dict[VipName, str | None] = {
        "internal": intent.openstack.internal_fqdn,
        "external": intent.openstack.external_fqdn,
        "fmc": intent.fmc.fqdn,
    }
    return {name: f"{HOSTS[name]}.{intent.domain}" if fqdn is None else fqdn for name, fqdn in wanted.items()}


def _vip(
    intent: Intent,
    networking: Networking,
    name: VipName,
    value: int,
    fqdns: Mapping[VipName, str],
    loadbalancers: Sequence[str],
    fmc_servers: Sequence[str],
) -> Vip:
    net = networking.of(VIP_NETWORKS[name])
    return Vip(
        name=name,
        address=spelled(value, net.version),
        prefix=net.prefix,
        network=VIP_NETWORKS[name],
        fqdn=fqdns[name],
        vrid=intent.fmc.vrid if name == "fmc" else intent.openstack.vrid,
        servers=tuple(fmc_servers if name == "fmc" else loadbalancers),
    )


def _wishes(intent: Intent, networking: Networking, before: Sequence[Vip]) -> Iterator[_Wish]:
    old = {one.name: number(one.address) for one in before}
    for name, network in VIP_NETWORKS.items():
        net, text = networking.of(network), getattr(intent.vips, name)
        given, kept = number(text) if text else None, old.get(name)
        yield _Wish(
            name=name,
            net=net,
            text=text,
            given=given[1] if given is not None and given[0] == net.version else None,
            old=kept[1] if kept is not None and kept[0] == net.version else None,
        )


def _owners(servers: Mapping[str, Mapping[NetworkName, Address]], nets: set[NetworkName]) -> dict[tuple[NetworkName, str], str]:
    """Which server has which address, in the networks that have VIPs; as text, for there are thousands and three are looked up."""
    return {
        (name, one.cidr.partition("/")[0]): f"the server {server}"
        for server, addresses in servers.items()
        for name, one in addresses.items()
        if name in nets
    }


def _against(wish: _Wish, networking: Networking, owners: Mapping[tuple[NetworkName, str], str]) -> Iterator[Found]:
    """What is wrong with a VIP that the intent gives."""
    if wish.text is None:
        return
    path, net, text = f"vips.{wish.name}", wish.net, wish.text
    if not text.strip():
        yield VIP_EMPTY.of(path, f"{path} is empty", path=path)
    elif number(text) is None:
        yield VIP_INVALID.of(path, f"{path} is `{text}`, which is not an address", path=path)
    elif net.version and wish.given is None:
        yield VIP_INVALID.of(path, f"{path} is {text}, but {net.name} has IPv{net.version} addresses", path=path)
    elif wish.given is not None:
        yield from _misplaced(path, text, wish.given, net, networking.own["external"])
        owner = owners.get((net.name, spelled(wish.given, net.version)))
        if owner is not None:
            yield VIP_IN_USE.of(path, f"{path} is {text}, the address of {owner} in {net.name}", path=path)


def _misplaced(path: str, text: str, value: int, net: Subnet, external: Subnet) -> Iterator[Found]:
    if not net.holds(value):
        yield VIP_OUTSIDE.of(path, f"{path} is {text}, which is not in {net.cidr}, the network {net.name}", path=path)
    elif value == net.gateway:
        yield VIP_UNUSABLE.of(path, f"{path} is {text}, which is the gateway of {net.name}", path=path)
    elif net.is_edge(value):
        yield VIP_UNUSABLE.of(path, f"{path} is {text}, which is the network or broadcast address of {net.cidr}", path=path)
    if within(value, net.reserved):
        yield VIP_RESERVED.of(
            path, f"{path} is {text}, which belongs to others: it is in networks.{net.name}.reserved, dns, ntp or registry", path=path
        )
    if external.version == net.version and within(value, external.ranges):
        yield VIP_FLOATING.of(path, f"{path} is {text}, which networks.external.ranges gives to guests", path=path)


def _settled(
    wish: _Wish,
    networking: Networking,
    owners: Mapping[tuple[NetworkName, str], str],
    closed: set[tuple[NetworkName, int]],
    *,
    may_move: bool,
) -> tuple[int | None, list[Found]]:
    """The address a VIP gets: the one it had, unless the intent gives another and lets it move."""
    net, path = wish.net, f"vips.{wish.name}"
    if not net.version:
        return None, []
    if wish.old is not None:
        before = spelled(wish.old, net.version)
        moves = wish.given is not None and wish.given != wish.old
        stale = wish.text is None and not _fits(wish.old, net, owners)
        if not (moves or stale):
            return wish.old, []
        if not may_move:
            now = f"the intent says {wish.text}" if moves else f"that does not fit {net.name} any more"
            return wish.old, [VIP_WOULD_MOVE.of(path, f"the {wish.name} VIP was {before}, {now}", path=path)]
    if wish.text is not None:
        return wish.given, []
    external = networking.own["external"]
    floating = external.ranges if external.version == net.version else ()
    spans = without(net.usable, floating)
    value = last_free(spans, lambda one: (net.name, one) in closed or (net.name, spelled(one, net.version)) in owners)
    if value is None:
        text = f"{net.name} has no address left for the {wish.name} VIP"
        return None, [NO_ROOM_FOR_VIP.of(path, text, path=f"networks.{net.name}.ranges")]
    return value, []


def _fits(value: int, net: Subnet, owners: Mapping[tuple[NetworkName, str], str]) -> bool:
    return within(value, net.usable) and (net.name, spelled(value, net.version)) not in owners


def _equal(intent: Intent, networking: Networking, chosen: Mapping[VipName, int]) -> Iterator[Found]:
    """Internal and external may be one address, but not when only one of them has TLS; the FMC's is always its own."""
    seen: dict[tuple[int, int], VipName] = {}
    for name, value in chosen.items():
        twin = seen.setdefault((networking.of(VIP_NETWORKS[name]).version, value), name)
        if twin == name or (name == "external" and intent.openstack.tls != "external"):
            continue
        why = " and openstack.tls is `external`" if name == "external" else ""
        path = f"vips.{name}"
        yield VIPS_EQUAL.of(path, f"the VIPs {twin} and {name} are both {getattr(intent.vips, name)}{why}", path=path)
