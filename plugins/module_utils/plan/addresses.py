# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of servers: given once, kept for ever.

A server has the same host number in all its networks wherever that can be: a new one gets the lowest number that is free in all of them,
and one that is new only to some networks gets the number it has elsewhere. Where that is not free, each network gives its own lowest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .address_checks import ADDRESS_TWICE, ADDRESS_WOULD_MOVE, BMC_CURE, RANGE_EXHAUSTED
from .amounts import listed
from .links import MAIN
from .machines import Machine
from .networks import Networking
from .objections import Found
from .ranges import common, free, number, size, spelled, within
from .servers import Address, NetworkName, PlannedServer
from .subnets import Subnet

Numbers = dict[NetworkName, int]
BMC = "is a BMC's"


def plan_addresses(
    order: Sequence[Machine],
    networking: Networking,
    before: Mapping[str, PlannedServer],
    absent: Sequence[PlannedServer],
    taken: Mapping[NetworkName, Collection[int]],
    *,
    allow_moves: bool,
    closed: Collection[str] = (),
) -> tuple[dict[str, dict[NetworkName, Address]], list[Found]]:
    """The addresses of each server by its id, those of absent ones among them. `taken` are VIPs, `closed` the addresses of further BMCs:
    those of servers that are not planned."""
    pool = _Pool({one.name: one for one in networking.addressed}, {name: frozenset(vips) for name, vips in taken.items()})
    pool.close([*(one.server.bmc.address for one in order), *(one.bmc for one in absent), *closed])
    given: dict[str, Numbers] = {}
    for machine in order:
        old = before.get(machine.id)
        given[machine.id] = pool.bind(machine.label, old, move=allow_moves) if old is not None else {}
    for server in sorted(absent, key=lambda one: one.name):
        given[server.id] = pool.bind(f"{server.name} ({server.id})", server, move=False)
    for some in (True, False):
        for machine in order:
            if bool(given[machine.id]) is some:
                pool.complete(machine.label, given[machine.id])
    nets = [(net, _route_mtu(net, networking)) for net in pool.nets.values()]
    return {one: _spelled(numbers, nets) for one, numbers in given.items()}, list(pool.findings())


def _route_mtu(net: Subnet, networking: Networking) -> int | None:
    """The MTU of a network without a VLAN, if other networks of its link give the interface a larger one. The external network counts for
    `main`, over which it goes where ports are few."""
    if net.vlan is not None:
        return None
    link = networking.home[net.name]
    shared = [one.mtu for one in networking.own.values() if networking.home[one.name] == link]
    if networking.default_links and link == MAIN and networking.own["external"].vlan is not None:
        shared.append(networking.own["external"].mtu)
    return net.mtu if max(shared) > net.mtu else None


