# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import dataclasses

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Memory, Note, System, Verdict
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import matches, survey
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from ansible_collections.frontier.vitro.plugins.module_utils.plan.selectors import Selector

from tests.unit.plugins.module_utils.plan.racks import disks, hardware, intent, nics, rack_of, server

RACK = rack_of(4)


def with_last(**changes):
    return hardware([*RACK.servers[:3], dataclasses.replace(RACK.servers[3], **changes)])


CASES = {
    "the same serial": (with_last(system=System(serial="SN00000", model="PowerEdge R750")), "duplicate_serial", "SN00000"),
    "the same MAC": (with_last(nics=nics(0)), "duplicate_mac", "02:00:00:00:00:00"),
    "the same disk": (with_last(disks=(*RACK.servers[3].disks, *disks(0, 1))), "duplicate_disk", "D00000-00"),
    "nothing but a BMC": (
        with_last(verdict=Verdict(status="unsupported", reasons=("it tells no memory",))),
        "server_unsupported",
        "it tells no memory",
    ),
    "no cores": (with_last(processors=None), "facts_missing", "its number of cores"),
    "no memory": (with_last(memory=Memory()), "facts_missing", "its memory"),
    "neither ports nor disks": (with_last(nics=None, disks=None), "facts_missing", "its network ports, its disks"),
    "an old record": (with_last(warnings=(Note(code="not_read_now", text="x"),)), "reading_old", "2026-01-01"),
    "a failing server": (with_last(health="critical"), "server_unhealthy", "critical"),
}


@pytest.mark.parametrize(("racks", "code", "words"), CASES.values(), ids=CASES)
def test_against(racks, code, words):
    plan = plan_site(racks, intent())
    told = [one.text for one in (*plan.objections, *plan.warnings) if one.code == code]
    assert told
    assert words in " ".join(told)
    assert plan.applicable == (code in ("reading_old", "server_unhealthy"))


def test_every_mistake_at_once():
    plan = plan_site(with_last(processors=None, nics=nics(0), health="critical"), intent(openstack={"vrid": 300}, registry=None))
    codes = {one.code for one in (*plan.objections, *plan.warnings)}
    assert {"facts_missing", "duplicate_mac", "server_unhealthy", "vrid_invalid", "registry_missing"} <= codes


def test_good_rack():
    machines, found = survey(RACK, ())
    assert [one.id for one in machines] == ["SN00000", "SN00003", "SN00001", "SN00002"]
    assert found == []


SELECTORS = [
    (Selector(serial="sn00001"), True),
    (Selector(serial="SN*"), True),
    (Selector(serial="SN00002"), False),
    (Selector(name="lab-0?"), True),
    (Selector(rack="r2", model="poweredge*"), True),
    (Selector(rack="r2", model="ProLiant*"), False),
    (Selector(site="a"), False),
    (Selector(), True),
]


@pytest.mark.parametrize(("selector", "expected"), SELECTORS)
def test_selector(selector, expected):
    assert matches(server(1, rack="R2"), "lab-02", selector) is expected


def test_a_disk_that_is_left_alone_may_be_there_twice():
    racks = with_last(disks=(*RACK.servers[3].disks, *disks(0, 1)))
    assert plan_site(racks, intent(disks={"never": ["d00000-00"]})).objections == ()


def test_nodes_of_one_chassis_may_share_its_serial():
    nodes = [
        dataclasses.replace(one, id=f"CH1/Node{n}", system=System(serial="CH1", model="Chassis"), bmc=RACK.servers[0].bmc)
        for n, one in enumerate(RACK.servers)
    ]
    assert plan_site(hardware(nodes), intent()).objections == ()


def test_no_address_of_a_bmc_is_given_out():
    """Also not that of a server which is excluded."""
    bmcs = [dataclasses.replace(one, bmc=dataclasses.replace(one.bmc, address=f"10.20.0.{11 + n}")) for n, one in enumerate(RACK.servers)]
    plan = plan_site(hardware(bmcs), intent(exclude=[{"serial": "SN00003"}]))
    given = {at.cidr.partition("/")[0] for one in plan.servers for face in one.interfaces for at in face.addresses}
    assert not given & {one.bmc.address for one in bmcs}
