# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import Any, get_args

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Memory, Processor
from ansible_collections.frontier.vitro.plugins.module_utils.plan import shares as module
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import Machine, survey
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import Osd, Role
from ansible_collections.frontier.vitro.plugins.module_utils.plan.shares import below_class, plan_shares
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import GIB, TB, hardware, intent, server

HCI: tuple[Role, ...] = ("control", "network", "compute", "storage", "monitoring", "fmc")


def machine(memory_gib: int = 512, cores: int = 64, number: int = 0) -> Machine:
    changes = {"memory": Memory(bytes=memory_gib * GIB), "processors": (Processor(socket="0", cores=cores),)}
    return survey(hardware([server(number, **changes)]), ())[0][0]


def osds(count: int, device_class: Any = "nvme") -> tuple[Osd, ...]:
    return tuple(Osd(serial=str(number), wwn=None, bytes=4 * TB, device_class=device_class) for number in range(count))


def test_good_server() -> None:
    memory, cpu, found = plan_shares(machine(), HCI, osds(4), intent())
    assert found == []
    assert memory.osd_target == 8 * GIB
    assert memory.osd == 4 * (memory.osd_target + memory.osd_target * 20 // 100)
    assert memory.fmc == 48 * GIB
    assert memory.total == memory.system + memory.osd + memory.control + memory.fmc + memory.compute + memory.guests
    assert memory.guests > 300 * GIB
    assert (cpu.osd, cpu.fmc, cpu.guests) == (16, 8, 64 - 2 - 16 - 8 - cpu.control)


def test_target_is_the_mean_over_the_classes_and_can_be_set() -> None:
    mixed = (*osds(2), *osds(2, "hdd"))
    assert plan_shares(machine(), HCI, mixed, intent())[0].osd_target == 6 * GIB
    assert plan_shares(machine(), HCI, mixed, intent(ceph={"osd_memory_gib": 5}))[0].osd_target == 5 * GIB


def test_monitors_need_memory_where_they_are() -> None:
    without, with_them = (plan_shares(machine(), ("storage",), osds(4), intent(), monitors=one)[0].control for one in (False, True))
    assert without == 0
    assert with_them == 16 * GIB


CASES = [
    pytest.param(machine(64, 128), HCI, osds(8), {}, ["memory_too_small"], id="memory too small for the OSDs"),
    pytest.param(machine(64), HCI, (), {}, ["memory_too_small"], id="memory too small without OSDs"),
    pytest.param(machine(160), HCI, osds(4), {}, ["osd_memory_lowered"], id="smaller target"),
    pytest.param(machine(165), HCI, osds(4), {"ceph": {"osd_memory_gib": 8}}, ["no_guest_memory"], id="nothing left for guests"),
    pytest.param(machine(), HCI, osds(4), {"openstack": {"reserved_memory_gib": 64}}, ["reserved_too_small"], id="reserved too little"),
    pytest.param(machine(), HCI, osds(4), {"openstack": {"reserved_memory_gib": 510}}, ["no_guest_memory"], id="reserved too much"),
    pytest.param(machine(cores=16), HCI, osds(4), {}, ["cores_too_few"], id="few cores"),
    pytest.param(machine(cores=8), ("storage",), osds(4), {}, ["cores_too_few"], id="few cores for OSDs alone"),
    pytest.param(machine(cores=20), ("storage",), osds(4), {}, [], id="cores for OSDs alone"),
    pytest.param(machine(128), ("storage",), osds(8), {}, [], id="storage needs no guests"),
    pytest.param(machine(16, 8), ("arbiter",), (), {}, [], id="arbiter"),
]


@pytest.mark.parametrize(("of", "roles", "disks", "changes", "wanted"), CASES)
def test_objections(of: Machine, roles: tuple[Role, ...], disks: tuple[Osd, ...], changes: dict[str, Any], wanted: list[str]) -> None:
    _, _, found = plan_shares(of, roles, disks, intent(**changes))
    assert sorted(one.objection.code for one in found) == wanted


def test_too_small_names_each_share_and_what_would_fit() -> None:
    found = plan_shares(machine(160), HCI, osds(16, "hdd"), intent())[2]
    said = next(one.objection.text for one in found if one.objection.code == "memory_too_small")
    assert "160 GiB of memory" in said
    for part in ("system ", "OSDs 76.8 GiB", "control 66 GiB", "FMC 48 GiB", "compute 2 GiB"):
        assert part in said
    assert "7 of 16 OSDs would fit with a target of 4 GiB" in said


def test_overbooked_cores_leave_a_quarter_to_guests() -> None:
    assert plan_shares(machine(cores=16), HCI, osds(4), intent())[1].guests == 4


@pytest.mark.parametrize(
    ("machines", "wanted"),
    [
        pytest.param([machine(number=n) for n in range(3)], [], id="good"),
        pytest.param([machine(256, 32, number=n) for n in range(8)], ["classes.compute"], id="small for compute"),
        pytest.param([machine(128, 32), machine(512, 16, 1)], ["classes.control"] * 2 + ["classes.compute"] * 2, id="two sizes"),
    ],
)
def test_below_class(machines: list[Machine], wanted: list[str]) -> None:
    found = below_class(machines, {one.id: HCI for one in machines}, intent())
    assert [one.objection.path for one in found] == wanted
    assert {one.objection.code for one in found} <= {"below_class"}
    assert below_class(machines, {one.id: ("storage",) for one in machines}, intent()) == []
    if len(machines) == 8:
        assert found[0].objection.subject.endswith("SN00004 and 3 more")


def test_every_kind_is_raised() -> None:
    declared = {value.code for value in vars(module).values() if isinstance(value, Kind)}
    assert declared - {code for case in CASES for code in case.values[4]} == {"below_class"}


@given(
    st.integers(8, 2048),
    st.integers(4, 256),
    st.sets(st.sampled_from(get_args(Role))),
    st.integers(0, 24),
    st.sampled_from(["hdd", "ssd", "nvme"]),
)
@settings(max_examples=200, deadline=None)
def test_shares_never_exceed_the_server_without_a_word(memory_gib: int, cores: int, roles: set[Role], count: int, kind: str) -> None:
    memory, cpu, found = plan_shares(machine(memory_gib, cores), tuple(sorted(roles)), osds(count, kind), intent())
    codes = {one.objection.code for one in found}
    used = memory.system + memory.osd + memory.control + memory.fmc + memory.compute + memory.guests
    assert used <= memory.total or "memory_too_small" in codes
    assert cpu.system + cpu.osd + cpu.control + cpu.fmc + cpu.guests <= cpu.total or "cores_too_few" in codes
    if "compute" in roles and not codes & {"memory_too_small", "no_guest_memory"}:
        assert memory.guests >= 8 * GIB
        assert used == memory.total
    assert ("compute" in roles) or memory.guests == cpu.guests == 0
