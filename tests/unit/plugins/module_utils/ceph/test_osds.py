# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks that are replaced, on answers in Ceph's form: two hosts, two OSDs each, whose databases share a disk on the second host."""

from __future__ import annotations

from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.osds import OsdRefused, plan_removal, plan_return, progress


@pytest.fixture
def live() -> dict[str, Any]:
    nodes: list[dict[str, Any]] = [
        {"id": -1, "name": "default", "type": "root", "children": [-2, -3]},
        {"id": -2, "name": "one", "type": "host", "children": [0, 1]},
        {"id": -3, "name": "two", "type": "host", "children": [2, 3]},
        *({"id": n, "name": f"osd.{n}", "type": "osd", "status": "up", "reweight": 1.0} for n in range(4)),
    ]
    ids = ["sda=LAB_DISK_A0", "sdb=LAB_DISK_A1", "sda=LAB_DISK_B0,nvme0n1=LAB_NVME_DB", "sdb=LAB_DISK_B1,nvme0n1=LAB_NVME_DB"]
    return {
        "status": {
            "fsid": "an-id",
            "health": {"status": "HEALTH_OK", "checks": {}},
            "quorum_names": ["one"],
            "pgmap": {"pgs_by_state": [{"state_name": "active+clean", "count": 8}]},
        },
        "tree": {"nodes": nodes, "stray": []},
        "metadata": [{"id": n, "devices": "", "device_ids": one} for n, one in enumerate(ids)],
        "monitors": {"mons": [{"name": "one"}]},
        "versions": {"overall": {}},
        "running": [],
        "errors": [],
        "removals": None,
        "osds": {"nearfull_ratio": 0.85},
        "usage": {"nodes": [{"id": n, "kb": 1000, "kb_used": 100} for n in range(4)]},
    }


def osd(live, number):
    return next(one for one in live["tree"]["nodes"] if one["id"] == number)


@pytest.mark.parametrize(
    ("host", "serial", "osds"),
    [("one", "A1", (1,)), ("one", "a1", (1,)), ("two", "DB", (2, 3))],
    ids=["a data disk", "in other letters", "a disk of databases has all its OSDs"],
)
def test_found_by_serial(live, host, serial, osds):
    plan = plan_removal(host, serial, live)
    assert (plan.osds, [step.command.arguments for step in plan.steps]) == (osds, [{"osd_id": [str(n)], "replace": True} for n in osds])
    assert plan.awaited == tuple(f"osd.{n}" for n in osds)


@pytest.mark.parametrize(("host", "serial"), [("two", "A1"), ("one", "1"), ("one", "DISK_A1")], ids=["another host's", "a part", "more"])
def test_no_other_disk_is_taken(live, host, serial):
    with pytest.raises(OsdRefused, match=f"No OSD of {host} is on a disk {serial}; its OSDs are on"):
        plan_removal(host, serial, live)


def test_it_is_asked_once_and_awaited(live):
    live["removals"] = [{"osd_id": 1, "pg_count": 7}, {"osd_id": 3, "pg_count": 9}]
    live["status"]["pgmap"]["degraded_ratio"] = 0.25
    plan = plan_removal("one", "A1", live)
    assert (plan.steps, plan.awaited) == ((), ("osd.1",))
    assert progress(plan, live) == "osd.1 still has 7 placement groups, 25.0 % of the objects degraded"
    live["removals"] = []
    osd(live, 1)["status"] = "destroyed"
    done = plan_removal("one", "A1", live)
    assert (done.steps, done.awaited) == ((), ())


def test_room_is_needed_for_what_is_moved(live):
    for one in live["usage"]["nodes"]:
        one["kb_used"] = 700
    with pytest.raises(OsdRefused, match="before they are nearly full"):
        plan_removal("one", "A1", live)


def test_a_lost_disk_is_given_up_at_once(live):
    with pytest.raises(OsdRefused, match=r"osd\.1 is not lost: it runs"):
        plan_removal("one", "A1", live, lost=True)
    osd(live, 1)["status"] = "down"
    plan = plan_removal("one", "A1", live, lost=True)
    assert ([step.command.prefix for step in plan.steps], plan.awaited) == (["osd destroy"], ())
    live["status"]["pgmap"]["pgs_by_state"] = [{"state_name": "active+undersized", "count": 7}, {"state_name": "down", "count": 1}]
    with pytest.raises(OsdRefused, match="1 placement groups are not active: the disk may hold the last copy"):
        plan_removal("one", "A1", live, lost=True)


def test_what_cannot_wait_is_removed_whole(live):
    (step,) = plan_removal("one", "A1", live, keep=False).steps
    assert step.command.arguments == {"osd_id": ["1"], "replace": False}
    live["tree"]["nodes"] = [one for one in live["tree"]["nodes"] if one["id"] != 1]
    live["tree"]["nodes"][1]["children"] = [0]
    assert plan_removal("one", "A1", live, keep=False, begun=True).awaited == ()
    with pytest.raises(OsdRefused, match="No OSD of one is on a disk A1"):
        plan_removal("one", "A1", live, keep=False)


def test_a_lost_disk_that_cannot_wait(live):
    osd(live, 1)["status"] = "down"
    (step,) = plan_removal("one", "A1", live, lost=True, keep=False).steps
    assert step.command.prefix == "osd purge"


def test_disks_that_came_back(live):
    assert plan_return("one", live).steps == ()
    osd(live, 0)["status"] = osd(live, 1)["status"] = "down"
    plan = plan_return("one", live)
    assert ([one.command.arguments for one in plan.steps], plan.awaited) == ([{"host": ["one"]}], ("osd.0", "osd.1"))
