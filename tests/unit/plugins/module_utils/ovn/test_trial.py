# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.trial import (
    ASKED,
    ask,
    asked_by,
    places,
    plan_made,
    plan_plugged,
    plan_removed,
    plan_unplugged,
)

EMPTY = {"Logical_Switch": [], "Logical_Router": []}
LEFT = {"Logical_Switch": [{"_uuid": "s", "name": "vitro-trial-0", "ports": []}, {"_uuid": "t", "name": "tenant", "ports": []}],
        "Logical_Router": [{"_uuid": "r", "name": "vitro-trial", "ports": []}]}  # fmt: skip


def test_places_differ():
    many = places([f"cloud-{number:03d}" for number in range(600)])
    assert len({one.address for one in many}) == len({one.mac for one in many}) == 600
    assert {one.side for one in many[:2]} == {0, 1}


def test_ring():
    many = places([f"cloud-{number:02d}" for number in range(20)])
    asked = [other.chassis for one in many for other in asked_by(one.chassis, many)]
    assert all(asked.count(one.chassis) == ASKED for one in many)
    three = places(["a", "b", "c"])
    assert [one.chassis for one in asked_by("c", three)] == ["a", "b"]


def test_made_after_an_interrupted_one():
    work = plan_made(LEFT, places(["a", "b"]))
    assert [one["where"][0][2] for one in work if one["op"] == "delete"] == [["uuid", "s"], ["uuid", "r"]]
    assert [one["row"]["name"] for one in work if one.get("table") in ("Logical_Switch", "Logical_Router") and one["op"] == "insert"] == [
        "vitro-trial-0",
        "vitro-trial-1",
        "vitro-trial",
    ]
    assert plan_removed(EMPTY) == []


def test_plugged_and_unplugged():
    live = {"Bridge": [{"_uuid": "b", "name": "br-int", "ports": ["p", "q"]}], "Port": [{"_uuid": "p", "name": "vitro-trial"}]}
    assert plan_unplugged(live)[0]["mutations"] == [["ports", "delete", ["set", [["uuid", "p"]]]]]
    assert plan_plugged(live, places(["a"])[0])[0]["row"]["external_ids"] == ["map", [["iface-id", "vitro-trial-a"]]]
    assert plan_plugged({"Bridge": [], "Port": []}, places(["a"])[0]) == []
    assert plan_unplugged({"Bridge": [], "Port": []}) == []


@pytest.mark.parametrize("silent", ["", "198.18.4.10"])
def test_ask(silent):
    asked = []

    def run(command):
        asked.append(command)
        return (1, "1 packets transmitted, 0 received\n") if command[-1] == silent else (0, "")

    checks = [*ask("a", places(["a", "b", "c"]), 1442, 0, run)]
    assert [one.check for one in checks] == ["packet through a router", "packet through a switch"]
    assert [one.ok for one in checks] == [not silent, True]
    assert "1414" in asked[0]
