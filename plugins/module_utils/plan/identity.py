# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which server of the hardware document is which server of the previous plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .intent import Intent
from .machines import Machine
from .objections import Found, Kind
from .servers import PlannedServer
from .types import Plan

OTHER_SITE = Kind(
    code="previous_other_site",
    title="The previous plan is another site's",
    rank=0,
    why="Its names and addresses would be bound to the wrong servers.",
    cure="Point site_plan_document at this site's plan, or set name back to what it was",
)
SERVER_ABSENT = Kind(
    code="server_absent",
    title="A planned server is no longer found",
    severity="warning",
    why="Its name, addresses and places are kept for it, and nothing is moved while it is away.",
    cure="Bring it back; or say what became of it: add its serial to removed, or to replaced with the serial of the one in its place",
)
REPLACEMENT_UNCLEAR = Kind(
    code="replacement_unclear",
    title="A new server stands where a planned one is missing",
    rank=20,
    why="It could take over from the missing one, or be a new one beside it; a guess could bind names and data to the wrong server.",
    cure="Say it in replaced (old serial: new serial), or say that the old one is gone in removed",
)
REPLACEMENT_MISSING = Kind(
    code="replacement_missing",
    title="A replacement is not in the hardware document",
    rank=20,
    why="Name and addresses of the old server would be bound to nothing.",
    cure="Discover the new server first, or correct its serial",
)
REPLACEMENT_TAKEN = Kind(
    code="replacement_taken",
    title="A replacement already has a place of its own",
    rank=20,
    why="One server cannot have two names.",
    cure="Name a server that is not in the plan yet, or remove that one from the plan first",
)
REPLACED_UNKNOWN = Kind(
    code="replaced_unknown",
    title="A server that is not in the previous plan is said to be replaced",
    severity="warning",
    why="It has no effect, and may be a mistyped serial.",
    cure="Correct the serial, or take the entry out",
)
REMOVED_PRESENT = Kind(
    code="removed_present",
    title="A removed server is still found",
    severity="warning",
    why="It is left out of the plan, though it stands there and answers.",
    cure="Take its BMC out of bmc.yml, or take it out of removed to plan with it again",
)
EXCLUDED_PLANNED = Kind(
    code="excluded_planned",
    title="A planned server is excluded",
    rank=20,
    why="It may hold data and quorum members, which exclude does not move away.",
    cure="Empty it first (ceph_remove_host, replacement of its quorum members) and then add its serial to removed",
)


@dataclass(frozen=True, slots=True)
class Identity:
    """`before` has the previous record of a machine, by the machine's id; `absent` are the records of servers that are not found.

    `planned` are all servers of the previous plan, also those that are removed by now.
    """

    machines: tuple[Machine, ...]
    planned: tuple[PlannedServer, ...] = ()
    before: Mapping[str, PlannedServer] = field(default_factory=dict)
    absent: tuple[PlannedServer, ...] = ()


def identify(machines: Sequence[Machine], intent: Intent, previous: Plan | None, seen: Mapping[str, bool]) -> tuple[Identity, list[Found]]:
    """`seen` tells for every id in the hardware document whether it is excluded, also for servers that cannot be planned with."""
    there = {one.id for one in machines}
    removed = {*intent.removed, *(old for old, new in intent.replaced.items() if new in there)}
    found = [
        REMOVED_PRESENT.of(one.label, f"{one.label} is in removed or replaced, and in the hardware document")
        for one in machines
        if one.id in removed
    ]
    here = {one.id: one for one in machines if one.id not in removed}
    if previous is None:
        return Identity(machines=tuple(here.values())), found
    planned = {one.id: one for one in previous.servers}
    found += _unknown(intent, planned, here)
    before: dict[str, PlannedServer] = {}
    absent = []
    spares = {one.id for one in previous.servers if one.roles == ("spare",) and one.id in intent.replaced.values()}
    # Spares come last: one that took over for another has no place of its own any more.
    for old in sorted(previous.servers, key=lambda one: one.id in spares):
        if old.id in intent.removed or (old.id in spares and old.id in before):
            continue
        successor = intent.replaced.get(old.id)
        free = successor in here and successor not in before and (successor not in planned or successor in spares)
        if successor is not None and not free:
            found += _against_successor(old, successor, here, {**planned, **before}, intent.removed)
        now = successor if successor and free else old.id
        if now in here:
            before[now] = old
        else:
            absent.append(old)
            found += _why_absent(old, seen)
    found += _unclear(absent, [one for one in here.values() if one.id not in before])
    return Identity(machines=tuple(here.values()), planned=previous.servers, before=before, absent=tuple(absent)), found


def _unknown(intent: Intent, planned: Mapping[str, PlannedServer], here: Mapping[str, Machine]) -> Iterator[Found]:
    for old, new in sorted(intent.replaced.items()):
        if old not in planned and new not in planned and new not in here:
            yield REPLACED_UNKNOWN.of(old, f"replaced names {old}, and neither it nor {new} is known", path=f"replaced.{old}")


def _against_successor(
    old: PlannedServer, new: str, here: Mapping[str, Machine], planned: Mapping[str, PlannedServer], removed: Sequence[str]
) -> Iterator[Found]:
    path = f"replaced.{old.id}"
    if new in removed:
        said = f"{old.name} ({old.id}) shall be replaced by {new}, which is in removed"
        yield REPLACEMENT_MISSING.of(old.name, said, cure=f"Take {new} out of removed", path=path)
    elif new not in here:
        yield REPLACEMENT_MISSING.of(old.name, f"{old.name} ({old.id}) shall be replaced by {new}, which is not found", path=path)
    elif new in planned:
        yield REPLACEMENT_TAKEN.of(old.name, f"{old.name} ({old.id}) shall be replaced by {new}, which is {planned[new].name}", path=path)


def _why_absent(old: PlannedServer, seen: Mapping[str, bool]) -> Iterator[Found]:
    if seen.get(old.id):
        yield EXCLUDED_PLANNED.of(old.name, f"{old.name} ({old.id}) is in the plan, and exclude leaves it out", path="exclude")
    elif old.id not in seen:
        yield SERVER_ABSENT.of(old.name, f"{old.name} ({old.id}) is in the plan and not in the hardware document")


def _unclear(absent: Sequence[PlannedServer], new: Sequence[Machine]) -> Iterator[Found]:
    """A new server in the rack unit, or behind the BMC address, of one that is missing."""
    places: dict[tuple[str | None, str | None, int | None], PlannedServer] = {
        (one.location.site, one.location.rack, one.location.unit): one for one in absent if one.location.unit is not None
    }
    addresses = {one.bmc: one for one in absent}
    for machine in new:
        at = machine.server.location
        old = places.get((at.site, at.rack, at.unit)) or addresses.get(machine.server.bmc.address)
        if old:
            yield REPLACEMENT_UNCLEAR.of(
                machine.id,
                f"{machine.id} stands in the place of {old.name} ({old.id}), which is missing",
                cure=f"Say either `replaced: {{{old.id}: {machine.id}}}`, so that it takes over, or `removed: [{old.id}]`",
            )
