# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2 import draining
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.draining import OURS, budgets_of, cordon, drain, plan_evictions, uncordon
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import NodeRefused, Rke2Refused, Rke2Silent


def pod(name, *, owner="", annotations=None, phase="Running", labels=None):
    owners = [{"kind": owner, "controller": True}] if owner else []
    meta = {"namespace": "apps", "name": name, "uid": f"uid-{name}", "ownerReferences": owners}
    return {"metadata": {**meta, "annotations": annotations or {}, "labels": labels or {}}, "status": {"phase": phase}}


@pytest.mark.parametrize(
    ("one", "leaves"),
    [
        (pod("web", owner="ReplicaSet"), True),
        (pod("alone"), True),
        (pod("agent", owner="DaemonSet"), False),
        (pod("etcd", annotations={"kubernetes.io/config.mirror": "x"}), False),
        (pod("job", owner="Job", phase="Succeeded"), False),
        (pod("job", owner="Job", phase="Failed"), False),
        (pod("new", phase="Pending"), True),
    ],
    ids=["of a set", "of nobody", "of a DaemonSet", "static", "done", "failed", "pending"],
)
def test_who_leaves(one, leaves):
    assert bool(plan_evictions([one])) is leaves


def budget(selector, namespace="apps"):
    meta = {"name": "guard", "namespace": namespace}
    return {"metadata": meta, "spec": {"selector": selector}, "status": {"desiredHealthy": 1, "expectedPods": 1, "currentHealthy": 1}}


@pytest.mark.parametrize(
    ("selector", "namespace", "held"),
    [
        ({"matchLabels": {"app": "web"}}, "apps", True),
        ({"matchLabels": {"app": "web"}}, "others", False),
        ({"matchLabels": {"app": "db"}}, "apps", False),
        ({}, "apps", True),
        (None, "apps", False),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["web", "db"]}]}, "apps", True),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}, "apps", False),
        ({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["web"]}]}, "apps", True),
        ({"matchExpressions": [{"key": "app", "operator": "Exists"}]}, "apps", True),
        ({"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}, "apps", False),
    ],
)
def test_which_budget_holds_a_pod(selector, namespace, held):
    told = budgets_of(pod("web", labels={"app": "web"}), [budget(selector, namespace)])
    assert told == (["guard (wants 1 of 1 healthy, and 1 are)"] if held else [])


class Api:
    """An API with pods on one node; `answers` are the statuses of evictions, one after the other, the last for ever."""

    def __init__(self, pods, answers, budgets=()):
        self.pods, self.answers, self.budgets, self.patches = {one["metadata"]["name"]: one for one in pods}, list(answers), budgets, []
        self.node = {"metadata": {"annotations": {}}, "spec": {}}

    def json(self, method, path, body=None, kind=""):
        if method == "PATCH":
            self.patches.append(body)
            return {}
        if path.startswith("/apis/policy"):
            return {"items": list(self.budgets)}
        return self.node if "/nodes/" in path else {"items": list(self.pods.values())}

    def ask(self, method, path, body=None, kind=""):
        status = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(status, Exception):
            raise status
        if status == 201:
            del self.pods[body["metadata"]["name"]]
        return status, json.dumps({"message": "no"}).encode()


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(draining, "PAUSE", 0)


@pytest.mark.parametrize("answers", [[201], [429, 429, 201], [Rke2Silent("away"), 201]], ids=["at once", "held a while", "API away"])
def test_drained(answers):
    api = Api([pod("web"), pod("agent", owner="DaemonSet")], answers)
    assert drain(api, "lab-01", 5) == ["apps/web"]
    assert list(api.pods) == ["agent"]


def test_who_blocks_is_told_with_the_budget():
    api = Api([pod("web", labels={"app": "web"})], [429], [budget({"matchLabels": {"app": "web"}})])
    with pytest.raises(NodeRefused, match=r"lab-01 is not empty after 0 s: apps/web \(held by the budget guard \(wants 1 of 1 healthy"):
        drain(api, "lab-01", 0)


def test_one_that_takes_long_is_told_too():
    api = Api([pod("web")], [200])
    with pytest.raises(NodeRefused, match=r"apps/web \(it takes long to end\)"):
        drain(api, "lab-01", 0)


def test_an_error_is_no_wait():
    with pytest.raises(Rke2Refused, match="The API gave 500 to the eviction of apps/web"):
        drain(Api([pod("web")], [500]), "lab-01", 5)


def test_only_what_we_cordoned_is_let_free():
    api = Api([], [201])
    assert cordon(api, "lab-01", check_mode=True)
    assert api.patches == []
    assert cordon(api, "lab-01", check_mode=False)
    api.node["spec"] = {"unschedulable": True}
    assert not cordon(api, "lab-01", check_mode=False)
    assert not uncordon(api, "lab-01", check_mode=False)
    api.node["metadata"]["annotations"] = {OURS: "true"}
    assert uncordon(api, "lab-01", check_mode=False)
    assert [one["spec"]["unschedulable"] for one in api.patches] == [True, None]
