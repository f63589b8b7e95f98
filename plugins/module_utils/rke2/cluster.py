# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a cluster is, asked on one of its servers in one go: the members of etcd, every server by itself, and the nodes.

The condition Ready of a node is what was true some tens of seconds ago: a server that was killed still has it. So each server is asked on
its own ports, and each agent's kubelet as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from . import layout
from .certificates import ca_hash, read_ends
from .errors import Rke2Refused, Rke2Silent
from .times import now

OK: Final = 200
PLANE: Final = "node-role.kubernetes.io/control-plane"
MANAGED: Final = "vitro.frontier/"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of etcd. `name` is its node's, without what RKE2 appends."""

    name: str
    id: str
    address: str
    voter: bool
    leader: bool


@dataclass(frozen=True, slots=True)
class Node:
    """A node as the API has it."""

    name: str
    address: str
    ready: bool
    server: bool
    version: str
    schedulable: bool
    labels: Mapping[str, str]
    taints: tuple[str, ...]
    annotations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cluster:
    """`readyz` has `ok`, or why not, by node: of servers their supervisor and API, of agents their kubelet."""

    members: tuple[Member, ...]
    nodes: tuple[Node, ...]
    readyz: Mapping[str, str]
    alarms: tuple[str, ...]

    def to_data(self) -> dict[str, Any]:
        return asdict(self)


def read_cluster(data: Path, *, timeout: float = 10.0) -> Cluster:
    """Raises Rke2Silent if this server's own API or etcd does not answer."""
    members, alarms = read_members(data, timeout=timeout)
    nodes = read_nodes(data, timeout=timeout)
    return Cluster(members, nodes, {one.name: _alive(data, one, timeout) for one in nodes}, alarms)


def read_members(data: Path, *, timeout: float = 10.0) -> tuple[tuple[Member, ...], tuple[str, ...]]:
    """The members of etcd, and its alarms."""
    etcd = layout.etcd(data, timeout)
    listed = etcd.json("POST", "/v3/cluster/member/list", {})
    status = etcd.json("POST", "/v3/maintenance/status", {})
    return tuple(_member(one, status.get("leader", "0")) for one in listed.get("members", ())), tuple(status.get("errors", ()))


def _member(told: Mapping[str, Any], leader: str) -> Member:
    name = told.get("name", "")
    url = next(iter(told.get("peerURLs", ())), "")
    address = url.partition("://")[2].rpartition(":")[0].strip("[]")
    # A member that has not started yet has no name.
    return Member(name.rpartition("-")[0] or address, told["ID"], address, not told.get("isLearner", False), told["ID"] == leader)


def read_nodes(data: Path, *, timeout: float = 10.0) -> tuple[Node, ...]:
    told = layout.api(data, timeout).json("GET", "/api/v1/nodes")
    return tuple(sorted((_node(one) for one in told["items"]), key=lambda one: one.name))


def _node(told: Mapping[str, Any]) -> Node:
    meta, spec, status = told["metadata"], told.get("spec", {}), told.get("status", {})
    conditions = {one["type"]: one["status"] for one in status.get("conditions", ())}
    addresses = [one["address"] for one in status.get("addresses", ()) if one["type"] == "InternalIP"]
    labels = meta.get("labels", {})
    return Node(
        name=meta["name"],
        address=next(iter(addresses), ""),
        ready=conditions.get("Ready") == "True",
        server=PLANE in labels,
        version=status.get("nodeInfo", {}).get("kubeletVersion", ""),
        schedulable=not spec.get("unschedulable", False),
        labels=labels,
        taints=tuple(taint_text(one) for one in spec.get("taints", ())),
        annotations={key: value for key, value in meta.get("annotations", {}).items() if key.startswith(MANAGED)},
    )


def taint_text(taint: Mapping[str, str]) -> str:
    """As RKE2's `node-taint` has it."""
    return f"{taint['key']}={taint.get('value', '')}:{taint['effect']}" if taint.get("value") else f"{taint['key']}:{taint['effect']}"


def _alive(data: Path, node: Node, timeout: float) -> str:
    """What the node itself says. One that nobody can reach says nothing, whatever its conditions are."""
    asked = (
        {"/v1-rke2/readyz": layout.supervisor(data, node.address, timeout), "/readyz": layout.api(data, timeout, node.address)}
        if node.server
        else {"/healthz": layout.kubelet(data, node.address, node.name, timeout)}
    )
    for path, endpoint in asked.items():
        try:
            status, said = endpoint.ask("GET", path)
        except Rke2Silent as exc:
            return exc.text
        if status != OK:
            return f"{endpoint.host}:{endpoint.port} gave {status} to {path}: {said.decode(errors='replace').strip()[-200:]}"
    return "ok"


def judge(cluster: Cluster, servers: Sequence[str] = (), nodes: Sequence[str] = ()) -> Iterator[str]:
    """What speaks against touching it now. `servers` and `nodes` are who should be there; without them, who is there counts."""
    named = {one.name: one for one in cluster.members}
    yield from _voters(cluster.members, servers)
    there = {one.name for one in cluster.nodes}
    yield from (f"{name} is no node" for name in [*servers, *nodes] if name not in there)
    for one in cluster.nodes:
        if not one.ready:
            yield f"{one.name} is not Ready"
        if (said := cluster.readyz[one.name]) != "ok":
            yield f"{one.name} is not ready by itself: {said}"
        if one.server and one.name not in named:
            yield f"{one.name} is a server, and no member of etcd"
    yield from (f"etcd says {alarm}" for alarm in cluster.alarms)


def _voters(members: Iterable[Member], servers: Sequence[str]) -> Iterator[str]:
    found = list(members)
    yield from (f"{one.name} is only a learner in etcd" for one in found if not one.voter)
    yield from (f"{name} is no member of etcd" for name in servers if name not in {one.name for one in found})
    if servers:
        yield from (f"etcd has a member {one.name} that should not be there" for one in found if one.name not in servers)
    if not any(one.leader for one in found):
        yield "etcd has no leader"


def read_jobs(data: Path, *, timeout: float = 10.0) -> list[dict[str, Any]]:
    """The jobs that install packaged charts. A node is Ready long before they are done."""
    told = layout.api(data, timeout).json("GET", "/apis/batch/v1/namespaces/kube-system/jobs")
    jobs = [one for one in told["items"] if one["metadata"]["name"].startswith("helm-install-")]
    return [{"name": one["metadata"]["name"], "done": bool(one.get("status", {}).get("succeeded"))} for one in jobs]


def cluster_data(data: Path, servers: Sequence[str], nodes: Sequence[str], *, timeout: float) -> dict[str, Any]:
    """All of it, and whether it is well."""
    try:
        cluster = read_cluster(data, timeout=timeout)
        jobs = read_jobs(data, timeout=timeout)
    except (Rke2Silent, Rke2Refused) as exc:
        return {"healthy": False, "why": [exc.text], "members": [], "nodes": [], "readyz": {}, "jobs": [], "ca": ca_hash(data)}
    why = [*judge(cluster, servers, nodes)]
    ends = [*read_ends(data, now())]
    return {**cluster.to_data(), "healthy": not why, "why": why, "jobs": jobs, "certificates": ends, "ca": ca_hash(data)}
