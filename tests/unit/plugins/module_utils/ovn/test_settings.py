# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import takewhile

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.settings import next_timer, plan_settings

WANTED = {"northd_probe_interval": "10000"}
THERE = {
    "NB_Global": [{"_uuid": "g", "connections": "c", "options": {"northd_probe_interval": "10000", "mac_prefix": "ab"}}],
    "Connection": [{"_uuid": "c", "target": "pssl:6641", "inactivity_probe": 10000}],
}
EMPTY = {"NB_Global": [], "Connection": []}


def changed(**more):
    connection = {**THERE["Connection"][0], **more}
    return {**THERE, "Connection": [connection]}


CASES = {
    "as wanted": (THERE, "pssl:6641", [], []),
    "new database": (
        EMPTY,
        "pssl:6641",
        ["pssl:6641: listens, probe every 10000 ms", "NB_Global northd_probe_interval = 10000"],
        ["wait", "insert", "insert", "mutate", "mutate"],
    ),
    "other probe": (changed(inactivity_probe=5000), "pssl:6641", ["pssl:6641: listens, probe every 10000 ms"], ["update"]),
    "another connection stays": (
        changed(target="ptcp:6641"),
        "pssl:6641",
        ["pssl:6641: listens, probe every 10000 ms"],
        ["insert", "mutate"],
    ),
    "connections of Kolla's stay": (changed(target="ptcp:6641:0.0.0.0", inactivity_probe=60000), "", [], []),
}


@pytest.mark.parametrize(("live", "target", "lines", "operations"), CASES.values(), ids=CASES)
def test_settings(live, target, lines, operations):
    said, work = plan_settings("nb", live, target, 10000, WANTED)
    assert (said, [one["op"] for one in work]) == (lines, operations)


@pytest.mark.parametrize(
    ("now", "wanted", "steps"), [(1000, 16000, [2000, 4000, 8000, 16000]), (1000, 1500, [1500]), (16000, 1000, [1000])]
)
def test_timer_at_most_doubles(now, wanted, steps):
    seen = []
    while now != wanted:
        now = next_timer(now, wanted)
        seen.append(now)
    assert seen == steps
    assert list(takewhile(lambda one: one < wanted, seen)) == seen[:-1]
