# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which server plays which roles: the layout says what goes together, the rules of the intent who may, the previous plan who does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .amounts import listed
from .identity import Identity
from .intent import Intent
from .machines import Machine, matches_any
from .objections import Found
from .picking import Picked, allowed, no_rank, pick
from .role_checks import ORDER, PIN_REFUSED, ROLE_WOULD_MOVE, check_roles
from .selectors import RoleRule
from .servers import Role
from .types import Choice

CONTROL_COUNT = 3
FMC_COUNT = 3
STORAGE_COUNT = 3
Raw = Callable[[Machine], int]


@dataclass(slots=True)
class Casting:
    """The roles as they are given out, one after the other."""

    identity: Identity
    intent: Intent
    layout: str
    roles: dict[str, set[Role]] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)

    def had(self, role: Role) -> Callable[[Machine], bool]:
        return lambda one: role in self.identity.before[one.id].roles if one.id in self.identity.before else False

    def places(self, role: Role, count: int) -> int:
        """How many are left to fill: an absent server holds its place."""
        return max(0, count - sum(role in one.roles for one in self.identity.absent))

    def number(self, role: Role, rule: RoleRule, default: int) -> int:
        """The intent's number, else that of a previous plan of this layout, else ours: a default that grows would move things."""
        if rule.count is not None:
            return rule.count
        return sum(role in one.roles for one in self.identity.planned) * (self.layout == self.intent.layout) or default

    def give(self, role: Role, machines: Iterable[Machine]) -> None:
        for one in machines:
            self.roles[one.id].add(role)

    def cast(self, role: Role, rule: RoleRule, picked: Picked, why: str) -> list[Machine]:
        self.give(role, picked.machines)
        if picked.machines:
            self.choices.append(Choice(what=f"{role} servers", chosen=listed([one.name for one in picked.machines]), why=why))
        if rule.count is not None and picked.pinned > rule.count:
            self.found.append(
                PIN_REFUSED.of(
                    f"roles.{role}", f"{picked.pinned} servers are pinned to {role}, and count is {rule.count}", path=f"roles.{role}"
                )
            )
        return list(picked.machines)


def plan_roles(
    identity: Identity, intent: Intent, raw: Raw, layout: str | None = None
) -> tuple[dict[str, tuple[Role, ...]], list[Choice], list[Found]]:
    """Roles by the machine's id. `raw` is how many bytes of a machine could become OSDs; `layout` is that of the previous plan."""
    casting = Casting(identity, intent, layout or intent.layout, {one.id: set() for one in identity.machines})
    free = _set_apart(casting, list(identity.machines))
    if intent.fmc.mode == "dedicated":
        free = _dedicated_fmc(casting, free, raw)
    control = _control(casting, free)
    _workers(casting, free, control, raw)
    if intent.fmc.mode == "shared":
        picked = _pick(casting, "fmc", intent.fmc.servers, control, FMC_COUNT)
        casting.cast("fmc", intent.fmc.servers, picked, "fmc.mode is shared: the cluster runs beside the control services")
    roles = {one.id: tuple(role for role in ORDER if role in casting.roles[one.id]) for one in identity.machines}
    casting.found += check_roles(identity, intent, roles)
    casting.found += _moves(identity, intent, roles)
    return roles, casting.choices, casting.found


def _pick(casting: Casting, role: Role, rule: RoleRule, machines: Sequence[Machine], default: int, **options: object) -> Picked:
    count = casting.places(role, casting.number(role, rule, default))
    return pick(rule, machines, count, casting.had(role), **options)  # type: ignore[arg-type]


def _set_apart(casting: Casting, machines: list[Machine]) -> list[Machine]:
    """The arbiter's site and the spare pool have no other role."""
    intent = casting.intent
    if intent.stretch:
        away = [one for one in machines if one.server.location.site == intent.stretch.arbiter]
        picked = pick(RoleRule(), away, casting.places("arbiter", 1), casting.had("arbiter"))
        casting.cast("arbiter", RoleRule(), picked, f"the site {intent.stretch.arbiter} only breaks ties")
        machines = [one for one in machines if one.server.location.site != intent.stretch.arbiter]
    rule = intent.roles.spare
    pins = {one.id for one in machines if matches_any(one.server, one.name, rule.pin)}
    count = rule.count if rule.count is not None else len(pins)
    before = casting.identity.before
    # A server that works is not drafted; and from the end of the order, so that the first servers of a rack do the work.
    idle = [one for one in machines[::-1] if one.id in pins or one.id not in before or before[one.id].roles in ((), ("spare",))]
    picked = pick(rule, idle, casting.places("spare", count), casting.had("spare"))
    spare = {one.id for one in casting.cast("spare", rule, picked, "roles.spare keeps them out of use, ready to replace another")}
    return [one for one in machines if one.id not in spare]


