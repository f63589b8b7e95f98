# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OSDs that leave and come back: those on a disk that is to be replaced, taken out of service so that their numbers and places wait for the
next disk; and those on disks that outlived the system of their host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import VitroError, numbered
from . import info
from .hosts import QUESTIONS as HOST_QUESTIONS
from .hosts import Step, look_at, room_without
from .session import Command

QUESTIONS: Final = {**info.QUESTIONS, **{name: HOST_QUESTIONS[name] for name in ("removals", "osds", "usage")}}
ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "host": {"type": "str", "required": True},
    "serial": {"type": "str"},
    "state": {"type": "str", "required": True, "choices": ["absent", "present"]},
    "lost": {"type": "bool", "default": False},
    "method": {"type": "str", "default": "lvm", "choices": ["lvm", "raw"]},
    "begun": {"type": "bool", "default": False},
    "pause": {"type": "int", "default": 15},
    "patience": {"type": "int", "default": 1800},
}
DESTROYED: Final = "destroyed"


class OsdRefused(VitroError):
    code = "ceph_osd"
    cure = "Nothing was changed"


@dataclass(frozen=True, slots=True)
class OsdPlan:
    """`osds` are all that use the disk; `awaited` those of them that still give their data away."""

    osds: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    awaited: tuple[str, ...] = ()


def plan_removal(host: str, serial: str, live: Mapping[str, Any], *, lost: bool = False, keep: bool = True, begun: bool = False) -> OsdPlan:
    """`lost` says that nothing can be read from the disk any more, `keep` that numbers and places wait for the next disk, and `begun` that
    this run began with it already."""
    state = {one["id"]: one for one in live["tree"]["nodes"] if one["type"] == "osd"}
    disks = _disks(host, live)
    osds = tuple(sorted(number for number, serials in disks.items() if serial.casefold() in map(str.casefold, serials)))
    if not osds and begun and not keep:
        return OsdPlan()
    if not osds:
        known = ", ".join(sorted({one for serials in disks.values() for one in serials})) or "none"
        raise OsdRefused(f"No OSD of {host} is on a disk {serial}; its OSDs are on {known}")
    left = [number for number in osds if state[number]["status"] != DESTROYED]
    leaving = {int(one["osd_id"]) for one in live["removals"] or ()}
    asked = [number for number in left if number not in leaving]
    if not asked:
        return OsdPlan(osds, awaited=_names(left))
    if mistakes := _against(asked, state, live, lost=lost):
        raise OsdRefused(f"The disk {serial} of {host} cannot go: {numbered(mistakes)}")
    return OsdPlan(osds, tuple(_step(number, lost=lost, keep=keep) for number in asked), () if lost else _names(left))


def plan_return(host: str, live: Mapping[str, Any]) -> OsdPlan:
    """What is on the disks of a host starts again, unless cephadm knows of daemons for it."""
    own = [one for one in info.osds(live) if one["places"].get("host") == host]
    down = _names([one["id"] for one in own if not one["up"]])
    start = Step(f"{', '.join(down)} of {host} start again", Command("cephadm osd activate", {"host": [host]}, manager=True))
    return OsdPlan(tuple(one["id"] for one in own), (start,) if down else (), down)


def look_again(host: str) -> list[Command]:
    """Lets cephadm see what runs on a host; what it remembers may be gone."""
    return [look_at(host), Command("orch ps", {"hostname": host, "refresh": True}, manager=True)]


def progress(plan: OsdPlan, live: Mapping[str, Any]) -> str:
    groups = sum(max(int(one.get("pg_count", 0)), 0) for one in live["removals"] or () if int(one["osd_id"]) in plan.osds)
    degraded = info.summary(live)["degraded"]
    return f"{', '.join(plan.awaited)} still has {groups} placement groups" + (
        f", {degraded * 100:.1f} % of the objects degraded" if degraded else ""
    )


def _names(osds: list[int]) -> tuple[str, ...]:
    return tuple(f"osd.{number}" for number in osds)


def _disks(host: str, live: Mapping[str, Any]) -> dict[int, set[str]]:
    """The serial numbers under each OSD of a host. Ceph calls a disk VENDOR_MODEL_SERIAL, and remembers it while the OSD is down."""
    told = {one["id"]: one.get("device_ids", "") for one in live["metadata"]}
    return {
        one["id"]: {name.partition("=")[2].rpartition("_")[2] for name in told.get(one["id"], "").split(",") if "=" in name}
        for one in info.osds(live)
        if one["places"].get("host") == host
    }


def _against(asked: list[int], state: Mapping[int, Mapping[str, Any]], live: Mapping[str, Any], *, lost: bool) -> list[str]:
    running = [number for number in asked if state[number]["status"] == "up"]
    if not lost:
        return list(room_without(set(asked), live))
    mistakes = [f"osd.{number} is not lost: it runs. Leave lost out, and its data is moved first" for number in running]
    states = info.summary(live)["placement_groups"]
    if silent := sum(count for name, count in states.items() if "active" not in name.split("+")):
        mistakes.append(
            f"{silent} placement groups are not active: the disk may hold the last copy of some data. Bring other OSDs back first"
        )
    return mistakes


def _step(number: int, *, lost: bool, keep: bool) -> Step:
    if lost:
        sure = {"id": f"osd.{number}", "yes_i_really_mean_it": True}
        return Step(f"osd.{number} is given up", Command("osd destroy" if keep else "osd purge", sure))
    given = {"osd_id": [str(number)], "replace": keep}
    return Step(f"osd.{number} gives its data to the others", Command("orch osd rm", given, manager=True))
