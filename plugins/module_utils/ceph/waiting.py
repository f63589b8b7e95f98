# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a cluster still lacks, and how far it is on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import VitroError

ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "monitors": {"type": "list", "elements": "str", "default": []},
    "osds": {"type": "int"},
    "services": {"type": "list", "elements": "dict", "default": []},
    "clean": {"type": "bool", "default": False},
    "pause": {"type": "int", "default": 10},
    "patience": {"type": "int", "default": 900},
}


class Stuck(VitroError):
    code = "ceph_stuck"
    cure = "`ceph orch ps` and `ceph log last cephadm` tell why; run it again to go on waiting"

    def __init__(self, seconds: int, left: Sequence[str], errors: Sequence[str]) -> None:
        said = f". cephadm said last: {' / '.join(errors)}" if errors else ""
        super().__init__(f"Nothing moved in the cluster for {seconds} s; it still lacks {'; '.join(left)}{said}")


@dataclass(frozen=True, slots=True)
class Awaited:
    """`osds` is how many shall be up and in, `services` are those whose daemons shall all run; `clean` says that all data shall have all
    its copies, in place."""

    monitors: tuple[str, ...] = ()
    osds: int | None = None
    services: tuple[str, ...] = ()
    clean: bool = False


def missing(awaited: Awaited, cluster: Mapping[str, Any]) -> list[str]:
    """Everything that is awaited and not there yet."""
    left = []
    if absent := sorted(set(awaited.monitors) - set(cluster["quorum"])):
        left.append(f"{', '.join(absent)} in the quorum")
    if awaited.osds is not None and (there := _well(cluster)) < awaited.osds:
        left.append(f"{awaited.osds - there} of {awaited.osds} OSDs")
    left += [words for name in awaited.services if (words := _behind(name, cluster))]
    if awaited.clean and (unclean := _unclean(cluster)):
        left.append(f"{unclean} placement groups that are not active and clean")
    return left


def progress(awaited: Awaited, cluster: Mapping[str, Any]) -> str:
    parts = []
    if awaited.monitors:
        parts.append(f"{len(cluster['quorum'])} of {len(awaited.monitors)} monitors")
    if awaited.osds is not None:
        parts.append(f"{_well(cluster)} of {awaited.osds} OSDs up and in")
    if awaited.services:
        there = [name for name in awaited.services if not _behind(name, cluster)]
        parts.append(f"{len(there)} of {len(awaited.services)} services")
    if awaited.clean:
        total = sum(cluster["placement_groups"].values())
        parts.append(f"{total - _unclean(cluster)} of {total} placement groups clean")
        parts += [f"{cluster[what] * 100:.1f} % of the objects {what}" for what in ("degraded", "misplaced") if cluster[what]]
    return ", ".join(parts)


def _well(cluster: Mapping[str, Any]) -> int:
    return sum(one["up"] and one["in"] for one in cluster["osds"])


def _behind(service: str, cluster: Mapping[str, Any]) -> str:
    """How much of a service does not run; empty if all of it does."""
    told = cluster["services"].get(service, {"running": 0, "wanted": 0})
    if told["wanted"] and told["running"] >= told["wanted"]:
        return ""
    return f"{told['wanted'] - told['running'] or 'all'} daemons of {service}"


def _unclean(cluster: Mapping[str, Any]) -> int:
    return sum(count for state, count in cluster["placement_groups"].items() if "active+clean" not in state)
