# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One network of the intent: its form is checked here, and its addresses become numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from .intent import Network
from .objections import Found, Kind
from .ranges import Span, common, joined, number, span, spelled, within, without
from .servers import NetworkName

CIDR_MISSING = Kind(
    code="cidr_missing",
    title="A network has no addresses",
    rank=30,
    why="Every server gets an address in each network except external; without a cidr there is none to give.",
    cure="Set cidr, or leave the network out: another one then carries its traffic",
)
CIDR_INVALID = Kind(
    code="cidr_invalid",
    title="A cidr is not a network",
    rank=30,
    why="No address can be taken from it.",
    cure="Write it as first address and prefix length, for example 192.0.2.0/24",
)
CIDR_HOST_BITS = Kind(
    code="cidr_host_bits",
    title="A cidr does not begin at its network's first address",
    rank=31,
    why="Either the address or the prefix length is not what was meant, and each server would get the wrong network.",
    cure="Write the network's first address, or correct the prefix length",
)
GATEWAY_WRONG = Kind(
    code="gateway_wrong",
    title="A gateway is not a host of its network",
    rank=32,
    why="Servers reach a gateway only inside their own network; with a wrong one nothing outside it answers.",
    cure="Set gateway to the router's address in this network",
)
RANGE_INVALID = Kind(
    code="range_invalid",
    title="A range is not part of its network",
    rank=33,
    why="An address from it would not work in this network.",
    cure="Write first-last, one address, or a cidr, from the lower to the higher address, all inside the network",
)
RANGE_HAS_GATEWAY = Kind(
    code="range_has_gateway",
    title="A range has the gateway in it",
    severity="warning",
    rank=75,
    why="No server gets the gateway's address, so the range is smaller than it looks; the switch may have more such addresses.",
    cure="Begin the range behind the gateway, and list what belongs to others under reserved",
)
RESERVED_INVALID = Kind(
    code="reserved_invalid",
    title="A reserved range is not part of its network",
    rank=33,
    why="What it should keep free may be given to a server.",
    cure="Write first-last, one address, or a cidr, from the lower to the higher address, all inside the network",
)


@dataclass(frozen=True, slots=True, eq=False)
class Subnet:
    """`version` is 0 where there are no addresses; `usable` are those that servers and VIPs may get, `ranges` what the operator wrote.

    Each is equal to itself only: a site has one of a name, and wiring.py looks them up for every server.
    """

    name: NetworkName
    vlan: int | None
    mtu: int
    version: int = 0
    first: int = 0
    last: int = -1
    prefix: int = 0
    gateway: int | None = None
    usable: tuple[Span, ...] = ()
    ranges: tuple[Span, ...] = ()
    reserved: tuple[Span, ...] = ()

    @property
    def addressed(self) -> bool:
        return self.version != 0 and self.name != "external"

    @property
    def cidr(self) -> str | None:
        return f"{spelled(self.first, self.version)}/{self.prefix}" if self.version else None

    @property
    def router(self) -> str | None:
        return None if self.gateway is None else spelled(self.gateway, self.version)

    def holds(self, value: int) -> bool:
        return self.first <= value <= self.last

    def is_edge(self, value: int) -> bool:
        """Whether it is the address of the network itself or its broadcast address (RFC 3021 and 6164 have none)."""
        if self.last - self.first < 2:
            return False
        return value == self.first or (self.version == 4 and value == self.last)


