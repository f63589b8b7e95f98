# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order nodes get another version, and whether there is a way back to an older one. Who has it already is not touched again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import numbered
from .versions import ETCD_36, version_of

BY_RESTORE = "that needs the snapshot from before: frontier.vitro.rke2_restore -e backup=NAME -e confirm=SITE -e rke2_version="


@dataclass(frozen=True, slots=True)
class Walk:
    """`due` are hosts, one after the other; `refused` says why not, and is empty if they may."""

    due: tuple[str, ...]
    refused: str = ""


def plan_walk(cluster: Mapping[str, Any], names: Mapping[str, str], version: str, *, back: bool = False) -> Walk:
    """`cluster` is what frontier.vitro.rke2_cluster_info told, `names` the nodes' names by host. The leader of etcd is the last of the
    servers, so that it is chosen anew once; agents come after them."""
    nodes = {one["name"]: one for one in cluster["nodes"]}
    leaders = {one["name"] for one in cluster["members"] if one["leader"]}
    there = [(host, nodes[name]) for host, name in names.items() if name in nodes]
    due = sorted((not one["server"], one["name"] in leaders, number, host) for number, (host, one) in enumerate(there))
    objections = [*_back(there, version)] if back else []
    behind = tuple(host for _, _, _, host in due if nodes[names[host]]["version"] != version)
    return Walk(() if objections else behind, numbered(objections))


def _back(there: Sequence[tuple[str, Mapping[str, Any]]], version: str) -> Iterator[str]:
    wanted = version_of(version)
    if wanted is None:
        yield f"{version} is no release"
        return
    for host, node in there:
        has = version_of(node["version"])
        if has is None:
            yield f"{host} has {node['version']}, which is no release"
        elif has < wanted:
            yield f"{host} has {node['version']}, so that {version} would be an upgrade: frontier.vitro.rke2_upgrade"
        elif has[0] != wanted[0]:
            yield f"{host} has {node['version']}, and a minor has no way back: {BY_RESTORE}{version}"
        elif has >= ETCD_36 > wanted:
            yield f"{host} has etcd 3.6, and {version} has 3.5, which cannot read its data: {BY_RESTORE}{version}"
