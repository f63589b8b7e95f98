# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts that go, on answers in Ceph's form: three hosts in three racks, two OSDs each, a pool with three copies."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.hosts import HostRefused, plan_host, progress

NAMES = ["one", "two", "three", "four"]


def cluster(names: list[str]) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = [{"id": -1, "name": "default", "type": "root", "children": [-10 - n for n in range(len(names))]}]
    for n, name in enumerate(names):
        nodes.append({"id": -10 - n, "name": name, "type": "host", "children": [2 * n, 2 * n + 1]})
        nodes += [{"id": 2 * n + k, "name": f"osd.{2 * n + k}", "type": "osd", "status": "up", "reweight": 1.0} for k in (0, 1)]
    return {
        "status": {
            "fsid": "an-id",
            "health": {"status": "HEALTH_OK", "checks": {}},
            "quorum_names": names[:3],
            "pgmap": {"pgs_by_state": [{"state_name": "active+clean", "count": 8}]},
        },
        "tree": {"nodes": nodes, "stray": []},
        "metadata": [],
        "monitors": {"mons": [{"name": name} for name in names[:3]]},
        "versions": {"overall": {}},
        "running": [],
        "errors": [],
        "hosts": [{"hostname": name, "labels": ["osd"], "status": ""} for name in names],
        "daemons": [{"hostname": name, "daemon_type": "mgr", "daemon_id": f"{name}.abc", "status_desc": "running"} for name in names],
        "removals": None,
        "manager": {"active_name": "one.abc"},
        "osds": {"pools": [{"pool_name": "images", "size": 3, "crush_rule": 1}], "nearfull_ratio": 0.85},
        "rules": [{"rule_id": 1, "steps": [{"op": "take"}, {"op": "chooseleaf_firstn", "type": "host"}, {"op": "emit"}]}],
        "usage": {"nodes": [{"id": n, "kb": 1000, "kb_used": 100} for n in range(2 * len(names))]},
    }


@pytest.fixture
def live():
    return deepcopy(cluster(NAMES))


def words(plan) -> list[str]:
    return [step.what for step in plan.steps]


def host(live, name):
    return next(one for one in live["hosts"] if one["hostname"] == name)


def test_rest_and_back(live):
    assert words(plan_host("two", "maintenance", live)) == ["two enters maintenance"]
    host(live, "two")["status"] = "Maintenance"
    assert words(plan_host("two", "maintenance", live)) == []
    assert words(plan_host("two", "active", live)) == ["two leaves maintenance"]
    host(live, "two")["status"] = ""
    assert words(plan_host("two", "active", live)) == []


def test_the_active_manager_goes_first(live):
    assert words(plan_host("one", "maintenance", live)) == ["another manager takes over from one", "one enters maintenance"]


def test_emptied_then_removed(live):
    plan = plan_host("four", "drained", live)
    assert (words(plan), plan.awaited) == (["four gives its data to the others"], ("mgr.four.abc",))
    host(live, "four")["labels"].append("_no_schedule")
    live["removals"] = [{"osd_id": 6, "pg_count": 12}, {"osd_id": 7, "pg_count": -1}]
    plan = plan_host("four", "drained", live)
    assert words(plan) == []
    assert progress("four", plan, live) == "four still has 1 daemons and 12 placement groups"
    with pytest.raises(HostRefused, match="it still has 1 daemons"):
        plan_host("four", "absent", live)
    live["daemons"] = [one for one in live["daemons"] if one["hostname"] != "four"]
    assert plan_host("four", "drained", live).awaited == ()
    assert words(plan_host("four", "absent", live)) == ["four is removed"]
    live["hosts"] = [one for one in live["hosts"] if one["hostname"] != "four"]
    assert words(plan_host("four", "absent", live)) == []


def test_a_lost_host_is_forgotten_only_when_it_is_lost(live):
    with pytest.raises(HostRefused, match="four is not lost: cephadm reaches it"):
        plan_host("four", "absent", live, lost=True)
    host(live, "four")["status"] = "Offline"
    (step,) = plan_host("four", "absent", live, lost=True).steps
    assert step.command.arguments == {"hostname": "four", "force": True, "offline": True}


def test_a_cancelled_removal(live):
    host(live, "four")["labels"].append("_no_schedule")
    assert words(plan_host("four", "active", live)) == ["four takes daemons again"]


@pytest.mark.parametrize(
    ("name", "state", "change", "said"),
    [
        ("nobody", "maintenance", {}, "has no host nobody; it has four, one, three, two"),
        (
            "two",
            "maintenance",
            {"hosts": [{"hostname": "two", "status": "", "labels": []}, {"hostname": "one", "status": "Maintenance", "labels": []}]},
            "one is in maintenance already",
        ),
        ("two", "maintenance", {"status/quorum_names": ["one", "two"]}, "of 3 monitors only one would be left"),
        (
            "two",
            "maintenance",
            {"status/pgmap/pgs_by_state": [{"state_name": "active+undersized", "count": 3}]},
            "3 placement groups are not active",
        ),
        (
            "two",
            "maintenance",
            {"daemons": [{"hostname": "two", "daemon_type": "rgw", "daemon_id": "a", "status_desc": "running"}]},
            "no other host has a running object gateway",
        ),
        ("two", "drained", {"status/quorum_names": ["one", "two"]}, "which is no quorum"),
        ("two", "drained", {"osds/pools/0/size": 4}, "the pool images is spread over 4 hosts, and 3 would be left"),
        ("two", "drained", {"usage/nodes": [{"id": n, "kb": 1000, "kb_used": 700} for n in range(8)]}, "before they are nearly full"),
    ],
)
def test_refused(live, name, state, change, said):
    for path, value in change.items():
        at: Any = live
        *way, last = path.split("/")
        for part in way:
            at = at[int(part)] if isinstance(at, list) else at[part]
        at[last] = value
    with pytest.raises(HostRefused, match=said):
        plan_host(name, state, live)


def test_all_that_speaks_against_it_at_once(live):
    live["osds"]["pools"][0]["size"] = 4
    live["status"]["quorum_names"] = ["one", "two"]
    with pytest.raises(HostRefused, match=r"\(1\) of 3 monitors .*\(2\) the pool images"):
        plan_host("two", "drained", live)
