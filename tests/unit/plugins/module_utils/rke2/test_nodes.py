# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.cluster import Cluster, Member
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.nodes import plan_removal, stale


def cluster(alive, dead=(), learners=()):
    members = [Member(name, name, "192.0.2.1", name not in learners, name == "a") for name in [*alive, *dead]]
    return Cluster(tuple(members), (), {name: "ok" if name in alive else "no answer" for name in [*alive, *dead, "agent"]}, ())


@pytest.mark.parametrize(
    ("found", "name", "words"),
    [
        (cluster("abc"), "c", ""),
        (cluster("ab", "c"), "c", ""),
        (cluster("ab", "c"), "b", "c is down too"),
        (cluster("a", "bc"), "c", "b is down too"),
        (cluster("abc", "de"), "e", ""),
        (cluster("abc", "de"), "c", "d, e is down too"),
        (cluster("ab"), "b", ""),
        (cluster("a"), "a", "the only server"),
        (cluster("abc", learners="c"), "b", "c is still a learner"),
        (cluster("abc", learners="c"), "c", ""),
        (cluster("abc"), "agent", ""),
        (cluster("abc"), "nobody", ""),
    ],
    ids=[
        "living of three", "dead of three", "living beside a dead one", "two of three dead", "dead of five, another dead",
        "living of five beside two dead", "one of two", "the only one", "beside a learner", "a learner", "an agent", "who is not there",
    ],
)  # fmt: skip
def test_who_may_be_taken_out(found, name, words):
    refused = plan_removal(found, name)
    assert words in refused if words else refused == ""


@pytest.mark.parametrize(
    ("nodes", "wanted", "ready", "gone"),
    [(["a", "b", "old"], ["a", "b"], ["a"], ["old"]), (["a", "alive"], ["a"], ["a", "alive"], []), (["a", "b"], ["a", "b"], [], [])],
    ids=["old", "lives and is not wanted", "wanted and not up yet"],
)
def test_stale(nodes, wanted, ready, gone):
    assert stale(nodes, wanted, ready) == gone
