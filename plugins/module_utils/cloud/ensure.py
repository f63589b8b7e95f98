# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a compute host to a state: in use, out of use, empty, or unknown to the cloud."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..errors import VitroError, counted, numbered
from .client import Cloud
from .compute import delete_traces, known_service, read_departed, read_guests, read_rooms, read_services, read_traces, write_service
from .drain import Drain, Rules
from .errors import ComputeNotEmpty, ComputeRefused, ComputeRuns
from .guests import Amounts, Guest, Room, place, shortage, way_of

POLL_SECONDS: Final = 3.0
# Nova calls a service down when it has not reported for a minute, by default.
DOWN_SECONDS: Final = 180.0


@dataclass(frozen=True, slots=True)
class Wish:
    """`pause` is how it waits between two looks; whoever has a better way than sleeping says so."""

    host: str
    state: str
    reason: str
    rules: Rules
    pause: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class Outcome:
    """`moves` are made, or in check mode would be; `left` are guests that stay, with the reason."""

    changed: bool = False
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    moves: list[dict[str, str]] = field(default_factory=list)
    left: list[dict[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    error: VitroError | None = None


def ensure_compute(cloud: Cloud, wish: Wish, report: Callable[[str], None], *, check_mode: bool) -> Outcome:
    if wish.state == "absent":
        return _ensure_absent(cloud, wish, report, check_mode=check_mode)
    service = known_service(read_services(cloud), wish.host)
    wanted = wish.state == "enabled"
    outcome = Outcome(before=_shown(service.enabled, service.reason))
    plan = _plan_drain(cloud, wish) if wish.state == "drained" else None
    switch = service.enabled != wanted
    outcome.after = _shown(wanted, wish.reason if switch else service.reason)
    outcome.changed = switch
    if switch and not check_mode:
        write_service(cloud, service, enabled=wanted, reason=wish.reason)
    if plan:
        _drain(cloud, wish, plan, outcome, report, check_mode=check_mode)
    return outcome


@dataclass(frozen=True, slots=True)
class Plan:
    """The guests that are to go and where there is room for each; those that stay; and how many wait to be confirmed elsewhere."""

    going: Sequence[tuple[Guest, str]]
    staying: Sequence[tuple[Guest, str]]
    departed: int


def _plan_drain(cloud: Cloud, wish: Wish) -> Plan:
    rooms, allocations = read_rooms(cloud, wish.host)
    guests = read_guests(cloud, wish.host)
    ways = {one.id: way_of(one, stopped=wish.rules.stopped) for one in guests}
    movable = {one.id: allocations[one.id] for one in guests if ways[one.id][0] in ("live", "cold") and one.id in allocations}
    places = _places(wish.host, movable, rooms)
    going = [(one, places.get(one.id) or "another host") for one in guests if ways[one.id][0] != "no"]
    staying = [(one, ways[one.id][1]) for one in guests if ways[one.id][0] == "no"]
    return Plan(going, staying, len(read_departed(cloud, wish.host)))


def _places(host: str, movable: dict[str, Amounts], rooms: Sequence[Room]) -> dict[str, str | None]:
    """Refused before anything is touched, if the others have no room."""
    if not rooms:
        raise ComputeRefused(f"Cannot empty {host}: it is the last compute host that takes guests")
    places = place(movable, rooms)
    homeless = [guest for guest, found in places.items() if found is None]
    if homeless:
        lacking = f"there is no room for {len(homeless)} of its {counted(len(movable), 'guest')}"
        raise ComputeRefused(
            f"Cannot empty {host}: {lacking}; {shortage(movable, rooms)}", cure="Nothing was changed. Remove guests, or add a compute host"
        )
    return places


def _drain(cloud: Cloud, wish: Wish, plan: Plan, outcome: Outcome, report: Callable[[str], None], *, check_mode: bool) -> None:
    outcome.before["guests"] = sorted(one.label for one, _ in (*plan.going, *plan.staying))
    if check_mode:
        outcome.moves = [{"id": one.id, "name": one.name, "to": to} for one, to in plan.going]
        outcome.left = [{"id": one.id, "name": one.name, "why": why} for one, why in plan.staying]
        outcome.after["guests"] = sorted(one.label for one, _ in plan.staying)
        outcome.changed |= bool(plan.going or plan.departed)
        return
    drain = Drain(cloud, wish.host, wish.rules, report, wish.pause)
    drain.run()
    outcome.moves = [{"id": key, "name": one.name, "to": one.host} for key, one in drain.moved.items()]
    outcome.left = [{"id": key, "name": drain.seen[key].name, "why": why} for key, why in drain.left.items()]
    outcome.after["guests"] = sorted(drain.seen[key].label for key in drain.left)
    outcome.changed |= bool(drain.moved)
    if drain.left:
        reasons = numbered([f"{one['name']} ({one['id']}): {one['why']}" for one in outcome.left])
        outcome.error = ComputeNotEmpty(f"{counted(len(drain.left), 'guest')} of {wish.host} could not be moved: {reasons}")


def _ensure_absent(cloud: Cloud, wish: Wish, report: Callable[[str], None], *, check_mode: bool) -> Outcome:
    traces = read_traces(cloud, wish.host)
    outcome = Outcome(changed=bool(traces.sentences), before={"known": traces.sentences}, after={"known": []}, removed=traces.sentences)
    if not traces.sentences:
        return outcome
    here = [*read_guests(cloud, wish.host), *(one for one, _ in read_departed(cloud, wish.host))]
    if here:
        raise ComputeNotEmpty(
            f"Cannot forget {wish.host}: {counted(len(here), 'guest')} of it are left: {', '.join(one.label for one in here)}"
        )
    if traces.service and not any(one.enabled and one.up for one in read_services(cloud).values() if one.host != wish.host):
        raise ComputeRefused(f"Cannot forget {wish.host}: it is the last compute host that takes guests")
    if not check_mode:
        if traces.service:
            _await_down(cloud, wish, report)
        delete_traces(cloud, traces)
    return outcome


def _await_down(cloud: Cloud, wish: Wish, report: Callable[[str], None]) -> None:
    host = wish.host
    end = time.monotonic() + DOWN_SECONDS
    while (service := read_services(cloud).get(host)) and service.up:
        if time.monotonic() > end:
            raise ComputeRuns(f"Cannot forget {host}: its nova-compute still reports after {DOWN_SECONDS:.0f} s")
        report(f"{host}: waiting until Nova sees that its service is down")
        wish.pause(POLL_SECONDS)


def _shown(enabled: bool, reason: str) -> dict[str, Any]:  # noqa: FBT001 - the one thing that is shown
    return {"service": "enabled" if enabled else f"disabled ({reason})" if reason else "disabled"}
