# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that leave a cluster. RKE2 takes the member of etcd out when its node is deleted, so a quorum has to be there before and after."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from . import layout
from .cluster import Cluster, read_members
from .errors import NodeRefused, Rke2Refused, Rke2Silent
from .https import Endpoint

PAUSE: Final = 1.0
MISSING: Final = 404


def plan_removal(cluster: Cluster, name: str) -> str:
    """Why a node may not be taken out now; empty if it may. Whoever is taken out counts as lost already."""
    members = [one for one in cluster.members if one.voter]
    if name not in {one.name for one in members}:
        return ""
    others = [one.name for one in members if one.name != name]
    if not others:
        return f"{name} is the only server, and its data would be gone with it"
    if learners := [one.name for one in cluster.members if not one.voter and one.name != name]:
        return f"{', '.join(learners)} is still a learner; wait until it votes"
    alive = [one.name for one in members if cluster.readyz.get(one.name) == "ok"]
    left = [one for one in others if one in alive]
    # Those who vote now take it out, itself among them if it lives; and those who are left need a majority of their own.
    if len(alive) > len(members) // 2 and len(left) > len(others) // 2:
        return ""
    down = ", ".join(one for one in others if one not in alive)
    return f"{down} is down too, and without {name} too few of the servers would be left to agree: bring it back first"


def remove_node(data: Path, name: str, *, patience: float = 120, timeout: float = 10) -> list[str]:
    """Delete a node and its password, and wait until etcd has no member of that name; what was there."""
    api = layout.api(data, timeout)
    done = [f"node {name}"] if _delete(api, f"/api/v1/nodes/{quote(name)}") else []
    done += [f"the password of {name}"] if forget_password(api, name) else []
    until = time.monotonic() + patience
    while (names := _members(data, timeout)) is None or name in names:
        if time.monotonic() > until:
            raise NodeRefused(
                f"{name} is no node any more, and etcd still counts on it after {patience:g} s", cure="See that the other servers run"
            )
        time.sleep(PAUSE)
    return done


def forget_password(api: Endpoint, name: str) -> bool:
    """A server that was installed anew has another password, and would be rejected under the old name."""
    return _delete(api, f"/api/v1/namespaces/kube-system/secrets/{quote(name.lower())}.node-password.rke2")


def _members(data: Path, timeout: float) -> list[str] | None:
    try:
        return [one.name for one in read_members(data, timeout=timeout)[0]]
    except (Rke2Silent, Rke2Refused):
        return None


def _delete(api: Endpoint, path: str) -> bool:
    status, said = api.ask("DELETE", path)
    if status >= 400 and status != MISSING:
        raise Rke2Refused(f"The API gave {status} to DELETE {path}: {said.decode(errors='replace')[:300]}")
    return status != MISSING


def stale(nodes: Sequence[str], wanted: Sequence[str], ready: Sequence[str]) -> list[str]:
    """Nodes that a restored cluster remembers, and that neither are wanted nor live."""
    return sorted(one for one in nodes if one not in wanted and one not in ready)
