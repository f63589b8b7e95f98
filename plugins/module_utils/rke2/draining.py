# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that are to be left alone for a while: cordoned, and emptied by the API's own evictions, which keep disruption budgets.

As `kubectl drain --ignore-daemonsets --delete-emptydir-data`, but what blocks is told by name.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from .errors import NodeRefused, Rke2Refused, Rke2Silent
from .https import Endpoint

MIRROR: Final = "kubernetes.io/config.mirror"
ENDED: Final = ("Succeeded", "Failed")
PAUSE: Final = 2.0
TOO_MANY, MISSING, BAD = 429, 404, 400
MERGE: Final = "application/merge-patch+json"
OURS: Final = "vitro.frontier/cordoned"


@dataclass(frozen=True, slots=True)
class Pod:
    namespace: str
    name: str
    uid: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def path(self) -> str:
        return f"/api/v1/namespaces/{quote(self.namespace)}/pods/{quote(self.name)}"


def plan_evictions(pods: Iterable[Mapping[str, Any]]) -> list[Pod]:
    """Which pods have to leave a node: not those that belong to it (of a DaemonSet, or static ones), nor those that have ended."""
    leaving = []
    for one in pods:
        meta = one["metadata"]
        owners = [owner["kind"] for owner in meta.get("ownerReferences", ()) if owner.get("controller")]
        if MIRROR in meta.get("annotations", {}) or "DaemonSet" in owners or one.get("status", {}).get("phase") in ENDED:
            continue
        leaving.append(Pod(meta["namespace"], meta["name"], meta["uid"]))
    return sorted(leaving, key=str)


def budgets_of(pod: Mapping[str, Any], budgets: Iterable[Mapping[str, Any]]) -> list[str]:
    """The disruption budgets that hold a pod, with what they want and have."""
    labels = pod["metadata"].get("labels", {})
    held = []
    for one in budgets:
        selector = one["spec"].get("selector")
        if one["metadata"]["namespace"] != pod["metadata"]["namespace"] or selector is None or not _selected(labels, selector):
            continue
        status = one.get("status", {})
        held.append(
            f"{one['metadata']['name']} (wants {status.get('desiredHealthy', '?')} of {status.get('expectedPods', '?')} healthy, "
            f"and {status.get('currentHealthy', '?')} are)"
        )
    return sorted(held)


def _selected(labels: Mapping[str, str], selector: Mapping[str, Any]) -> bool:
    kept = all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items())
    return kept and all(_expressed(labels, one) for one in selector.get("matchExpressions", ()))


def _expressed(labels: Mapping[str, str], one: Mapping[str, Any]) -> bool:
    there, value = one["key"] in labels, labels.get(one["key"])
    among = value in one.get("values", ())
    return {"In": there and among, "NotIn": not there or not among, "Exists": there, "DoesNotExist": not there}[one["operator"]]


def read_pods(api: Endpoint, node: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.json("GET", f"/api/v1/pods?fieldSelector=spec.nodeName%3D{quote(node)}")["items"]
    return items


def cordon(api: Endpoint, node: str, *, check_mode: bool) -> bool:
    """Let no more pods come to a node; whether that is a change. It is noted whose doing that is."""
    if read_node(api, node)["spec"].get("unschedulable", False):
        return False
    if not check_mode:
        _patch(api, node, {"metadata": {"annotations": {OURS: "true"}}, "spec": {"unschedulable": True}})
    return True


def uncordon(api: Endpoint, node: str, *, check_mode: bool) -> bool:
    """Let pods come again, unless somebody else keeps them away; whether that is a change."""
    if OURS not in read_node(api, node)["metadata"].get("annotations", {}):
        return False
    if not check_mode:
        _patch(api, node, {"metadata": {"annotations": {OURS: None}}, "spec": {"unschedulable": None}})
    return True


def read_node(api: Endpoint, node: str) -> dict[str, Any]:
    told: dict[str, Any] = api.json("GET", f"/api/v1/nodes/{quote(node)}")
    return told


def _patch(api: Endpoint, node: str, change: dict[str, Any]) -> None:
    api.json("PATCH", f"/api/v1/nodes/{quote(node)}", change, MERGE)


def drain(api: Endpoint, node: str, patience: float) -> list[str]:
    """Evict all that has to leave, and wait until it is gone; who left."""
    pods = read_pods(api, node)
    leaving = plan_evictions(pods)
    left, until = [str(one) for one in leaving], time.monotonic() + patience
    blocked: dict[str, str] = {}
    while leaving:
        blocked = {}
        for pod in leaving:
            if said := _evict(api, pod):
                blocked[str(pod)] = said
        leaving = _there(api, node, leaving)
        if leaving and time.monotonic() > until:
            raise NodeRefused(
                _blocked(api, node, patience, leaving, blocked), cure="Give the workload another replica, or loosen its budget"
            )
        if leaving:
            time.sleep(PAUSE)
    return left


def _evict(api: Endpoint, pod: Pod) -> str:
    """Why it may not leave now; empty if it may. An API that is away for a moment is asked again."""
    body = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": pod.name, "namespace": pod.namespace},
        "deleteOptions": {"preconditions": {"uid": pod.uid}},
    }
    try:
        status, said = api.ask("POST", f"{pod.path}/eviction", body)
    except Rke2Silent as exc:
        return exc.text
    # Gone already, or another one of the same name by now.
    if status < BAD or status in (MISSING, 409):
        return ""
    if status == TOO_MANY:
        return "a disruption budget"
    raise Rke2Refused(f"The API gave {status} to the eviction of {pod}: {said.decode(errors='replace')[:300]}")


def _there(api: Endpoint, node: str, pods: Sequence[Pod]) -> list[Pod]:
    try:
        uids = {one["metadata"]["uid"] for one in read_pods(api, node)}
    except Rke2Silent:
        return list(pods)
    return [one for one in pods if one.uid in uids]


def _blocked(api: Endpoint, node: str, patience: float, pods: Sequence[Pod], blocked: Mapping[str, str]) -> str:
    budgets = api.json("GET", "/apis/policy/v1/poddisruptionbudgets")["items"]
    told = {one["metadata"]["uid"]: one for one in read_pods(api, node)}
    reasons = []
    for pod in pods:
        held = budgets_of(told[pod.uid], budgets) if pod.uid in told and str(pod) in blocked else []
        reasons.append(f"{pod} ({'held by the budget ' + ', '.join(held) if held else blocked.get(str(pod), 'it takes long to end')})")
    return f"{node} is not empty after {patience:g} s: {'; '.join(reasons)}"
