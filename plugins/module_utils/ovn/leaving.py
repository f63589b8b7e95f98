# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How members leave a cluster: by themselves, or taken out by one that lives."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from .errors import ClusterRefused, OvnRefused, OvnSilent
from .local import Change
from .raft import DATABASES, Status, parse_status
from .wire import control

PATIENCE: Final = 60
PAUSE: Final = 0.5


def ensure_gone(kind: str, address: str, *, timeout: float = 30, check_mode: bool = False, patience: float = PATIENCE) -> Change:
    """Take the member with this address out, and wait until the others agree. All of that address, were there several."""
    status = _status(kind, timeout)
    ids = plan_gone(status, address)
    before = ", ".join(sorted(one.address for one in status.members))
    if not ids:
        return Change("", before, before)
    after = ", ".join(sorted(one.address for one in status.members if one.id not in ids))
    if not check_mode:
        for one in ids:
            _until(lambda one=one: _kick(kind, one, timeout), f"the cluster takes {address} out", patience)  # type: ignore[misc]
        _until(lambda: not plan_gone(_status(kind, timeout), address), f"{address} is out of the cluster", patience)
    return Change(f"{address} taken out of {DATABASES[kind]}", before, after)


def plan_gone(status: Status, address: str) -> list[str]:
    """Ids of the members to take out."""
    if status.address == address:
        raise ClusterRefused(
            f"Cannot take {address} out: it is the member that was asked", cure="Ask another one, or let it leave with state left"
        )
    if status.status != "cluster member" or status.leader == "unknown":
        raise ClusterRefused(
            f"Cannot take {address} out: the member that was asked knows no leader, so more than half of the members are gone",
            cure="Bring one of them back, or go through the drill for a lost majority: frontier.vitro.ovn_lost_majority",
        )
    return [one.id for one in status.members if one.address == address]


def ensure_left(kind: str, *, timeout: float = 30, check_mode: bool = False, patience: float = PATIENCE) -> Change:
    """A member that is alone cannot leave: its networks would be gone."""
    status = _status(kind, timeout)
    if status.status != "cluster member":
        return Change("", status.status, status.status)
    if len(status.members) == 1:
        raise ClusterRefused(f"Cannot leave {DATABASES[kind]}: this is its last member", cure="Let another one join first")
    if not check_mode:
        control(_path(kind), "cluster/leave", DATABASES[kind], timeout=timeout)
        _until(lambda: _status(kind, timeout).status == "left cluster", "it has left", patience)
    return Change(f"left {DATABASES[kind]}", status.status, "left cluster")


def _kick(kind: str, member: str, timeout: float) -> bool:
    """Followers pass it on to the leader. While one is elected it is refused, and asked again."""
    try:
        control(_path(kind), "cluster/kick", DATABASES[kind], member, timeout=timeout)
    except OvnRefused as exc:
        # Done already, by the try before.
        return "unknown server" in exc.text or "not a member" in exc.text
    return True


def _until(ready: Callable[[], bool], what: str, patience: float) -> None:
    until, said = time.monotonic() + patience, ""
    while time.monotonic() < until:
        try:
            if ready():
                return
        except OvnSilent as exc:
            said = f": {exc.text}"
        time.sleep(PAUSE)
    raise ClusterRefused(
        f"Waited {patience:g} s in vain until {what}{said}", cure="Ask frontier.vitro.ovn_cluster_info who lives, and run it again"
    )


def _status(kind: str, timeout: float) -> Status:
    return parse_status(control(_path(kind), "cluster/status", DATABASES[kind], timeout=timeout))


def _path(kind: str) -> str:
    return f"/run/ovn/ovn{kind}_db.ctl"
