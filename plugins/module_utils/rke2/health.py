# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the verification asks of a cluster that runs: checks with what was wanted and what was seen."""

from __future__ import annotations

import base64
import http.client
import json
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ..checks import Check
from . import layout
from .cluster import Cluster, Node, read_cluster, read_jobs
from .errors import Rke2Refused, Rke2Silent
from .node import secret_of
from .versions import image_tag

CERTIFICATE_DAYS: Final = 60
# What may yet come by itself after a start.
PASSING: Final = frozenset(
    {
        "cluster answers",
        "members of etcd",
        "leader",
        "node",
        "ready",
        "answers by itself",
        "ready, though nobody named it",
        "charts installed",
        "servers have the same keys",
        "registration address answers",
    }
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """`nodes` has by node its `role`, `config`, `labels`, `taints`, and by `found` what its host said. `images` are those of the
    archives, by processor."""

    version: str
    nodes: Mapping[str, Mapping[str, Any]]
    registration: Mapping[str, Any]
    fips: bool = False
    images: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def servers(self) -> list[str]:
        return [name for name, one in self.nodes.items() if one["role"] == "server"]


def check_health(data: Path, wanted: Wanted, *, timeout: float) -> Iterator[Check]:
    try:
        cluster = read_cluster(data, timeout=timeout)
        jobs = read_jobs(data, timeout=timeout)
    except (Rke2Silent, Rke2Refused) as exc:
        yield Check("cluster answers", "cluster", "yes", exc.text, ok=False)
        return
    yield from _members(cluster, wanted)
    yield from _nodes(cluster, wanted)
    yield from _jobs(jobs)
    yield from _encryption(data, timeout)
    yield from _registration(data, wanted.registration, timeout)
    for name, one in wanted.nodes.items():
        yield from _host(name, one, wanted)


def _members(cluster: Cluster, wanted: Wanted) -> Iterator[Check]:
    voters = sorted(one.name for one in cluster.members if one.voter)
    learners = [one.name for one in cluster.members if not one.voter]
    servers = sorted(wanted.servers)
    seen = f"{', '.join(voters)}{f'; learning {learners}' if learners else ''}"
    yield Check("members of etcd", "etcd", ", ".join(servers), seen, voters == servers and not learners)
    leaders = [one.name for one in cluster.members if one.leader]
    yield Check("leader", "etcd", "one", ", ".join(leaders) or "none", len(leaders) == 1)
    yield Check("alarms", "etcd", "none", ", ".join(cluster.alarms) or "none", not cluster.alarms)


def _nodes(cluster: Cluster, wanted: Wanted) -> Iterator[Check]:
    there = {one.name: one for one in cluster.nodes}
    for name, one in wanted.nodes.items():
        node = there.get(name)
        if node is None:
            yield Check("node", name, "in the cluster", "not there", ok=False)
            continue
        yield Check("ready", name, "Ready", "Ready" if node.ready else "not Ready", node.ready)
        yield Check("answers by itself", name, "ok", cluster.readyz[name], cluster.readyz[name] == "ok")
        yield Check("version", name, wanted.version, node.version, node.version == wanted.version)
        yield _labels(node, one)
    for name in sorted(set(there) - set(wanted.nodes)):
        ready = there[name].ready and cluster.readyz[name] == "ok"
        yield Check("ready, though nobody named it", name, "Ready", "Ready" if ready else cluster.readyz[name], ready)


def _labels(node: Node, one: Mapping[str, Any]) -> Check:
    labels = {key: node.labels.get(key) for key in one["labels"]}
    taints = [taint for taint in one["taints"] if taint in node.taints or taint.replace("=:", ":") in node.taints]
    seen = json.dumps([labels, taints], sort_keys=True)
    wished = json.dumps([dict(one["labels"]), list(one["taints"])], sort_keys=True)
    return Check("labels and taints", node.name, wished, seen, seen == wished)


def _jobs(jobs: list[dict[str, Any]]) -> Iterator[Check]:
    late = [one["name"] for one in jobs if not one["done"]]
    yield Check("charts installed", "kube-system", "all", f"{', '.join(late)} not yet" if late else "all", not late)


def _encryption(data: Path, timeout: float) -> Iterator[Check]:
    """All servers have to have the same keys, or a restart of one could lose secrets."""
    try:
        secret = secret_of((data / "server/token").read_text().strip())
        login = base64.b64encode(f"server:{secret}".encode()).decode()
        told = replace(layout.supervisor(data, "127.0.0.1", timeout), headers={"Authorization": f"Basic {login}"}).json(
            "GET", "/v1-rke2/encrypt/status"
        )
    except (OSError, Rke2Silent, Rke2Refused) as exc:
        yield Check("secrets are encrypted", "cluster", "yes", getattr(exc, "text", str(exc)), ok=False)
        return
    yield Check("secrets are encrypted", "cluster", "yes", "yes" if told.get("enable") else "no", bool(told.get("enable")))
    matches = bool(told.get("hashmatch"))
    yield Check("servers have the same keys", "cluster", "yes", "yes" if matches else str(told.get("hasherror", "no")), matches)


def _registration(data: Path, one: Mapping[str, Any], timeout: float) -> Iterator[Check]:
    """By the address itself, from this server; who holds it has to be one of ours, as the certificate shows."""
    host = one.get("address") or one.get("name")
    if one.get("mode", "none") == "none" or not host:
        return
    asked = {
        layout.SUPERVISOR: (layout.supervisor(data, host, timeout), "/v1-rke2/readyz"),
        layout.API: (layout.api(data, timeout, host), "/readyz"),
    }
    for port, (endpoint, path) in asked.items():
        try:
            status, _ = endpoint.ask("GET", path)
            seen, ok = str(status), status == http.client.OK
        except (Rke2Silent, socket.gaierror) as exc:
            seen, ok = str(exc), False
        yield Check("registration address answers", f"{host}:{port}", "200", seen, ok)


def _host(name: str, one: Mapping[str, Any], wanted: Wanted) -> Iterator[Check]:
    found = one["found"]
    yield Check("installed version", name, wanted.version, found["version"] or "none", found["version"] == wanted.version)
    unit = found["units"][f"rke2-{one['role']}"]
    state = f"{unit['state']}, {'enabled' if unit['enabled'] else 'not enabled'}"
    yield Check("unit", name, "active, enabled", state, unit["running"] and unit["enabled"])
    yield Check("runs with what it has", name, "yes", ", ".join(found["stale"]) or "yes", not found["stale"])
    ends = [each for each in found["certificates"] if not each["ca"]]
    first = min(ends, key=lambda each: each["days"], default=None)
    if first:
        seen = f"{first['days']} days, {first['file']}"
        yield Check("certificates", name, f"{CERTIFICATE_DAYS} days or more", seen, first["days"] >= CERTIFICATE_DAYS)
    if one["role"] == "server" and str(one["config"].get("profile", "")):
        yield Check("owner of etcd's data", name, "etcd:etcd", found["etcd_owner"] or "nobody", found["etcd_owner"] == "etcd:etcd")
    if wanted.fips:
        seen = f"{'built' if found['fips'] else 'not built'} for FIPS, kernel {found['kernel'].get('crypto.fips_enabled') or '0'}"
        yield Check("FIPS", name, "built for FIPS, kernel 1", seen, found["fips"] and found["kernel"].get("crypto.fips_enabled") == "1")
    yield from _images(name, one, wanted)


def _images(name: str, one: Mapping[str, Any], wanted: Wanted) -> Iterator[Check]:
    """What RKE2 unpacked of the runtime's image bears the version; the rest is asked from the container engine."""
    tag = image_tag(wanted.version)
    runtimes = one["found"]["runtimes"]
    yield Check("runtime", name, tag, ", ".join(runtimes) or "none", any(each.startswith(tag) for each in runtimes))
    if images := wanted.images.get(one["found"]["architecture"]):
        lost = sorted(set(images) - set(one["found"]["images"]))
        yield Check("images", name, f"{len(images)}", f"{', '.join(lost)} not there" if lost else f"{len(images)}", not lost)
