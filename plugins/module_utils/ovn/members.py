# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who makes a cluster, who joins it, and what must not happen: decided from what every planned member was found to have.

A database that is gone makes a member join afresh. Nothing but an empty site, seen on every planned member, makes a new cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from ..errors import numbered
from .errors import ClusterRefused
from .raft import DATABASES

JOINED: Final = "cluster member"
RAFT_PORTS: Final = {"nb": 6643, "sb": 6644}
TABLE_PORTS: Final = {"nb": 6641, "sb": 6642}
REPLACE: Final = "frontier.vitro.ovn_replace_member -e target="


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`founder` makes the cluster, `joining` ask `remotes` to let them in; who has a part in it already is in neither."""

    cluster: str
    founder: str
    joining: tuple[str, ...]
    remotes: tuple[str, ...]


def url(address: str, port: int, protocol: str = "ssl") -> str:
    return f"{protocol}:[{address}]:{port}" if ":" in address else f"{protocol}:{address}:{port}"


def plan_bootstrap(
    planned: Sequence[str],
    raft: Mapping[str, Mapping[str, str]],
    found: Mapping[str, Mapping[str, Mapping[str, Any]]],
    known: Mapping[str, str],
) -> dict[str, dict[str, Any]]:
    """`raft` has the address of each member by database, `found` what each that answered has by database, `known` the ids of the clusters
    that this site had before. Every mistake of both databases is told at once."""
    objections = [*_count(planned)]
    plans = {}
    for kind in DATABASES:
        urls = raft[kind]
        seen = {host: found[host][kind] for host in urls if host in found}
        mistakes = [*_mistakes(kind, urls, seen, known.get(kind, ""))]
        objections += mistakes
        if not mistakes:
            plans[kind] = asdict(_plan(urls, seen, known.get(kind, "")))
    if objections:
        raise ClusterRefused(f"Cannot bring OVN's databases to the plan: {numbered(objections)}. Nothing was changed")
    return plans


def _count(members: Sequence[str]) -> Iterator[str]:
    if len(members) % 2 == 0:
        yield (
            f"{len(members)} members are planned ({', '.join(members)}), and an even number survives no more losses than one less: "
            f"plan an odd number of control servers"
        )


def _clusters(seen: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """The hosts that have a part in each cluster."""
    clusters: dict[str, list[str]] = {}
    for host, one in seen.items():
        if cluster := _cluster(one):
            clusters.setdefault(cluster, []).append(host)
    return clusters


def _cluster(one: Mapping[str, Any]) -> str:
    return (one.get("status") or {}).get("cluster") or (one.get("file") or {}).get("cluster") or ""


def _mistakes(kind: str, urls: Mapping[str, str], seen: Mapping[str, Mapping[str, Any]], known: str) -> Iterator[str]:
    name, clusters = DATABASES[kind], _clusters(seen)
    home = _home(clusters, known)
    if not home and len(clusters) > 1:
        parts = "; ".join(f"{cluster[:8]} on {', '.join(hosts)}" for cluster, hosts in sorted(clusters.items()))
        yield (
            f"there are {len(clusters)} clusters of the name {name} ({parts}): keep the one that has the networks, "
            f"and let the hosts of the others join it with {REPLACE}HOST"
        )
    for cluster, hosts in sorted(clusters.items()):
        if home and cluster != home:
            yield (
                f"{', '.join(hosts)} has a database {name} of another cluster ({cluster[:8]}, wanted {home[:8]}); "
                f"it was kept: if nobody needs it, run {REPLACE}{hosts[0]}"
            )
    for host, one in seen.items():
        file = one.get("file") or {}
        if file.get("kind") == "unknown" or (file.get("kind") == "alone" and file.get("content")):
            what = "has networks in it and stands alone" if file["kind"] == "alone" else "is no database of OVSDB's, or is damaged"
            yield f"{file['path']} on {host} {what}: back it up and move it away"
        elif file.get("kind") == "cluster" and file["address"] != urls[host]:
            yield f"{name} on {host} calls itself {file['address']}, and the plan has {urls[host]}: run {REPLACE}{host}"
    yield from _lost(name, urls, seen, clusters, known)


def _lost(
    name: str, urls: Mapping[str, str], seen: Mapping[str, Mapping[str, Any]], clusters: Mapping[str, Sequence[str]], home: str
) -> Iterator[str]:
    """An empty member where there should be one."""
    unseen = [host for host in urls if host not in seen]
    if not clusters and home:
        yield (
            f"this site had a cluster {name} ({home[:8]}), and none of {', '.join(seen)} has its database any more: "
            f"make an empty one and restore the networks with frontier.vitro.ovn_restore -e backup=latest -e confirm=SITE"
        )
    elif not clusters and unseen:
        yield (
            f"nobody has {name} yet, and {', '.join(unseen)} was not asked: a new cluster is made only when every planned member "
            f"has said that it has none"
        )
    listed = {member["address"]: host for host, one in seen.items() for member in (one.get("status") or {}).get("members", ())}
    for host, one in seen.items():
        if not one.get("file") and urls[host] in listed:
            yield (
                f"{host} has no database {name}, and its cluster still counts on it: run {REPLACE}{host}, "
                f"which takes its old self out and lets it join"
            )


def _home(clusters: Mapping[str, Sequence[str]], known: str) -> str:
    """The cluster of this site, if that is beyond doubt: the one that it had before, or the only one."""
    return known or (next(iter(clusters)) if len(clusters) == 1 else "")


def _plan(urls: Mapping[str, str], seen: Mapping[str, Mapping[str, Any]], known: str) -> Bootstrap:
    clusters = _clusters(seen)
    home = _home(clusters, known)
    inside = clusters.get(home, [])
    # A file without an id is of a member that was cut off while it joined: it goes on by itself.
    outside = [host for host, one in seen.items() if (one.get("file") or {}).get("kind") != "cluster"]
    founder = "" if inside else next(iter(urls))
    joining = tuple(host for host in outside if host != founder)
    others = inside or [founder]
    return Bootstrap(home, founder, joining, tuple(urls[host] for host in others))