def read_subnet(name: NetworkName, given: Network, others: Iterable[tuple[int, int]] = ()) -> tuple[Subnet, list[Found]]:
    """The network with its addresses as numbers; what cannot be used is left out. `others` are foreign hosts, by family and number."""
    plain = Subnet(name=name, vlan=given.vlan, mtu=given.mtu)
    path = f"networks.{name}"
    if given.cidr is None:
        return plain, [] if name == "external" else [CIDR_MISSING.of(path, f"networks.{name} has no cidr", path=f"{path}.cidr")]
    net, found = _network(path, given.cidr)
    if net is None:
        return plain, found
    first, last = int(net.network_address), int(net.broadcast_address)
    bare = Subnet(name=name, vlan=given.vlan, mtu=given.mtu, version=net.version, first=first, last=last, prefix=net.prefixlen)
    gateway = _gateway(path, bare, given.gateway, found)
    ranges = joined(_spans(f"{path}.ranges", bare, given.ranges, RANGE_INVALID, found))
    foreign = [(value, value) for version, value in others if version == bare.version and bare.holds(value) and value != gateway]
    reserved = joined([*_spans(f"{path}.reserved", bare, given.reserved, RESERVED_INVALID, found), *foreign])
    if gateway is not None and within(gateway, ranges):
        found.append(RANGE_HAS_GATEWAY.of(path, f"the ranges of {name} have its gateway {given.gateway} in them", path=f"{path}.ranges"))
    closed = [(value, value) for value in (first, last) if bare.is_edge(value)]
    closed += [(gateway, gateway)] if gateway is not None else []
    usable = without(ranges or [(first, last)], (*closed, *reserved))
    return (
        Subnet(
            name=name,
            vlan=given.vlan,
            mtu=given.mtu,
            version=bare.version,
            first=first,
            last=last,
            prefix=bare.prefix,
            gateway=gateway,
            usable=usable,
            ranges=ranges,
            reserved=reserved,
        ),
        found,
    )


def read_cidr(path: str, text: str) -> tuple[IPv4Network | IPv6Network | None, list[Found]]:
    """A network by its cidr; one with host bits is taken as the network around it."""
    return _network(path.rpartition(".")[0] or path, text, key=path)


def _network(subject: str, text: str, key: str | None = None) -> tuple[IPv4Network | IPv6Network | None, list[Found]]:
    path = key or f"{subject}.cidr"
    try:
        net = ip_network(text, strict=False)
    except ValueError:
        return None, [CIDR_INVALID.of(subject, f"{path} is `{text}`, which is not a network", path=path)]
    if "/" not in text:
        return None, [CIDR_INVALID.of(subject, f"{path} is `{text}`, which has no prefix length", path=path)]
    if net.is_multicast or net.is_loopback or net.is_link_local or net.is_unspecified:
        return None, [CIDR_INVALID.of(subject, f"{path} is {text}, which hosts cannot use as a network of their own", path=path)]
    if number(text.partition("/")[0]) != (net.version, int(net.network_address)):
        return net, [CIDR_HOST_BITS.of(subject, f"{path} is {text}, but the network of that length begins at {net}", path=path)]
    return net, []


def _gateway(path: str, net: Subnet, text: str | None, found: list[Found]) -> int | None:
    if text is None:
        return None
    given = number(text)
    if given is None:
        wrong = f"`{text}`, which is not an address"
    elif given[0] != net.version or not net.holds(given[1]):
        wrong = f"{text}, which is not in {net.cidr}"
    elif net.is_edge(given[1]):
        wrong = f"{text}, which is the network or broadcast address of {net.cidr}"
    else:
        return given[1]
    found.append(GATEWAY_WRONG.of(path, f"{path}.gateway is {wrong}", path=f"{path}.gateway"))
    return None


def _spans(path: str, net: Subnet, texts: Iterable[str], kind: Kind, found: list[Found]) -> list[Span]:
    good = []
    for text in texts:
        given = span(text)
        if given is None:
            wrong = f"`{text}`, which is neither first-last nor an address nor a cidr"
        elif given[1][0] > given[1][1]:
            wrong = f"{text}, whose first address is higher than its last"
        elif given[0] != net.version or not (net.holds(given[1][0]) and net.holds(given[1][1])):
            wrong = f"{text}, which is not inside {net.cidr}"
        else:
            good.append(given[1])
            continue
        found.append(kind.of(path.rpartition(".")[0], f"{path} has {wrong}", path=path))
        if given is not None and given[0] == net.version:
            good += common((given[1],), ((net.first, net.last),))
    return good
