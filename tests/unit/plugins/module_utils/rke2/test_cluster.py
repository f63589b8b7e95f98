# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.cluster import Cluster, Member, Node, judge, taint_text
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.labels import LABELS, TAINTS, plan_node

SERVERS = ("a", "b", "c")


def member(name, **more):
    return Member(**{"name": name, "id": name, "address": "192.0.2.1", "voter": True, "leader": name == "a", **more})


def node(name, **more):
    base = {"address": "192.0.2.1", "ready": True, "server": name in SERVERS, "version": "v1", "schedulable": True}
    return Node(**{"name": name, **base, "labels": {}, "taints": (), "annotations": {}, **more})


def cluster(members=None, nodes=None, alarms=(), **silent):
    nodes = nodes or [node(name) for name in (*SERVERS, "d")]
    members = [member(name) for name in SERVERS] if members is None else members
    return Cluster(tuple(members), tuple(nodes), {one.name: silent.get(one.name, "ok") for one in nodes}, tuple(alarms))


CASES = {
    "well": (cluster(), ()),
    "learner": (cluster([member("a"), member("b"), member("c", voter=False)]), ("c is only a learner in etcd",)),
    "lost": (cluster([member("a"), member("b")]), ("c is no member of etcd", "c is a server, and no member of etcd")),
    "foreign": (cluster([member(name) for name in (*SERVERS, "x")]), ("etcd has a member x that should not be there",)),
    "no leader": (cluster([member(name, leader=False) for name in SERVERS]), ("etcd has no leader",)),
    "not ready": (cluster(nodes=[node("a"), node("b", ready=False), node("c"), node("d")]), ("b is not Ready",)),
    # What was measured: a server that was killed keeps its condition for a while.
    "killed": (cluster(b="connection refused"), ("b is not ready by itself: connection refused",)),
    "kubelet": (cluster(d="timed out"), ("d is not ready by itself: timed out",)),
    "gone": (cluster(nodes=[node(name) for name in SERVERS]), ("d is no node",)),
    "alarm": (cluster(alarms=["NOSPACE"]), ("etcd says NOSPACE",)),
}


@pytest.mark.parametrize(("seen", "why"), CASES.values(), ids=CASES)
def test_judge(seen, why):
    assert tuple(judge(seen, SERVERS, ["d"])) == why


def test_without_names_who_is_there_counts():
    assert list(judge(cluster([member("a")], [node("a")]))) == []


@pytest.mark.parametrize(
    ("taint", "text"),
    [({"key": "a", "value": "b", "effect": "NoSchedule"}, "a=b:NoSchedule"), ({"key": "a", "effect": "NoExecute"}, "a:NoExecute")],
)
def test_taint(taint, text):
    assert taint_text(taint) == text


def test_labels_are_set_and_noted():
    change = plan_node(node("a", labels={"kubernetes.io/os": "linux"}), {"rack": "R1"}, ["a=b:NoSchedule"])
    assert (change.labels, change.taints) == ({"rack": "R1"}, ["a=b:NoSchedule"])
    assert change.annotations == {LABELS: '["rack"]', TAINTS: '["a=b:NoSchedule"]'}


def test_what_fits_changes_nothing():
    noted = {LABELS: '["rack"]', TAINTS: '["a:NoSchedule"]'}
    living = node("a", labels={"rack": "R1", "own": "x"}, taints=("a:NoSchedule", "other:NoExecute"), annotations=noted)
    assert not plan_node(living, {"rack": "R1"}, ["a=:NoSchedule"])


def test_what_the_role_set_goes_and_others_stay():
    noted = {LABELS: '["rack"]', TAINTS: '["a:NoSchedule"]'}
    living = node("a", labels={"rack": "R1", "own": "x"}, taints=("a:NoSchedule", "other:NoExecute"), annotations=noted)
    change = plan_node(living, {}, [])
    assert (change.labels, change.taints) == ({"rack": None}, ["other:NoExecute"])
    assert change.annotations == {LABELS: None, TAINTS: None}


def test_what_is_only_noted_says_nothing():
    change = plan_node(node("a", labels={"rack": "R1"}), {"rack": "R1"}, [])
    assert change
    assert change.lines() == []
