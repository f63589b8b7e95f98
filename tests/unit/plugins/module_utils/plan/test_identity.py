# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import dataclasses

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.names import natural
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.unit.plugins.module_utils.plan.racks import hardware, intent, rack_of, server

FIRST = plan_site(rack_of(4), intent())
NAMES = {one.id: one.name for one in FIRST.servers}
LEFT = hardware(one for one in rack_of(4).servers if one.id != "SN00001")
IN_PLACE = hardware((*LEFT.servers, server(9, rack="R2", unit=1)))
ELSEWHERE = hardware((*LEFT.servers, server(9, rack="R2", unit=30)))


def codes(plan):
    return {one.code for one in (*plan.objections, *plan.warnings)}


def test_names_follow_places():
    assert [(one.name, one.location.rack, one.location.unit) for one in FIRST.servers] == [
        ("lab-01", "R1", 1),
        ("lab-02", "R1", 2),
        ("lab-03", "R2", 1),
        ("lab-04", "R3", 1),
    ]


CASES = {
    "one left": (LEFT, {}, "server_absent", {"SN00001": "absent"}),
    "one left and removed": (LEFT, {"removed": ["SN00001"]}, None, {"SN00001": None}),
    "removed and still there": (rack_of(4), {"removed": ["SN00001"]}, "removed_present", {"SN00001": None}),
    "another in its place": (IN_PLACE, {}, "replacement_unclear", {"SN00001": "absent", "SN00009": "lab-05"}),
    "another in its place, replaced": (IN_PLACE, {"replaced": {"SN00001": "SN00009"}}, None, {"SN00009": "lab-03"}),
    "another elsewhere, replaced": (ELSEWHERE, {"replaced": {"SN00001": "SN00009"}}, None, {"SN00009": "lab-03"}),
    "another elsewhere": (ELSEWHERE, {}, "server_absent", {"SN00001": "absent", "SN00009": "lab-05"}),
    "replaced by nobody": (LEFT, {"replaced": {"SN00001": "SN00009"}}, "replacement_missing", {"SN00001": "absent"}),
    "replaced by one that is planned": (LEFT, {"replaced": {"SN00001": "SN00002"}}, "replacement_taken", {"SN00002": "lab-04"}),
    "replaced, both unknown": (rack_of(4), {"replaced": {"X": "Y"}}, "replaced_unknown", {}),
    "excluded though planned": (rack_of(4), {"exclude": [{"serial": "SN00001"}]}, "excluded_planned", {"SN00001": "absent"}),
    "another site's plan": (rack_of(4), {"name": "other"}, "previous_other_site", {"SN00001": "other-03"}),
    "two replaced by one": (
        hardware([*LEFT.servers[1:], server(9, rack="R9", unit=9)]),
        {"replaced": {"SN00000": "SN00009", "SN00001": "SN00009"}},
        "replacement_taken",
        {"SN00001": "absent", "SN00009": "lab-01"},
    ),
    "replaced and still there": (
        hardware([*rack_of(4).servers, server(9, rack="R9", unit=9)]),
        {"replaced": {"SN00001": "SN00009"}},
        "removed_present",
        {"SN00001": None, "SN00009": "lab-03"},
    ),
    "replaced by one that is removed": (
        LEFT,
        {"replaced": {"SN00001": "SN00002"}, "removed": ["SN00002"]},
        "replacement_missing",
        {"SN00001": "absent", "SN00002": None},
    ),
    "excluded by name": (rack_of(4), {"exclude": [{"name": "lab-03"}]}, "excluded_planned", {"SN00001": "absent"}),
    "another domain": (rack_of(4), {"domain": "other.example"}, "domain_would_move", {}),
    "a name for nobody": (rack_of(4), {"names": {"SN9": "n9"}}, "names_unknown", {}),
    "a name that would move": (rack_of(4), {"names": {"SN00001": "n9"}}, "name_would_move", {"SN00001": "lab-03"}),
    "a name that may move": (rack_of(4), {"names": {"SN00001": "n9"}, "allow_moves": ["names"]}, None, {"SN00001": "n9"}),
}


