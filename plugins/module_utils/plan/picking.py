# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How servers are picked for a role that not all of them have: who had it stays, pins come next, then a spread over racks."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .machines import Machine, matches_any
from .selectors import RoleRule

Place = tuple[str | int | None, ...]
Places = tuple[Place, ...]
Order = tuple[tuple[int | str, ...], int]
Rank = Callable[[Machine], tuple[int | str, ...]]


@dataclass(frozen=True, slots=True)
class Picked:
    """`dropped` had the role and cannot keep it; `pinned` is how many the rule demands."""

    machines: tuple[Machine, ...]
    dropped: tuple[Machine, ...] = ()
    pinned: int = 0


def no_rank(_machine: Machine) -> tuple[int | str, ...]:
    return ()


def allowed(rule: RoleRule, machines: Iterable[Machine]) -> list[Machine]:
    """Those that the rule lets have the role; a pin is a permission too."""
    return [
        one
        for one in machines
        if not matches_any(one.server, one.name, rule.never)
        and (not rule.only or matches_any(one.server, one.name, rule.only) or matches_any(one.server, one.name, rule.pin))
    ]


def pick(rule: RoleRule, machines: Sequence[Machine], count: int, had: Callable[[Machine], bool], rank: Rank = no_rank) -> Picked:
    """So many of the machines. The order of the machines decides last, so the same site gives the same answer."""
    may = allowed(rule, machines)
    order = {one.id: (rank(one), position) for position, one in enumerate(machines)}
    kept = {one.id: one for one in may if rule.pin and matches_any(one.server, one.name, rule.pin)}
    pinned = len(kept)
    used = Counter(place for one in kept.values() for place in _places(one))
    for group in ([one for one in may if had(one)], may):
        for one in _spread([one for one in group if one.id not in kept], used, order, count - len(kept)):
            kept[one.id] = one
    dropped = tuple(one for one in machines if had(one) and one.id not in kept)
    return Picked(machines=tuple(one for one in machines if one.id in kept), dropped=dropped, pinned=pinned)


def _spread(machines: Sequence[Machine], used: Counter[Place], order: Mapping[str, Order], count: int) -> Iterator[Machine]:
    """One after the other from the site, rack and unit that have the fewest. Places only fill up, so an old turn comes too early."""
    waiting = defaultdict[Places, list[Machine]](list)
    for one in sorted(machines, key=lambda one: order[one.id], reverse=True):
        waiting[_places(one)].append(one)

    def turn(at: Places) -> tuple[tuple[int, ...], Order, Places]:
        return tuple(used[place] for place in at), order[waiting[at][-1].id], at

    heap = [turn(at) for at in waiting]
    heapq.heapify(heap)
    while heap and count > 0:
        first = heapq.heappop(heap)
        at = first[-1]
        if turn(at) != first:
            heapq.heappush(heap, turn(at))
            continue
        yield waiting[at].pop()
        count -= 1
        used.update(at)
        if waiting[at]:
            heapq.heappush(heap, turn(at))


def _places(machine: Machine) -> Places:
    """Its site, its rack there, and its unit, which the nodes of one chassis share: what a spread looks at first, and next."""
    at = machine.server.location
    return (at.site,), (at.site, at.rack), (at.site, at.rack, at.unit)
