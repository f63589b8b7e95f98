# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.walking import plan_walk

OLD, NEW = "v1.34.1+rke2r1", "v1.34.2+rke2r1"
NAMES = {"s1": "s1", "s2": "s2", "s3": "s3", "a1": "node-of-a1"}


def cluster(versions, leader="s1"):
    nodes = [{"name": NAMES[host], "server": host.startswith("s"), "version": version} for host, version in versions.items()]
    return {"nodes": nodes, "members": [{"name": one["name"], "leader": one["name"] == leader} for one in nodes if one["server"]]}


@pytest.mark.parametrize(
    ("versions", "due"),
    [
        ({"s1": OLD, "s2": OLD, "s3": OLD, "a1": OLD}, ("s2", "s3", "s1", "a1")),
        ({"s1": OLD, "s2": NEW, "s3": OLD, "a1": OLD}, ("s3", "s1", "a1")),
        ({"s1": NEW, "s2": NEW, "s3": NEW, "a1": OLD}, ("a1",)),
        ({"s1": NEW, "s2": NEW, "s3": NEW, "a1": NEW}, ()),
    ],
    ids=["all", "cut off after the first", "agents left", "done"],
)
def test_the_leader_is_last_and_agents_after_it(versions, due):
    assert plan_walk(cluster(versions), NAMES, NEW).due == due


@pytest.mark.parametrize(
    ("has", "wanted", "words"),
    [
        (NEW, OLD, ""),
        (OLD, OLD, ""),
        (OLD, NEW, "would be an upgrade: frontier.vitro.rke2_upgrade"),
        ("v1.35.1+rke2r1", OLD, "a minor has no way back: that needs the snapshot from before"),
        ("v1.33.11+rke2r1", "v1.33.10+rke2r1", "etcd 3.6, and v1.33.10+rke2r1 has 3.5"),
        ("v1.33.9+rke2r1", "v1.33.8+rke2r1", ""),
        ("nightly", OLD, "nightly, which is no release"),
    ],
    ids=["a patch", "the same", "forward", "a minor", "etcd", "both before etcd 3.6", "no release"],
)
def test_the_way_back(has, wanted, words):
    walk = plan_walk(cluster({"s1": has}), NAMES, wanted, back=True)
    assert (words in walk.refused if words else walk.refused == "") and bool(walk.due) is (not words and has != wanted)


def test_no_way_back_to_what_is_no_release():
    assert "latest is no release" in plan_walk(cluster({"s1": NEW}), NAMES, "latest", back=True).refused
