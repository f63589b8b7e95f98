# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How servers are picked for a role that not all of them have: who had it stays, pins come next, then a spread over racks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .machines import Machine, matches_any
from .selectors import RoleRule

Place = tuple[str | None, ...]
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
    stay = [one for one in may if had(one)]
    pins = [one for one in may if rule.pin and matches_any(one.server, one.name, rule.pin)]
    chosen = {one.id: one for one in (*pins, *stay)}
    kept = list(chosen.values())[: max(count, len(pins))]
    order = {one.id: (rank(one), position) for position, one in enumerate(machines)}
    used = Counter(place for one in kept for place in _places(one))
    rest = defaultdict[tuple[Place, Place], list[Machine]](list)
    for one in sorted((one for one in may if one.id not in chosen), key=lambda one: order[one.id], reverse=True):
        rest[_places(one)].append(one)
    while len(kept) < count and rest:
        at = min(rest, key=lambda places: (*(used[place] for place in places), order[rest[places][-1].id]))
        kept.append(rest[at].pop())
        used.update(at)
        if not rest[at]:
            del rest[at]
    names = {one.id for one in kept}
    dropped = tuple(one for one in machines if had(one) and one.id not in names)
    return Picked(machines=tuple(one for one in machines if one.id in names), dropped=dropped, pinned=len(pins))


def _places(machine: Machine) -> tuple[Place, Place]:
    """Its site, and its rack there: what a spread looks at first, and next."""
    at = machine.server.location
    return (at.site,), (at.site, at.rack)
