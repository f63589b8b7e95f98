# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of a site: counters from which elements are taken and to which they are given back."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .capacity import width
from .servers import NetworkName, PlannedServer
from .types import CephPlan, FmcPlan, OvnPlan


class Remains(NamedTuple):
    """All that is asked about what is left. `services` are members alive, `hits` the failure domains that lost an OSD, in each zone;
    `links` and `cut` tell of the links that lost ports: how many of how many are left, and the networks that have no port any more."""

    services: tuple[int, ...]
    domains: int
    raw: int
    largest: tuple[int, ...]
    hits: tuple[int, ...]
    guests: int
    links: tuple[tuple[str, int, int], ...]
    cut: tuple[NetworkName, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a server takes with it."""

    server: PlannedServer
    services: tuple[int, ...]
    domain: str
    raw: int
    guests: int
    ports: Mapping[str, int]
    networks: Mapping[str, tuple[NetworkName, ...]]


class State:
    """The site with all servers that are present. Each `shift` is undone by the same one with the other sign."""

    def __init__(self, servers: Sequence[PlannedServer], ceph: CephPlan, ovn: OvnPlan, fmc: FmcPlan) -> None:
        members = members_of(servers, ceph, ovn, fmc)
        self.planned = tuple(len(one) for one in members)
        present = [one for one in servers if one.state == "present"]
        self.facts = [facts_of(one, members, by_rack=ceph.failure_domain == "rack") for one in present]
        self.zones = ceph.stretch_sites or ("",)
        self.tops = max(map(width, ceph.pools), default=0)
        self.services = [0] * len(members)
        self.raw: dict[str, int] = defaultdict(int)
        self.zone_of: dict[str, int] = {}
        for one in self.facts:
            self.raw[one.domain] += one.raw
            self.zone_of[one.domain] = self._zone(one.server)
            for index in one.services:
                self.services[index] += 1
        self.whole = dict(self.raw)
        self.sizes = sorted(amount for amount in self.raw.values() if amount)
        self.total = sum(self.sizes)
        self.hits = [0] * len(self.zones)
        self.guests = sum(one.guests for one in self.facts)
        self.lost_ports: dict[tuple[str, str], int] = {}

    def _zone(self, server: PlannedServer) -> int:
        site = server.location.site or ""
        return self.zones.index(site) if site in self.zones else 0

    def shift_server(self, facts: Facts, sign: int) -> None:
        for index in facts.services:
            self.services[index] += sign
        self.guests += sign * facts.guests
        self.shift_disk(facts, facts.raw, sign)

    def shift_disk(self, facts: Facts, amount: int, sign: int) -> None:
        if not amount:
            return
        domain, old = facts.domain, self.raw[facts.domain]
        new = old + sign * amount
        if old:
            del self.sizes[bisect_left(self.sizes, old)]
        if new:
            insort(self.sizes, new)
        whole = self.whole[domain]
        self.hits[self.zone_of[domain]] += (new < whole) - (old < whole)
        self.raw[domain] = new
        self.total += new - old

    def shift_ports(self, facts: Facts, link: str, sign: int) -> None:
        key = (facts.server.name, link)
        lost = self.lost_ports.get(key, 0) - sign
        if lost:
            self.lost_ports[key] = lost
        else:
            del self.lost_ports[key]

    def remains(self, facts: Facts | None = None) -> Remains:
        """What is left now; `facts` is the server whose ports were taken, if any were."""
        links: tuple[tuple[str, int, int], ...] = ()
        cut: tuple[NetworkName, ...] = ()
        if facts and self.lost_ports:
            found = [(link, facts.ports[link] - lost, facts.ports[link]) for (_, link), lost in self.lost_ports.items()]
            links = tuple(sorted(found))
            cut = tuple(sorted(network for link, left, _ in links if not left for network in facts.networks.get(link, ())))
        return Remains(
            tuple(self.services),
            len(self.sizes),
            self.total,
            tuple(self.sizes[: -self.tops - 1 : -1]),
            tuple(self.hits),
            self.guests,
            links,
            cut,
        )


def members_of(servers: Iterable[PlannedServer], ceph: CephPlan, ovn: OvnPlan, fmc: FmcPlan) -> tuple[frozenset[str], ...]:
    """The servers of each service in the order of SERVICES in loss_effects.py, absent ones too: they count in a majority."""
    roles: dict[str, list[str]] = defaultdict(list)
    for one in servers:
        for role in one.roles:
            roles[role].append(one.name)
    monitors = {*ceph.monitors, ceph.arbiter} - {None}
    chosen: tuple[Iterable[str | None], ...] = (
        monitors,
        roles["control"],
        ovn.databases,
        fmc.servers,
        ceph.managers,
        ceph.object_gateways,
        ceph.metadata_servers,
        roles["network"],
        ovn.gateways,
        roles["compute"],
    )
    return tuple(frozenset(name for name in names if name) for names in chosen)


def facts_of(server: PlannedServer, members: Sequence[frozenset[str]], *, by_rack: bool) -> Facts:
    link_of = {one.name: one.link for one in server.interfaces}
    networks: dict[str, list[NetworkName]] = defaultdict(list)
    for network, interface in server.traffic.items():
        if interface in link_of:
            networks[link_of[interface]].append(network)
    at = server.location
    return Facts(
        server=server,
        services=tuple(index for index, names in enumerate(members) if server.name in names),
        domain=f"{at.site}/{at.rack}" if by_rack and at.rack else server.name,
        raw=sum(one.bytes for one in server.osds),
        guests=server.memory.guests,
        ports=Counter(one.link for one in server.interfaces if one.kind == "physical"),
        networks={link: tuple(names) for link, names in networks.items()},
    )