def _dedicated_fmc(casting: Casting, free: list[Machine], raw: Raw) -> list[Machine]:
    """Servers with little to give to Ceph and to guests are enough for the Fleet Management Cluster."""
    rule = casting.intent.fmc.servers
    picked = _pick(casting, "fmc", rule, free, FMC_COUNT, rank=lambda one: (raw(one), one.memory))
    own = casting.cast("fmc", rule, picked, "fmc.mode is dedicated: the servers with the least disk and memory, spread over racks")
    ids = {one.id for one in own}
    return [one for one in free if one.id not in ids]


def _control(casting: Casting, free: list[Machine]) -> list[Machine]:
    want = casting.intent.classes.control
    rule = casting.intent.roles.control

    def below(one: Machine) -> tuple[int | str, ...]:
        return (int(one.cores < want.cores or one.memory < want.memory_gib * 1024**3),)

    picked = _pick(casting, "control", rule, free, CONTROL_COUNT, rank=below)
    control = casting.cast("control", rule, picked, "an odd number for the quorums, spread over racks, servers of the control class first")
    for role, own in (("network", casting.intent.roles.network), ("monitoring", casting.intent.roles.monitoring)):
        if own == RoleRule():
            casting.cast(role, own, Picked(machines=tuple(control)), "together with control unless roles says otherwise")  # type: ignore[arg-type]
        else:
            some = _pick(casting, role, own, free, CONTROL_COUNT)  # type: ignore[arg-type]
            casting.cast(role, own, some, f"as roles.{role} says")  # type: ignore[arg-type]
    return control


def _workers(casting: Casting, free: list[Machine], control: list[Machine], raw: Raw) -> None:
    """Compute and storage: everywhere (hci), beside control (mixed), or each on its own (split)."""
    intent, layout = casting.intent, casting.intent.layout
    busy = {one.id for one in control}
    rest = free if layout == "hci" else [one for one in free if one.id not in busy]
    disky = [one for one in rest if raw(one) > 0]
    rule = intent.roles.storage
    if layout == "split":
        picked = _pick(casting, "storage", rule, disky, STORAGE_COUNT, rank=lambda one: (-raw(one),))
        storage = casting.cast("storage", rule, picked, "layout is split: the servers with the most disk space, spread over racks")
        ids = {one.id for one in storage}
        rest = [one for one in rest if one.id not in ids]
    else:
        picked = _as_many(casting, "storage", rule, disky)
        casting.cast("storage", rule, picked, "every server with disks for OSDs, unless roles says otherwise")
    rule = intent.roles.compute
    casting.cast(
        "compute", rule, _as_many(casting, "compute", rule, rest), "every server that is left for guests, unless roles says otherwise"
    )


def _as_many(casting: Casting, role: Role, rule: RoleRule, machines: Sequence[Machine]) -> Picked:
    """All that may, or as many as the rule says."""
    if rule.count is None:
        return Picked(machines=tuple(allowed(rule, machines)))
    return pick(rule, machines, casting.places(role, rule.count), casting.had(role), no_rank)


def _moves(identity: Identity, intent: Intent, roles: Mapping[str, tuple[Role, ...]]) -> list[Found]:
    """Roles that a server would lose; a spare that is put to work loses nothing."""
    if "roles" in intent.allow_moves:
        return []
    lost: dict[str, list[str]] = {}
    for one in identity.machines:
        before = identity.before.get(one.id)
        for role in before.roles if before else ():
            if role != "spare" and role not in roles[one.id]:
                lost.setdefault(role, []).append(one.name)
    return [ROLE_WOULD_MOVE.of(f"roles.{role}", f"{listed(names)} would no longer be {role}") for role, names in lost.items()]
