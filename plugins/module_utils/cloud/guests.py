# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Guests of a compute host: what each is, how it can be moved, and whether the others have room. All of it is pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Way = Literal["live", "cold", "wait", "no"]
Amounts = Mapping[str, int]
# Nova moves these while they run (nova/compute/api.py, live_migrate: ACTIVE and PAUSED); a stopped one it copies and starts nowhere.
LIVE: Final = ("ACTIVE", "PAUSED")
COLD: Final = ("SHUTOFF",)
WHY_NOT: Final = {
    "ERROR": "it is in ERROR; see why, then reset its state or delete it",
    "SUSPENDED": "it is suspended; resume or shelve it first",
    "RESCUE": "it is in rescue; unrescue it first",
    "VERIFY_RESIZE": "a resize of its owner waits to be confirmed or reverted",
    "SHELVED": "it is shelved and still here; offload it first",
    "SOFT_DELETED": "it is soft-deleted; restore or delete it",
}


@dataclass(frozen=True, slots=True)
class Guest:
    id: str
    name: str
    status: str
    task: str
    host: str
    locked: bool
    fault: str

    @property
    def label(self) -> str:
        return f"{self.name} ({self.id})"


@dataclass(frozen=True, slots=True)
class Room:
    """A compute host as Placement has it: what of each resource is free, and the most that one guest may have of it."""

    host: str
    free: Amounts
    largest: Amounts


def guest_of(server: Mapping[str, Any]) -> Guest:
    return Guest(
        id=str(server["id"]),
        name=str(server["name"]),
        status=str(server["status"]),
        task=str(server["OS-EXT-STS:task_state"] or ""),
        host=str(server["OS-EXT-SRV-ATTR:host"] or ""),
        locked=bool(server.get("locked")),
        fault=str((server.get("fault") or {}).get("message", "")),
    )


def way_of(guest: Guest, *, stopped: str) -> tuple[Way, str]:
    """How the guest leaves its host, or why it does not."""
    if guest.task or guest.status in ("BUILD", "MIGRATING", "REBOOT", "HARD_REBOOT", "RESIZE", "PASSWORD", "REBUILD"):
        return "wait", f"Nova is at work on it ({guest.task or guest.status})"
    if guest.status in LIVE:
        return "live", ""
    if guest.status in COLD:
        return ("cold", "") if stopped == "migrate" else ("no", "it is stopped, and `stopped` says to refuse those")
    why = WHY_NOT.get(guest.status, f"its status is {guest.status}")
    return "no", f"{why} ({guest.fault})" if guest.fault and guest.status == "ERROR" else why


def room_of(host: str, inventories: Mapping[str, Mapping[str, Any]], usages: Amounts) -> Room:
    """What Placement gives for one provider: free is (total - reserved) x ratio - used."""
    free, largest = {}, {}
    for name, one in inventories.items():
        free[name] = int((int(one["total"]) - int(one["reserved"])) * float(one["allocation_ratio"])) - int(usages.get(name, 0))
        largest[name] = int(one["max_unit"])
    return Room(host, free, largest)


def place(wanted: Mapping[str, Amounts], rooms: Sequence[Room]) -> dict[str, str | None]:
    """A place for each guest, by its id: the largest first, each to the room that then has the most memory left. None: there is none.

    The scheduler may choose other hosts, for it knows more (aggregates, affinity, traits); this only tells whether there is room at all.
    """
    free = {room.host: dict(room.free) for room in rooms}
    largest = {room.host: room.largest for room in rooms}
    chosen: dict[str, str | None] = {}
    for guest, amounts in sorted(wanted.items(), key=lambda one: (*_size(one[1]), one[0])):
        fits = [host for host in free if all(min(free[host].get(k, 0), largest[host].get(k, 0)) >= v for k, v in amounts.items())]
        best = max(fits, key=lambda host: (free[host].get("MEMORY_MB", 0), host), default=None)
        chosen[guest] = best
        for name, amount in amounts.items() if best else ():
            free[best or ""][name] -= amount
    return chosen


def shortage(wanted: Mapping[str, Amounts], rooms: Sequence[Room]) -> str:
    """What is needed and what is free, of each resource, in numbers."""
    names = sorted({name for amounts in wanted.values() for name in amounts})
    needed = {name: sum(amounts.get(name, 0) for amounts in wanted.values()) for name in names}
    told = [f"{name} {needed[name]} of " + _sum(room.free.get(name, 0) for room in rooms) for name in names]
    each = "; ".join(f"{room.host} has free " + ", ".join(f"{name} {room.free.get(name, 0)}" for name in names) for room in rooms)
    return f"needed of what is free: {', '.join(told)}. {each}"


def _size(amounts: Amounts) -> tuple[int, int]:
    return -amounts.get("MEMORY_MB", 0), -amounts.get("VCPU", 0)


def _sum(numbers: Iterable[int]) -> str:
    return str(sum(numbers))