@pytest.mark.parametrize(("racks", "changes", "code", "expected"), CASES.values(), ids=CASES)
def test_next_plan(racks, changes, code, expected):
    plan = plan_site(racks, intent(**changes), FIRST)
    found = {one.id: "absent" if one.state == "absent" else one.name for one in plan.servers}
    assert {key: found.get(key) for key in expected} == expected
    assert code is None or code in codes(plan)
    others = {key: name for key, name in found.items() if key not in expected and key != "SN00001"}
    assert code == "previous_other_site" or others == {key: NAMES[key] for key in others}


NAMING = {
    "number of three digits": ({"name_format": "{site}-{number:03d}"}, None, "lab-001"),
    "by place": ({"name_format": "{rack}u{unit}"}, None, "r1u1"),
    "by serial": ({"name_format": "{serial}"}, None, "sn00000"),
    "given": ({"names": {"SN00000": "first"}}, None, "first"),
    "unknown key": ({"name_format": "{rakc}-{number}"}, "name_format", "sn00000"),
    "broken format": ({"name_format": "{number"}, "name_format", "sn00000"),
    "no name at all": ({"name_format": ""}, "name_format", "sn00000"),
    "number that is none": ({"name_format": "{{number}}"}, "name_format", "sn00000"),
    "attribute": ({"name_format": "{serial.foo}"}, "name_format", "sn00000"),
    "number of another script": ({"names": {"SN00000": "1²"}}, "name_invalid", "1²"),
    "no host name": ({"name_format": "Lab_{number}"}, "name_invalid", "Lab_1"),
    "all alike": ({"name_format": "node"}, "name_duplicate", "node"),
    "twice the same": ({"names": {"SN00000": "a", "SN00001": "a"}}, "name_duplicate", "a"),
    "no domain": ({"domain": "Lab.Example."}, "domain_invalid", "lab-01"),
}


@pytest.mark.parametrize(("changes", "code", "name"), NAMING.values(), ids=NAMING)
def test_naming(changes, code, name):
    plan = plan_site(rack_of(3), intent(**changes))
    assert next(one.name for one in plan.servers if one.id == "SN00000") == name
    assert code is None or code in {one.code for one in plan.objections}
    assert code or plan.objections == ()


def test_replacement_takes_over_addresses():
    plan = plan_site(IN_PLACE, intent(replaced={"SN00001": "SN00009"}), FIRST)
    old, new = (next(one for one in found.servers if one.name == "lab-03") for found in (FIRST, plan))
    assert [one.addresses for one in new.interfaces] == [one.addresses for one in old.interfaces]
    assert [one.mac for one in new.interfaces if one.mac] != [one.mac for one in old.interfaces if one.mac]
    again = plan_site(IN_PLACE, intent(replaced={"SN00001": "SN00009"}), plan)
    assert again.servers == plan.servers


def test_absent_server_comes_back():
    away = plan_site(LEFT, intent(), FIRST)
    assert away.applicable
    assert plan_site(rack_of(4), intent(), away).servers == FIRST.servers


def test_unknown_places_come_last():
    racks = hardware([server(1), server(2, rack="R9", unit=40), server(3, rack="R1")])
    assert [one.id for one in plan_site(racks, intent()).servers] == ["SN00003", "SN00002", "SN00001"]


def test_moved_server_keeps_its_name():
    moved = [dataclasses.replace(one, location=Location(rack="R3", unit=40)) if one.id == "SN00000" else one for one in rack_of(4).servers]
    plan = plan_site(hardware(moved), intent(), FIRST)
    assert {one.id: one.name for one in plan.servers} == NAMES


@pytest.mark.parametrize(("first", "second"), [("lab-2", "lab-10"), ("lab-99", "lab-100"), ("a", "b"), ("1", "a")])
def test_natural(first, second):
    assert natural(first) < natural(second)
