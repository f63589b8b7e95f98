# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts that go, for an hour or for good: whether the cluster can do without, and the steps in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..errors import VitroError, numbered
from . import info, pools
from .session import Command

State = Literal["active", "maintenance", "drained", "absent"]

QUESTIONS: Final[dict[str, Command]] = {
    **info.QUESTIONS,
    "hosts": Command("orch host ls", manager=True),
    "daemons": Command("orch ps", manager=True),
    "removals": Command("orch osd rm status", manager=True, may_fail=True),
    "manager": Command("mgr dump"),
    "osds": pools.QUESTIONS["osds"],
    "rules": pools.QUESTIONS["rules"],
    "usage": Command("osd df"),
}
ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "name": {"type": "str", "required": True},
    "state": {"type": "str", "required": True, "choices": ["active", "maintenance", "drained", "absent"]},
    "lost": {"type": "bool", "default": False},
    "pause": {"type": "int", "default": 15},
    "patience": {"type": "int", "default": 1800},
}
MAINTENANCE: Final = "maintenance"
# What cephadm puts on a host that it empties.
EMPTYING: Final = "_no_schedule"


class HostRefused(VitroError):
    code = "ceph_host"
    cure = "Nothing was changed"


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    command: Command


@dataclass(frozen=True, slots=True)
class HostPlan:
    """The steps to take now, and what has to come about by itself before the state is reached."""

    steps: tuple[Step, ...] = ()
    awaited: tuple[str, ...] = field(default=())


def plan_host(name: str, state: State, live: Mapping[str, Any], *, lost: bool = False) -> HostPlan:
    """`lost` says that the host is gone for good with what is on it."""
    host = next((one for one in live["hosts"] if one["hostname"] == name), None)
    if host is None:
        return HostPlan() if state == "absent" else _unknown(name, live)
    match state:
        case "active":
            return HostPlan(tuple(_back(name, host)))
        case "maintenance":
            return _rest(name, host, live)
        case "drained":
            return _empty(name, host, live)
    return _gone(name, host, live, lost=lost)


def look_at(name: str) -> Command:
    """Lets cephadm go to a host now, so that it knows whether it reaches it; by itself it goes there every few minutes."""
    return Command("cephadm check-host", {"host": name}, manager=True, may_fail=True)


def progress(name: str, plan: HostPlan, live: Mapping[str, Any]) -> str:
    """How far a host is on the way out."""
    groups = sum(int(one.get("pg_count", 0)) for one in live["removals"] or () if int(one.get("pg_count", 0)) > 0)
    return f"{name} still has {len(plan.awaited)} daemons and {groups} placement groups"


def _unknown(name: str, live: Mapping[str, Any]) -> HostPlan:
    raise HostRefused(f"The cluster has no host {name}; it has {', '.join(sorted(one['hostname'] for one in live['hosts']))}")


def _back(name: str, host: Mapping[str, Any]) -> Iterator[Step]:
    if host["status"].lower() == MAINTENANCE:
        yield Step(f"{name} leaves maintenance", Command("orch host maintenance exit", {"hostname": name}, manager=True))
    if EMPTYING in host["labels"]:
        yield Step(f"{name} takes daemons again", Command("orch host label rm", {"hostname": name, "label": EMPTYING}, manager=True))


def _rest(name: str, host: Mapping[str, Any], live: Mapping[str, Any]) -> HostPlan:
    if host["status"].lower() == MAINTENANCE:
        return HostPlan()
    if others := [one["hostname"] for one in live["hosts"] if one["status"].lower() == MAINTENANCE]:
        raise HostRefused(f"{', '.join(others)} is in maintenance already; one host at a time")
    if mistakes := [*_quorum_without(name, live), *_unclean(live), *_nobody_else(name, live)]:
        raise HostRefused(f"{name} cannot rest now: {numbered(mistakes)}")
    steps = []
    if _is_active_manager(name, live):
        steps.append(Step(f"another manager takes over from {name}", Command("mgr fail")))
    # cephadm warns of every gateway that stops, also where others go on; what matters was looked at before.
    enter = Command("orch host maintenance enter", {"hostname": name, "force": True}, manager=True)
    steps.append(Step(f"{name} enters maintenance", enter))
    return HostPlan(tuple(steps))


