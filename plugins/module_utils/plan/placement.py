# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the daemons of Ceph stand, and what counts as one failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..bmc.hardware import Location
from .amounts import listed
from .identity import Identity
from .intent import Intent
from .machines import Machine
from .objections import Found, Kind
from .picking import pick
from .selectors import RoleRule
from .servers import Role
from .types import CephPlan, Choice, FailureDomain, Plan

FEWEST_MONITORS = 3
MANY_MONITORS = 5
# Ceph's own advice, and what cephadm does: five monitors as soon as there are five servers.
SERVERS_FOR_MANY = 5
GATEWAYS = 3
STRETCHED = 4
# A rack with less than this part of the largest one would leave most of that one unusable.
LEAST_PART = 0.5

MONITOR_COUNT = Kind(
    code="monitor_count",
    title="The number of monitors is even, or too small",
    rank=10,
    why="Ceph's monitors decide by majority: fewer than three survive no loss, an even number no more than one less.",
    cure="Use 3 or 5, or leave ceph.monitors out",
)
MONITORS_MANY = Kind(
    code="monitors_too_many",
    title="There are more monitors than servers for them",
    rank=10,
    why="Each monitor stands on a server of its own that holds OSDs.",
    cure="Lower ceph.monitors, or give more servers the role storage",
    follows=("too_few_servers", "too_few_storage"),
)
MONITOR_WOULD_MOVE = Kind(
    code="monitor_would_move",
    title="A monitor would leave its place",
    rank=20,
    why="Clients know the monitors by their addresses; moving one is a step of its own, done while all others are up.",
    cure="Undo the change, or add `monitors` to allow_moves and run the playbook ceph afterwards, before anything else",
)
DOMAIN_TOO_FEW = Kind(
    code="failure_domain_too_few",
    title="There are too few racks for the failure domain",
    rank=10,
    why="Each copy of an object lies in another failure domain.",
    cure="Use failure_domain: server, or tell the racks of all storage servers",
)
DOMAIN_WOULD_MOVE = Kind(
    code="failure_domain_would_move",
    title="The failure domain would change",
    rank=20,
    why="Ceph would move most of its data at once.",
    cure="Set failure_domain back, or add `osds` to allow_moves and expect days of recovery",
)

RACK_CHANGED = Kind(
    code="rack_changed",
    title="A storage server stands in another rack",
    severity="warning",
    rank=20,
    why="The rack is the failure domain: Ceph moves the server's data, and what fits may become less.",
    cure="Put the server back, correct its rack in bmc.yml, or expect a recovery",
)
STRETCH_COPIES = Kind(
    code="stretch_copies",
    title="A stretched cluster does not have four copies",
    rank=10,
    why="Ceph's stretch mode keeps two copies in each data site, so that one whole site can go.",
    cure="Set ceph.copies to 4, and copies of every pool",
)


@dataclass(frozen=True, slots=True)
class Placement:
    """Names of servers. `domain_of` gives the failure domain of a storage server, by its name."""

    failure_domain: FailureDomain
    domain_of: Mapping[str, str]
    monitors: tuple[str, ...]
    managers: tuple[str, ...]
    object_gateways: tuple[str, ...]
    metadata_servers: tuple[str, ...]


def plan_placement(
    identity: Identity, intent: Intent, roles: Mapping[str, tuple[Role, ...]], raw: Mapping[str, int], previous: Plan | None
) -> tuple[Placement, list[Choice], list[Found]]:
    """`raw` is the size of all OSDs of a server, by its name; absent servers count, since their place is kept."""
    storage = [one for one in identity.machines if "storage" in roles[one.id]]
    away = [one for one in identity.absent if "storage" in one.roles]
    racks = {**{one.name: _rack(one.server.location) for one in storage}, **{one.name: _rack(one.location) for one in away}}
    domain, choices, found = _failure_domain(racks, intent, raw, previous)
    places = {name: rack or name if domain == "rack" else name for name, rack in racks.items()}
    old = previous.ceph if previous else None
    monitors, more = _monitors(identity, intent, roles, storage, old)
    found += more
    if domain == "rack":
        found += [
            RACK_CHANGED.of(one.label, f"it stands in rack {one.rack or 'unknown'}, and stood in {before.location.rack or 'unknown'}")
            for one in storage
            if (before := identity.before.get(one.id)) and before.location.rack != one.rack
        ]
    if intent.stretch:
        found += _stretch_copies(intent)
    helpers = [one for one in storage if one.name in monitors] or storage
    return (
        Placement(
            failure_domain=domain,
            domain_of=places,
            monitors=monitors,
            managers=some_of(identity, helpers, GATEWAYS, old.managers if old else ()),
            object_gateways=some_of(identity, helpers, GATEWAYS, old.object_gateways if old else ()) if intent.ceph.object_gateway else (),
            metadata_servers=some_of(identity, helpers, GATEWAYS, old.metadata_servers if old else ()) if intent.ceph.file_system else (),
        ),
        [
            *choices,
            Choice(
                what="Ceph monitors", chosen=listed(monitors), why="spread over racks, on servers that hold OSDs, control servers first"
            ),
        ],
        found,
    )


