# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import pairwise

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.gateways import (
    MOST,
    plan_gateways,
    plan_rows,
    plan_spread,
    ranking,
    rankings,
    ring,
    summary,
)

RACKS = {"a1": "A", "a2": "A", "b1": "B", "b2": "B", "c1": "C"}
ORDER = ring(RACKS)


def test_ring():
    assert ORDER == ["a1", "b1", "c1", "a2", "b2"]
    assert all(RACKS[one] != RACKS[other] for one, other in pairwise(ORDER))
    assert ring({"x": None, "w": None}) == ["w", "x"]


def test_ranking_goes_round():
    assert ranking(ORDER, "c1") == ["c1", "a2", "b2", "a1", "b1"]
    assert len(ranking([f"n{number}" for number in range(9)], "n8")) == MOST


SPREADS = {
    "new ones go where there are fewest": ({"p1": [], "p2": [], "p3": []}, ["a1", "b1", "c1"]),
    "what fits stays": ({"p1": ["c1"], "p2": ["b1", "a1"], "p3": []}, ["c1", "b1", "a1"]),
    "too many on one": ({"p1": ["a1"], "p2": ["a1"], "p3": ["a1"]}, ["a1", "b1", "c1"]),
    "one that nobody planned": ({"p1": ["old"], "p2": ["a1"], "p3": ["b1"]}, ["c1", "a1", "b1"]),
}


@pytest.mark.parametrize(("current", "first"), SPREADS.values(), ids=SPREADS)
def test_spread(current, first):
    planned = plan_spread(current, ORDER)
    assert [planned[port][0] for port in ("p1", "p2", "p3")] == first
    assert plan_spread(planned, ORDER) == planned, "a second run moves nothing"


def test_spread_is_even():
    planned = plan_spread({f"p{number:02d}": [] for number in range(12)}, ORDER)
    assert sorted(summary(planned).values()) == [2, 2, 2, 3, 3]


def test_without_gateways_nothing_is_planned():
    assert plan_spread({"p1": ["a1"]}, []) == {}


LIVE = {
    "Logical_Router": [{"_uuid": "r1", "name": "router", "ports": ["p-in", "p-out"]}, {"_uuid": "r2", "name": "other", "ports": "p-other"}],
    "Logical_Router_Port": [
        {"_uuid": "p-in", "name": "in", "gateway_chassis": [], "ha_chassis_group": []},
        {"_uuid": "p-out", "name": "out", "gateway_chassis": ["g1", "g2"], "ha_chassis_group": []},
        {"_uuid": "p-other", "name": "elsewhere", "gateway_chassis": "g3", "ha_chassis_group": []},
    ],
    "HA_Chassis_Group": [],
    "HA_Chassis": [],
    "Gateway_Chassis": [
        {"_uuid": "g1", "name": "out_a1", "chassis_name": "a1", "priority": 1},
        {"_uuid": "g2", "name": "out_b1", "chassis_name": "b1", "priority": 2},
        {"_uuid": "g3", "name": "elsewhere_c1", "chassis_name": "c1", "priority": 1},
    ],
}


def test_rankings():
    assert rankings(LIVE) == {"out": ["b1", "a1"], "elsewhere": ["c1"]}
    assert rankings(LIVE, ["router"]) == {"in": [], "out": ["b1", "a1"]}


def test_rows_change_only_what_differs():
    work = plan_rows(LIVE, {"out": ["b1", "c1"], "elsewhere": ["c1"]})
    assert [one["op"] for one in work] == ["update", "insert", "update"]
    assert work[1]["row"] == {"name": "out_c1", "chassis_name": "c1", "priority": 1}
    assert work[2]["row"] == {"gateway_chassis": ["set", [["uuid", "g2"], ["named-uuid", "row1_0"]]]}
    assert plan_rows(LIVE, {"out": ["b1", "a1"], "elsewhere": ["c1"]}) == []


OF_ROUTER = {"neutron:router_id": "r"}
GROUPED = {
    "Logical_Router": [{"_uuid": "r1", "name": "router", "ports": ["p1", "p2"]}],
    "Logical_Router_Port": [
        {"_uuid": "p2", "name": "lrp-2", "gateway_chassis": [], "ha_chassis_group": "h1"},
        {"_uuid": "p1", "name": "lrp-1", "gateway_chassis": "g1", "ha_chassis_group": "h1"},
    ],
    "Gateway_Chassis": [{"_uuid": "g1", "name": "lrp-1_c1", "chassis_name": "c1", "priority": 1}],
    "HA_Chassis_Group": [
        {"_uuid": "h1", "name": "router", "ha_chassis": ["m1", "m2"], "external_ids": OF_ROUTER},
        {"_uuid": "h2", "name": "of no router", "ha_chassis": "m3", "external_ids": {}},
        {"_uuid": "h3", "name": "network", "ha_chassis": ["m4", "m5"], "external_ids": {**OF_ROUTER, "neutron:network_id": "n"}},
    ],
    "HA_Chassis": [
        {"_uuid": "m1", "chassis_name": "a1", "priority": 32767},
        {"_uuid": "m2", "chassis_name": "b1", "priority": 32766},
        {"_uuid": "m3", "chassis_name": "a1", "priority": 1},
        {"_uuid": "m4", "chassis_name": "b1", "priority": 2},
        {"_uuid": "m5", "chassis_name": "a1", "priority": 1},
    ],
}


def test_ports_that_share_a_group_have_one_ranking():
    """As Neutron has it since 2026.2: the group counts, and not what an earlier release left at the port."""
    assert rankings(GROUPED) == {"lrp-1": ["a1", "b1"]}
    assert rankings(GROUPED, ["router"]) == {"lrp-1": ["a1", "b1"]}


def test_the_group_of_a_network_follows_its_router():
    before, after = plan_gateways(GROUPED, ["a1", "b1"])
    assert before == {"lrp-1": ["a1", "b1"], "network": ["b1", "a1"]}
    assert after == {"lrp-1": ["a1", "b1"], "network": ["a1", "b1"]}
    work = plan_rows(GROUPED, after)
    assert [one["where"][0][2][1] for one in work] == ["m5", "m4", "h3"]


def test_rows_of_a_group():
    work = plan_rows(GROUPED, {"lrp-1": ["a1", "c1"]})
    assert [(one["op"], one["table"]) for one in work] == [
        ("update", "HA_Chassis"),
        ("insert", "HA_Chassis"),
        ("update", "HA_Chassis_Group"),
    ]
    assert work[1]["row"] == {"chassis_name": "c1", "priority": 1}
    assert work[2]["where"] == [["_uuid", "==", ["uuid", "h1"]]]
    assert work[2]["row"] == {"ha_chassis": ["set", [["uuid", "m1"], ["named-uuid", "row0_0"]]]}
