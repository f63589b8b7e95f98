# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the site survives: each server, rack, site, disk, port and adapter is taken away once, and what is left is looked at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from .loss_effects import Judge
from .loss_state import Facts, Remains, State
from .servers import PlannedServer
from .types import CephPlan, FmcPlan, Loss, OvnPlan

Kind = Literal["server", "rack", "site", "disk", "port", "adapter"]
KINDS: tuple[Kind, ...] = ("server", "rack", "site", "disk", "port", "adapter")
Taken = tuple[Kind, str, str, Remains]

MIRRORED = "the other disk of the mirror carries on"
NOT_MIRRORED = "the server stops until it is installed again: its operating system has no mirror"


def plan_losses(servers: Sequence[PlannedServer], ceph: CephPlan, ovn: OvnPlan, fmc: FmcPlan) -> tuple[Loss, ...]:
    """Every loss of one element of the servers that are present; elements whose loss does the same are one."""
    state = State(servers, ceph, ovn, fmc)
    judge = Judge(before=state.remains(), planned=state.planned, pools=ceph.pools, full_percent=ceph.full_percent)
    same: dict[tuple[Kind, str, Remains], list[str]] = defaultdict(list)
    for kind, what, note, remains in taken(state):
        same[kind, note, remains].append(what)
    groups: dict[tuple[Kind, bool, tuple[str, ...]], list[str]] = defaultdict(list)
    for (kind, note, remains), names in same.items():
        ok, effects = judge.verdict(remains)
        groups[kind, ok, (note, *effects) if note else effects] += names
    losses = [
        Loss(kind=kind, what=tuple(sorted(names)), ok=ok, effects=effects or ("nothing that runs notices",))
        for (kind, ok, effects), names in groups.items()
    ]
    return tuple(sorted(losses, key=lambda one: (KINDS.index(one.kind), one.ok, one.what)))


def taken(state: State) -> Iterator[Taken]:
    """Takes each element away, tells what is left, and gives it back."""
    yield from _places(state)
    for facts in state.facts:
        yield from _disks(state, facts)
        yield from _ports(state, facts)


def _places(state: State) -> Iterator[Taken]:
    groups: dict[tuple[Kind, str], list[Facts]] = defaultdict(list)
    sites = {one.server.location.site for one in state.facts} - {None}
    for facts in state.facts:
        at = facts.server.location
        groups["server", facts.server.name].append(facts)
        if at.rack:
            groups["rack", f"{at.site}/{at.rack}" if len(sites) > 1 else at.rack].append(facts)
        if at.site and len(sites) > 1:
            groups["site", at.site].append(facts)
    for (kind, name), members in groups.items():
        for facts in members:
            state.shift_server(facts, -1)
        yield kind, name, "", state.remains()
        for facts in members:
            state.shift_server(facts, 1)


def _disks(state: State, facts: Facts) -> Iterator[Taken]:
    server = facts.server
    databases: dict[str, list[int]] = defaultdict(list)
    seen: dict[int, Remains] = {}
    for osd in server.osds:
        if osd.database:
            databases[osd.database].append(osd.bytes)
        # Disks of one size in one server leave the same behind, so one of them is enough.
        remains = seen.get(osd.bytes)
        if remains is None:
            remains = seen[osd.bytes] = _without(state, facts, osd.bytes)
        yield "disk", f"{server.name} {osd.serial}", "", remains
    for serial, amounts in databases.items():
        note = f"{len(amounts)} OSDs lose their database and are made anew"
        yield "disk", f"{server.name} {serial}", note, _without(state, facts, sum(amounts))
    system = server.os_disk
    if system is None:
        return
    if len(system.serials) > 1 and system.redundant:
        remains = state.remains()
        for serial in system.serials:
            yield "disk", f"{server.name} {serial}", MIRRORED, remains
    else:
        state.shift_server(facts, -1)
        remains = state.remains()
        state.shift_server(facts, 1)
        for serial in system.serials:
            yield "disk", f"{server.name} {serial}", NOT_MIRRORED, remains


def _without(state: State, facts: Facts, amount: int) -> Remains:
    state.shift_disk(facts, amount, -1)
    remains = state.remains()
    state.shift_disk(facts, amount, 1)
    return remains


def _ports(state: State, facts: Facts) -> Iterator[Taken]:
    """A port is as good as any other of its link, so one of them is taken."""
    adapters: dict[str, Counter[str]] = defaultdict(Counter)
    name = facts.server.name
    alone = {link: _without_ports(state, facts, {link: 1}) for link in facts.ports}
    for one in facts.server.interfaces:
        if one.kind != "physical":
            continue
        yield "port", f"{name} {one.name}", "", alone[one.link]
        if one.adapter:
            adapters[one.adapter][one.link] += 1
    for adapter, links in adapters.items():
        yield "adapter", f"{name} {adapter}", "", _without_ports(state, facts, links)


def _without_ports(state: State, facts: Facts, links: Mapping[str, int]) -> Remains:
    for link, number in links.items():
        state.shift_ports(facts, link, -number)
    remains = state.remains(facts)
    for link, number in links.items():
        state.shift_ports(facts, link, number)
    return remains