def _failure_domain(
    rack_of: Mapping[str, str], intent: Intent, raw: Mapping[str, int], previous: Plan | None
) -> tuple[FailureDomain, list[Choice], list[Found]]:
    racks = Counter[str]()
    for name, rack in rack_of.items():
        racks[rack] += raw[name]
    known = bool(racks) and "" not in racks
    wide = max([intent.ceph.copies, *(one.copies or (one.data_chunks or 0) + (one.coding_chunks or 0) for one in intent.ceph.pools or ())])
    fits = known and len(racks) >= wide
    even = fits and min(racks.values()) >= LEAST_PART * max(racks.values())
    wish = intent.failure_domain
    ours: FailureDomain = "rack" if even else "server"
    before = previous.ceph.failure_domain if previous else None
    chosen: FailureDomain = wish if wish != "auto" else before or ours
    found = []
    if chosen == "rack" and not fits:
        said = f"{len(racks)} racks are known for the storage servers, and {wide} are needed" if known else "racks are unknown"
        found.append(DOMAIN_TOO_FEW.of("failure_domain", said, path="failure_domain"))
    if before and chosen != before and "osds" not in intent.allow_moves:
        found.append(DOMAIN_WOULD_MOVE.of("failure_domain", f"it is {before}, and would be {chosen}", path="failure_domain"))
    if wish != "auto":
        why = "as failure_domain says"
    elif before:
        why = "it was so before, and a change would move most of the data"
    elif even:
        why = f"every storage server's rack is known, there are {len(racks)}, and none is much smaller than another"
    elif fits:
        why = "the racks are too unequal: much of the largest one would be unusable"
    else:
        why = "there are fewer racks than copies or chunks of a pool" if known else "not all racks are known"
    return chosen, [Choice(what="failure domain", chosen=chosen, why=why)], found


def _stretch_copies(intent: Intent) -> Iterator[Found]:
    if intent.ceph.copies != STRETCHED:
        yield STRETCH_COPIES.of("ceph.copies", f"ceph.copies is {intent.ceph.copies}, and stretch is set", path="ceph.copies")
    for number, pool in enumerate(intent.ceph.pools or ()):
        if pool.copies != STRETCHED:
            said = f"the pool {pool.name} has {pool.copies or 'no'} copies, and stretch is set"
            yield STRETCH_COPIES.of(pool.name, said, path=f"ceph.pools.{number}.copies")


def _rack(at: Location) -> str:
    """Two sites may each have a rack R1."""
    return f"{at.site}/{at.rack}" if at.site and at.rack else at.rack or ""


def _monitors(
    identity: Identity, intent: Intent, roles: Mapping[str, tuple[Role, ...]], storage: Sequence[Machine], old: CephPlan | None
) -> tuple[tuple[str, ...], list[Found]]:
    held = set(old.monitors) if old else set()
    absent = [one.name for one in identity.absent if one.name in held]
    arbiters = [one for one in identity.machines if "arbiter" in roles[one.id]]
    ours = MANY_MONITORS if intent.stretch or len(storage) >= SERVERS_FOR_MANY else FEWEST_MONITORS
    count = intent.ceph.monitors or (ours if "monitors" in intent.allow_moves else len(held)) or ours
    found = list(_against_count(intent, count, len(storage) + len(arbiters) + len(absent)))

    def had(one: Machine) -> bool:
        before = identity.before.get(one.id)
        return before is not None and before.name in held

    def rank(one: Machine) -> tuple[int | str, ...]:
        return ("control" not in roles[one.id],)

    picked = pick(RoleRule(), storage, max(0, count - len(absent) - len(arbiters)), had, rank)
    gone = [one.name for one in picked.dropped if "arbiter" not in roles[one.id]]
    gone += [one.name for one in identity.machines if had(one) and one not in storage and one not in arbiters]
    if gone and "monitors" not in intent.allow_moves:
        found.append(MONITOR_WOULD_MOVE.of("monitors", f"the monitors on {listed(sorted(set(gone)))} would leave their places"))
    return tuple(sorted({*(one.name for one in (*picked.machines, *arbiters)), *absent})), found


def _against_count(intent: Intent, count: int, candidates: int) -> Iterator[Found]:
    wish = intent.ceph.monitors
    if wish is not None and (wish < FEWEST_MONITORS or wish % 2 == 0):
        yield MONITOR_COUNT.of("ceph.monitors", f"ceph.monitors is {wish}", path="ceph.monitors")
    elif candidates < count:
        yield MONITORS_MANY.of("ceph.monitors", f"{count} monitors are wanted, and {candidates} servers can have one", path="ceph.monitors")


def some_of(identity: Identity, machines: Sequence[Machine], count: int, held: Sequence[str], *, grows: bool = False) -> tuple[str, ...]:
    """As many as there should be, those that were there before first; absent ones keep their place.

    The number stays as it was, unless it `grows` with the site.
    """
    absent = [one.name for one in identity.absent if one.name in held]

    def was(one: Machine) -> bool:
        before = identity.before.get(one.id)
        return before is not None and before.name in held

    picked = pick(RoleRule(), machines, max(0, (count if grows else len(held) or count) - len(absent)), was)
    return tuple(sorted({*(one.name for one in picked.machines), *absent}))