def _empty(name: str, host: Mapping[str, Any], live: Mapping[str, Any]) -> HostPlan:
    left = sorted(f"{one['daemon_type']}.{one['daemon_id']}" for one in live["daemons"] if one["hostname"] == name)
    if EMPTYING in host["labels"]:
        return HostPlan(awaited=tuple(left))
    own = {one["id"] for one in info.osds(live) if one["places"].get("host") == name}
    if mistakes := [*_quorum_without(name, live), *room_without(own, live), *_domains_without(name, live)]:
        raise HostRefused(f"{name} cannot be emptied: {numbered(mistakes)}")
    return HostPlan(
        (Step(f"{name} gives its data to the others", Command("orch host drain", {"hostname": name}, manager=True)),), tuple(left)
    )


def _gone(name: str, host: Mapping[str, Any], live: Mapping[str, Any], *, lost: bool) -> HostPlan:
    if lost:
        if host["status"].lower() != "offline":
            raise HostRefused(f"{name} is not lost: cephadm reaches it. Empty it first, or switch it off")
        sure = {"hostname": name, "force": True, "offline": True}
        return HostPlan((Step(f"{name} is forgotten with its OSDs", Command("orch host rm", sure, manager=True)),))
    left = [one for one in live["daemons"] if one["hostname"] == name]
    if left or EMPTYING not in host["labels"]:
        raise HostRefused(f"{name} cannot be removed: it still has {len(left)} daemons. Empty it first")
    return HostPlan((Step(f"{name} is removed", Command("orch host rm", {"hostname": name}, manager=True)),))


def _is_active_manager(name: str, live: Mapping[str, Any]) -> bool:
    active = live["manager"]["active_name"]
    return any(one["hostname"] == name and one["daemon_type"] == "mgr" and one["daemon_id"] == active for one in live["daemons"])


def _quorum_without(name: str, live: Mapping[str, Any]) -> Iterator[str]:
    """More than half of all monitors must be left, of those that agree now."""
    monitors = [one["name"] for one in live["monitors"]["mons"]]
    left = [one for one in live["status"]["quorum_names"] if one != name]
    if name in monitors and len(left) * 2 <= len(monitors):
        yield f"of {len(monitors)} monitors only {', '.join(left) or 'none'} would be left, which is no quorum"


def _nobody_else(name: str, live: Mapping[str, Any]) -> Iterator[str]:
    """What clients talk to must run elsewhere too."""
    running = {(one["daemon_type"], one["hostname"]) for one in live["daemons"] if one["status_desc"] == "running"}
    for kind, what in (("rgw", "object gateway"), ("mds", "metadata server")):
        if {host for found, host in running if found == kind} == {name}:
            yield f"no other host has a running {what}"


def _unclean(live: Mapping[str, Any]) -> Iterator[str]:
    states = info.summary(live)["placement_groups"]
    if unclean := sum(count for state, count in states.items() if "active+clean" not in state):
        yield f"{unclean} placement groups are not active and clean, so some data lacks copies already"


def room_without(own: Set[int], live: Mapping[str, Any]) -> Iterator[str]:
    """What is stored must fit on the other OSDs, below the share at which Ceph begins to warn."""
    kib = [one for one in live["usage"]["nodes"] if one["id"] not in own]
    room = sum(one["kb"] for one in kib) * float(live["osds"]["nearfull_ratio"])
    used = sum(one["kb_used"] for one in live["usage"]["nodes"])
    if used > room:
        yield f"{_gib(used)} are stored, and the others have room for {_gib(room)} before they are nearly full"


def _domains_without(name: str, live: Mapping[str, Any]) -> Iterator[str]:
    """Each pool needs as many hosts or racks as it has copies or chunks."""
    rest = [one["places"] for one in info.osds(live) if one["places"].get("host") != name and one["in"]]
    kinds = {one["rule_id"]: _kind(one["steps"]) for one in live["rules"]}
    for pool in live["osds"]["pools"]:
        kind = kinds.get(pool["crush_rule"], "host")
        left = len({places.get(kind) for places in rest})
        if pool["size"] > left:
            yield f"the pool {pool['pool_name']} is spread over {pool['size']} {kind}s, and {left} would be left"


def _kind(steps: Sequence[Mapping[str, Any]]) -> str:
    return next((str(one["type"]) for one in steps if one.get("type") in ("host", "rack", "datacenter")), "osd")


def _gib(kib: float) -> str:
    return f"{kib / (1 << 20):.1f} GiB"