@dataclass(slots=True)
class _Pool:
    """What is left in each network while addresses are given."""

    nets: Mapping[NetworkName, Subnet]
    vips: Mapping[NetworkName, frozenset[int]]
    used: dict[NetworkName, set[int]] = field(init=False)
    bmcs: set[int] = field(default_factory=set)
    owners: dict[tuple[NetworkName, int], str] = field(default_factory=dict)
    moved: dict[tuple[NetworkName, str], list[str]] = field(default_factory=dict)
    missing: dict[NetworkName, list[str]] = field(default_factory=dict)
    doubles: list[Found] = field(default_factory=list)
    together: Iterator[int] = field(init=False)
    alone: dict[NetworkName, Iterator[int]] = field(init=False)

    def __post_init__(self) -> None:
        """Numbers are counted from the start of each network, so that one number can be free in all."""
        self.used = {name: {value - net.first for value in self.vips.get(name, ())} for name, net in self.nets.items()}
        usable = {name: tuple((first - net.first, last - net.first) for first, last in net.usable) for name, net in self.nets.items()}
        shared = None
        for spans in usable.values():
            shared = spans if shared is None else common(shared, spans)
        self.together = free(shared or (), *self.used.values())
        self.alone = {name: free(spans, self.used[name]) for name, spans in usable.items()}

    def close(self, bmcs: Sequence[str]) -> None:
        """BMCs that are in a network of the servers keep their addresses."""
        for value in filter(None, map(number, bmcs)):
            for name, net in self.nets.items():
                if value[0] == net.version and net.holds(value[1]):
                    self.bmcs.add(value[1])
                    self.used[name].add(value[1] - net.first)

    def bind(self, label: str, server: PlannedServer, *, move: bool) -> Numbers:
        """What the server had stays its own, unless it no longer fits and may move."""
        kept: Numbers = {}
        for one in (address for interface in server.interfaces for address in interface.addresses):
            net, value = self.nets.get(one.network), number(one.cidr.partition("/")[0])
            if net is None or value is None:
                continue
            misfit = self._misfit(net, value)
            if misfit and not move:
                self.moved.setdefault((net.name, misfit), []).append(f"{label} has {one.cidr.partition('/')[0]}")
            if (misfit and move) or value[0] != net.version:
                continue
            owner = self.owners.setdefault((net.name, value[1]), label)
            if owner != label:
                self.doubles.append(ADDRESS_TWICE.of(label, f"{one.cidr} in {net.name} was planned for {owner} as well"))
                continue
            kept[net.name] = value[1] - net.first
            self.used[net.name].add(kept[net.name])
        return kept

    def _misfit(self, net: Subnet, value: tuple[int, int]) -> str:
        """Why an address that was given does not fit what the intent says now."""
        version, address = value
        if version != net.version or not net.holds(address):
            return f"is not in {net.cidr}"
        if address == net.gateway:
            return "is the gateway"
        if address in self.vips.get(net.name, ()):
            return "is a VIP"
        if address in self.bmcs:
            return BMC
        if within(address, net.reserved):
            return "is reserved"
        return "" if within(address, net.usable) else "is not in the ranges"

    def complete(self, label: str, numbers: Numbers) -> None:
        """Give the server an address in each network where it has none."""
        lacking = [name for name in self.nets if name not in numbers]
        if not lacking:
            return
        if len(lacking) == len(self.nets):
            wanted = next(self.together, None)
        else:
            wanted = next(numbers[name] for name in self.nets if name in numbers)
            if not all(self._is_free(name, wanted) for name in lacking):
                wanted = None
        for name in lacking:
            value = wanted if wanted is not None else next(self.alone[name], None)
            if value is None:
                self.missing.setdefault(name, []).append(label)
                continue
            numbers[name] = value
            self.used[name].add(value)

    def _is_free(self, name: NetworkName, value: int) -> bool:
        net = self.nets[name]
        return value not in self.used[name] and within(value + net.first, net.usable)

    def findings(self) -> Iterator[Found]:
        for (name, misfit), cases in self.moved.items():
            text = f"an address in {name} that was given {misfit}: {listed(cases)}"
            if misfit == BMC:
                yield ADDRESS_WOULD_MOVE.of(f"networks.{name}", text, cure=BMC_CURE)
            else:
                yield ADDRESS_WOULD_MOVE.of(f"networks.{name}", text, path=f"networks.{name}")
        for name, labels in self.missing.items():
            there = size(self.nets[name].usable)
            text = f"{name} has {there} addresses for servers and VIPs, {len(labels)} are missing: {listed(labels)} get none"
            yield RANGE_EXHAUSTED.of(f"networks.{name}", text, path=f"networks.{name}.ranges")
        yield from self.doubles


def _spelled(numbers: Numbers, nets: Sequence[tuple[Subnet, int | None]]) -> dict[NetworkName, Address]:
    addresses: dict[NetworkName, Address] = {}
    for net, mtu in nets:
        if net.name in numbers:
            cidr = f"{spelled(net.first + numbers[net.name], net.version)}/{net.prefix}"
            addresses[net.name] = Address(network=net.name, cidr=cidr, gateway=net.router if net.name == "management" else None, mtu=mtu)
    return addresses
