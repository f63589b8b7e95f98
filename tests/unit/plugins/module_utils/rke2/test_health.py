# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2 import health
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.cluster import Cluster, Member, Node
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import Rke2Silent
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.health import PASSING, Wanted, check_health

VERSION = "v1.34.1+rke2r1"
# Without files of a token there is nobody to ask for the encryption.
SECRETS = {"secrets are encrypted", "servers have the same keys"}


def member(name, **more):
    return Member(**{"name": name, "id": name, "address": "", "voter": True, "leader": name == "a", **more})


def node(name, **more):
    base = {"address": "192.0.2.1", "ready": True, "server": name == "a", "version": VERSION, "schedulable": True}
    return Node(**{"name": name, **base, "labels": {"rack": "R1"}, "taints": ("x:NoSchedule",), "annotations": {}, **more})


def found(role, **more):
    unit = {"state": "active", "running": True, "enabled": True}
    return {
        "version": VERSION,
        "units": {f"rke2-{role}": unit},
        "stale": [],
        "certificates": [{"file": "x.crt", "days": 300, "ca": False}, {"file": "ca.crt", "days": 1, "ca": True}],
        "etcd_owner": "etcd:etcd",
        "fips": True,
        "kernel": {"crypto.fips_enabled": "1"},
        "runtimes": ["v1.34.1-rke2r1-abc"],
        "images": ["rancher/pause:1"],
        "architecture": "amd64",
        **more,
    }


def wanted(fips=False, images=("rancher/pause:1",), **more):
    roles = {"a": "server", "b": "agent"}
    nodes = {
        name: {"role": role, "config": {"profile": "cis"}, "labels": {"rack": "R1"}, "taints": ["x=:NoSchedule"], "found": found(role)}
        for name, role in roles.items()
    }
    for name, changed in more.items():
        nodes[name] = {**nodes[name], **changed}
    return Wanted(VERSION, nodes, {"mode": "none"}, fips=fips, images={"amd64": images})


@pytest.fixture
def wrong(monkeypatch):
    def run(wish=None, members=None, nodes=None, jobs=(), **readyz):
        nodes = nodes or [node("a"), node("b")]
        cluster = Cluster(tuple(members or [member("a")]), tuple(nodes), {one.name: readyz.get(one.name, "ok") for one in nodes}, ())
        monkeypatch.setattr(health, "read_cluster", lambda *_, **__: cluster)
        monkeypatch.setattr(health, "read_jobs", lambda *_, **__: list(jobs))
        checks = check_health(Path("/nowhere"), wish or wanted(), timeout=1)
        return [(one.target, one.check) for one in checks if not one.ok and one.check not in SECRETS]

    return run


def test_well(wrong):
    assert wrong() == []
    assert wrong(wanted(fips=True)) == []


def changed(role, **more):
    return {"found": found(role, **more)}


CASES = {
    "learner": ({"members": [member("a"), member("c", voter=False)]}, ("etcd", "members of etcd")),
    "leader": ({"members": [member("a", leader=False)]}, ("etcd", "leader")),
    "node": ({"nodes": [node("a")]}, ("b", "node")),
    "ready": ({"nodes": [node("a"), node("b", ready=False)]}, ("b", "ready")),
    "silent": ({"b": "refused"}, ("b", "answers by itself")),
    "old": ({"nodes": [node("a"), node("b", version="v1")]}, ("b", "version")),
    "label": ({"nodes": [node("a", labels={}), node("b")]}, ("a", "labels and taints")),
    "taint": ({"nodes": [node("a", taints=()), node("b")]}, ("a", "labels and taints")),
    "stranger": ({"nodes": [node("a"), node("b"), node("c", ready=False)]}, ("c", "ready, though nobody named it")),
    "charts": ({"jobs": [{"name": "helm-install-x", "done": False}]}, ("kube-system", "charts installed")),
    "installed": ({"wish": wanted(b=changed("agent", version=""))}, ("b", "installed version")),
    "stale": ({"wish": wanted(a=changed("server", stale=["config.yaml"]))}, ("a", "runs with what it has")),
    "ends": ({"wish": wanted(a=changed("server", certificates=[{"file": "x", "days": 59, "ca": False}]))}, ("a", "certificates")),
    "owner": ({"wish": wanted(a=changed("server", etcd_owner="root:root"))}, ("a", "owner of etcd's data")),
    "fips": ({"wish": wanted(fips=True, b=changed("agent", fips=False))}, ("b", "FIPS")),
    "kernel": ({"wish": wanted(fips=True, b=changed("agent", kernel={}))}, ("b", "FIPS")),
    "runtime": ({"wish": wanted(b=changed("agent", runtimes=["v1.33.1-rke2r1-x"]))}, ("b", "runtime")),
    "images": ({"wish": wanted(b=changed("agent", images=[]))}, ("b", "images")),
}


@pytest.mark.parametrize(("given", "expected"), CASES.values(), ids=CASES)
def test_not_well(wrong, given, expected):
    assert wrong(**given) == [expected]


def test_a_silent_cluster(monkeypatch):
    def silent(*_, **__):
        raise Rke2Silent("127.0.0.1:6443 gives no answer")

    monkeypatch.setattr(health, "read_cluster", silent)
    assert [one.check for one in check_health(Path("/nowhere"), wanted(), timeout=1)] == ["cluster answers"]


def test_what_may_pass_is_a_check(wrong, monkeypatch):
    monkeypatch.setattr(health, "_registration", lambda *_: iter(()))
    names = {check for _, (_, check) in CASES.values()} | SECRETS | {"cluster answers", "registration address answers"}
    assert names >= PASSING
