# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the real planner makes of lab hosts with disks, and of what becomes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import read_plan
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

from tests.lab.hosts.lab import Lab, load
from tests.lab.hosts.site import write_again, write_site


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(folder=tmp_path, name="lab", disks=2, racks=3, intent={"openstack": {"engine": "podman"}})


def written(lab: Lab) -> Plan:
    return read_plan(lab.folder / "sites/lab/plan.json")


def serials(plan: Plan) -> list[list[str]]:
    return [[osd.serial for osd in server.osds] for server in plan.servers]


def test_disks_become_osds_by_their_serials(lab: Lab) -> None:
    write_site(lab)
    plan = written(lab)
    assert serials(plan) == [["LAB01001", "LAB01002"], ["LAB02001", "LAB02002"], ["LAB03001", "LAB03002"]]
    assert plan.ceph.failure_domain == "rack"
    assert plan.openstack.engine == "podman"


def test_hosts_without_disks_are_planned_with_those_only_told_of(lab: Lab) -> None:
    write_site(replace(lab, disks=0))
    assert [len(one) for one in serials(written(lab))] == [2, 2, 2]


def test_an_added_disk_is_the_only_change(lab: Lab) -> None:
    write_site(lab)
    before = written(lab)
    write_again(replace(lab, added=(3,)))
    after = written(lab)
    assert serials(after) == [*serials(before)[:2], ["LAB03001", "LAB03002", "LAB03003"]]
    assert after.servers[:2] == before.servers[:2]


@pytest.mark.parametrize(("emptied", "expected"), [((2,), ["LAB02101", "LAB02102"]), ((), ["LAB02001", "LAB02002"])])
def test_a_replaced_host_keeps_its_place(lab: Lab, emptied: tuple[int, ...], expected: list[str]) -> None:
    write_site(lab)
    before = written(lab)
    write_again(replace(lab, replaced=(2,), emptied=emptied))
    old, new = before.servers[1], written(lab).servers[1]
    assert (new.name, new.id, serials(written(lab))[1]) == (old.name, "LAB002A", expected)
    assert [one.addresses for one in new.interfaces] == [one.addresses for one in old.interfaces]
    assert {one.mac for one in new.interfaces}.isdisjoint(one.mac for one in old.interfaces)


def test_no_two_disks_or_ports_are_alike(lab: Lab) -> None:
    labs = [lab, replace(lab, added=(1, 1)), replace(lab, replaced=(1,), emptied=(1,)), replace(lab, emptied=(1, 1), replaced=(1, 1))]
    disks = {(one.serial, one.wwn) for each in labs for host in (1, 2, 3) for one in each.disks_of(host)}
    assert len({serial for serial, _ in disks}) == len({wwn for _, wwn in disks}) == len(disks) == 6 + 2 + 2 + 2
    macs = [each.mac(1, nic) for each in (labs[0], labs[2], labs[3]) for nic in range(3)]
    assert len(set(macs)) == 9


def test_a_lab_is_read_as_it_was_saved(lab: Lab) -> None:
    changed = replace(lab, added=(3,), replaced=(2,), emptied=(2,), disk_gib=6)
    changed.save()
    assert load(lab.folder) == changed
