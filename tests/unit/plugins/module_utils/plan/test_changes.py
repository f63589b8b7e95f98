# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import dataclasses

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.changes import changes
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT, PlanRefused, read_plan
from ansible_collections.frontier.vitro.plugins.module_utils.plan.hosts import addresses_of, groups_of
from ansible_collections.frontier.vitro.plugins.module_utils.plan.lines import lines
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.unit.plugins.module_utils.plan.racks import disks, hardware, intent, rack_of, server

RACK = rack_of(4)
FIRST = plan_site(RACK, intent())
ALL = ["addresses", "monitors", "names", "osds", "roles"]


def changed(index, **parts):
    servers = list(RACK.servers)
    servers[index] = dataclasses.replace(servers[index], **parts)
    return hardware(servers)


FIRST_DISKS = RACK.servers[0].disks
CASES = {
    "a new server": (rack_of(5), {}, "lab-05: new, PowerEdge R750 SN00004 in rack R2, compute, storage"),
    "a server that left": (hardware(RACK.servers[1:]), {}, "lab-01: is absent; its name, addresses and places are kept"),
    "a removed server": (
        hardware(RACK.servers[:3]),
        {"removed": ["SN00003"]},
        "lab-02: no longer in the plan; it was PowerEdge R750 SN00003 in rack R1, compute, storage",
    ),
    "a replaced server": (
        hardware([*RACK.servers[:3], server(9, rack="R1", unit=2)]),
        {"replaced": {"SN00003": "SN00009"}},
        "lab-02: SN00009 takes over from SN00003",
    ),
    "a new disk": (
        changed(0, disks=(*FIRST_DISKS, *disks(0, 1, tag="N"))),
        {},
        "lab-01: a new OSD on disk N00000-00 (nvme, 4 TB)",
    ),
    "a disk that is gone": (changed(0, disks=FIRST_DISKS[:-1]), {}, "lab-01: no OSD any more on disk D00000-03 (nvme, 4 TB)"),
    "another place": (changed(0, location=Location(rack="R1", unit=40)), {}, "lab-01: stands in rack R1, unit 40, was in rack R1, unit 1"),
    "another VIP": ({}, {"vips": {"internal": "10.20.0.200"}, "allow_moves": ALL}, "VIP internal: address is 10.20.0.200, was 10.20.0.250"),
    "another network": (
        {},
        {"networks": {"storage": {"cidr": "10.21.1.0/24"}}, "allow_moves": ALL},
        "lab-01: storage address is 10.21.1.11/24, was 10.20.1.11/24",
    ),
    "another MTU": ({}, {"networks": {"tunnel": {"mtu": 8000}}}, "network tunnel: mtu is 8000, was 9000"),
    "fewer copies": ({}, {"ceph": {"copies": 2}}, "pool volumes: copies is 2, was 3"),
    "another version": ({}, {"versions": {"argocd": "v3.5.2"}}, "versions: argocd is v3.5.2, was v3.5.1"),
    "another port": ({}, {"ceph": {"object_gateway_port": 7601}}, "Ceph: object gateway port is 7601, was 7600"),
    "a name server more": ({}, {"dns": ["10.20.0.1", "10.20.0.2"]}, "lab: dns gain 10.20.0.2"),
    "less memory": (
        changed(0, memory=dataclasses.replace(RACK.servers[0].memory, bytes=256 * 1024**3)),
        {},
        "GiB of memory are left for guests, was",
    ),
}


@pytest.mark.parametrize(("racks", "wishes", "sentence"), CASES.values(), ids=CASES)
def test_change(racks, wishes, sentence):
    plan = plan_site(racks or RACK, intent(**wishes), FIRST)
    assert any(sentence in one for one in changes(FIRST, plan)), changes(FIRST, plan)


def test_no_change():
    assert changes(FIRST, plan_site(RACK, intent(), FIRST)) == []


def test_first_plan():
    assert changes(None, FIRST) == ["lab: a first plan with 4 servers"]


def test_only_an_applicable_plan_is_worked_by(tmp_path):
    path = tmp_path / "plan.json"
    DOCUMENT.write(FIRST, path)
    assert read_plan(path) == FIRST
    DOCUMENT.write(plan_site(rack_of(2), intent()), path)
    with pytest.raises(PlanRefused, match="it has 1 objection and is not applicable"):
        read_plan(path)


def test_lines():
    shown = "\n".join(lines(FIRST))
    assert all(one.name in shown and one.id in shown for one in FIRST.servers)
    plan = plan_site(rack_of(2), intent(ntp=None))
    refused = "\n".join(lines(plan))
    assert all(one.text in refused and one.why in refused and one.cure in refused for one in (*plan.objections, *plan.warnings))
    assert "objection 1 of" in refused
    assert "too_few_servers" in refused
    assert "warning" in refused
    assert len(lines(plan_site(rack_of(100), intent()))) < 100


def data(**changes):
    given = {
        "name": "one",
        "state": "present",
        "roles": ["control", "compute"],
        "location": {"rack": "R 1/a"},
        "interfaces": [],
        "osds": [],
    }
    return {**given, **changes}


CEPH = {"monitors": ["two"], "managers": [], "object_gateways": ["three"], "metadata_servers": []}


def test_host_of_an_inventory():
    assert groups_of(data(), CEPH) == ["control", "compute", "rack_R_1_a"]
    assert groups_of(data(location={"rack": None}), CEPH) == ["control", "compute"]
    assert groups_of(data(state="absent", osds=[{}]), CEPH) == ["absent"]


@pytest.mark.parametrize("has", [{"name": "two"}, {"name": "three"}, {"osds": [{}]}], ids=["monitor", "gateway", "disks"])
def test_host_with_a_part_in_ceph(has):
    assert groups_of(data(location={"rack": None}, **has), CEPH) == ["control", "compute", "ceph"]


def test_addresses_of_a_host():
    carriers = {"management": "management", "api": "api", "public": "api", "external": "external"}
    networks = [{"name": name, "carried_by": carrier} for name, carrier in carriers.items()]
    assert addresses_of(data(), networks) == {}
    face = {"addresses": [{"network": "api", "cidr": "10.0.0.1/24"}, {"network": "management", "cidr": "10.1.0.1/24"}]}
    assert addresses_of(data(interfaces=[face]), networks) == {"management": "10.1.0.1", "api": "10.0.0.1", "public": "10.0.0.1"}
