# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last plan binds, and what is true of every plan of disks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Disk, Volume
from ansible_collections.frontier.vitro.plugins.module_utils.plan import disk_kinds
from ansible_collections.frontier.vitro.plugins.module_utils.plan.disks import plan_disks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.intent import Disks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import Machine
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.disk_sets import BOOT, BOSS, DATA, HDD, codes, machine, planned, planned_disks, serials
from tests.unit.plugins.module_utils.plan.racks import GB, TB, disks
from tests.unit.plugins.module_utils.plan.test_disks import test_objection as against_a_server

SLOW = disks(0, 4, size=8 * TB, tag="H", **HDD)
MIXED = machine(*BOSS, *disks(0, 2, size=960 * GB, tag="S"), *SLOW)


def test_last_plan_binds() -> None:
    plan = planned_disks(MIXED)
    before = planned(plan, MIXED)
    assert plan_disks(MIXED, Disks(), before)[0].osds == plan.osds
    more = machine(*MIXED.disks, *disks(0, 1, size=8 * TB, tag="N", **HDD), *disks(0, 4, size=960 * GB, tag="A"))
    after, _ = plan_disks(more, Disks(), before)
    assert set(plan.osds) < set(after.osds)
    assert after.os_disk == plan.os_disk
    new = next(one for one in after.osds if one.serial == "N00000-00")
    assert new.database in {one.database for one in plan.osds}


@pytest.mark.parametrize(
    ("change", "wish", "code"),
    [
        pytest.param(MIXED, Disks(never=("H*",)), "osd_would_move", id="never"),
        pytest.param(MIXED, Disks(osd=("S*",)), "osd_would_move", id="osd"),
        pytest.param(MIXED, Disks(os=("H00000-00",)), "os_disk_would_move", id="os on an OSD"),
        pytest.param(MIXED, Disks(os=("S*",)), "os_disk_would_move", id="os elsewhere"),
        pytest.param(MIXED, Disks(os=("B00000-00", "S00000-00")), "os_disk_would_move", id="os in part elsewhere"),
        pytest.param(machine(*MIXED.disks[2:]), Disks(os=("H00000-00",)), "osd_would_move", id="os, whose disks are gone"),
        pytest.param(MIXED, Disks(osd_minimum_gb=9000), "osd_would_move", id="minimum"),
        pytest.param(machine(*BOSS, *disks(0, 2, size=960 * GB, tag="S"), *SLOW[1:]), Disks(), "osd_disk_gone", id="disk gone"),
        pytest.param(machine(*BOSS, *disks(0, 1, size=960 * GB, tag="S"), *SLOW), Disks(), "database_disk_gone", id="database gone"),
        pytest.param(
            machine(*BOSS, *disks(0, 2, size=960 * GB, tag="S"), *SLOW[1:], replace(SLOW[0], health="critical")),
            Disks(), "disk_unhealthy", id="failing while in use",
        ),
    ],
)  # fmt: skip
def test_objection_against_the_last_plan(change: Machine, wish: Disks, code: str) -> None:
    before = planned(planned_disks(MIXED), MIXED)
    assert code in codes(plan_disks(change, wish, before)[1])


def test_osds_move_only_when_allowed() -> None:
    before, wish = planned(planned_disks(MIXED), MIXED), Disks(never=("H00000-00",))
    assert "H00000-00" in serials(plan_disks(MIXED, wish, before)[0])
    plan, found = plan_disks(MIXED, wish, before, allow_moves=True)
    assert "H00000-00" not in serials(plan)
    assert "osd_would_move" not in codes(found)


OLD_OS, NEW = ("B00000-00", "B00000-01"), disks(0, 2, size=480 * GB, tag="N", protocol="SATA")


@pytest.mark.parametrize(
    ("of", "wish", "moves", "wanted", "said"),
    [
        pytest.param((*BOOT, *NEW, *DATA), ("N0*",), False, OLD_OS, True, id="stays"),
        pytest.param((*BOOT, *NEW, *DATA), ("N0*",), True, ("N00000-00", "N00000-01"), False, id="moves when allowed"),
        pytest.param((*NEW, *DATA), ("N0*",), False, ("N00000-00", "N00000-01"), False, id="old disks are gone"),
        pytest.param((BOOT[0], *NEW, *DATA), ("B*", "N00000-00"), False, ("B00000-00", "N00000-00"), False, id="a new half is named"),
        pytest.param((*BOOT, replace(NEW[0], bytes=240 * GB), *DATA), ("*",), False, OLD_OS, False, id="a pattern that fits more disks"),
        pytest.param((*BOOT, *NEW, *DATA), (), False, OLD_OS, False, id="no wish"),
    ],
)
def test_the_operating_system_moves_only_when_allowed(
    of: tuple[Disk, ...], wish: tuple[str, ...], moves: bool, wanted: tuple[str, ...], said: bool
) -> None:
    was = machine(*BOOT, *DATA)
    plan, found = plan_disks(machine(*of), Disks(os=wish), planned(planned_disks(was), was), allow_moves=moves)
    assert plan.os_disk is not None
    assert plan.os_disk.serials == wanted
    assert ("os_disk_would_move" in codes(found)) is said
    assert set(OLD_OS).isdisjoint(serials(plan)) or moves


@pytest.mark.parametrize(
    ("moved_over", "kept"),
    [
        pytest.param((), [], id="new disks"),
        pytest.param((*BOSS, *disks(0, 2, size=960 * GB, tag="S"), *SLOW), [one.serial for one in SLOW], id="the same disks"),
        pytest.param(SLOW[:1], [], id="one disk, without its database"),
    ],
)
def test_a_replacement_misses_none_of_the_disks_of_the_old_server(moved_over: tuple[Disk, ...], kept: list[str]) -> None:
    before = replace(planned(planned_disks(MIXED), MIXED), id="OLD")
    plan, found = plan_disks(machine(*(moved_over or (*disks(7, 2, size=480 * GB, tag="B"), *disks(7, 4)))), Disks(), before)
    assert "osd_disk_gone" not in codes(found)
    assert [one.serial for one in plan.osds if one.database and one in before.osds] == kept
    if kept:
        assert (plan.os_disk, plan.osds) == (before.os_disk, before.osds)


def test_the_operating_system_never_takes_the_disk_of_an_osd() -> None:
    of = machine(*BOOT, *DATA)
    plan, found = plan_disks(machine(*DATA), Disks(), planned(planned_disks(of), of))
    assert plan.os_disk is None
    assert len(plan.osds) == 4
    assert "no_os_disk" in codes(found)


def test_dead_half_of_a_mirror_is_replaced_by_a_disk_like_it() -> None:
    of = machine(*BOOT, *DATA)
    before = planned(planned_disks(of), of)
    new = replace(BOOT[1], serial="NEW")
    plan, _ = plan_disks(machine(BOOT[0], new, *DATA), Disks(), before)
    assert plan.os_disk is not None
    assert plan.os_disk.serials == (BOOT[0].serial, "NEW")


def test_every_kind_is_raised() -> None:
    raised = set()
    for function in (against_a_server, test_objection_against_the_last_plan):
        raised |= {case.values[2] for mark in function.pytestmark for case in mark.args[1]}
    declared = {value.code for value in vars(disk_kinds).values() if isinstance(value, Kind)}
    assert declared - raised == {"disk_pattern_unmatched"}


@st.composite
def any_disks(draw: st.DrawFn) -> tuple[Disk, ...]:
    sizes = st.sampled_from([64 * GB, 240 * GB, 480 * GB, 960 * GB, 2 * TB, 4 * TB, 8 * TB])
    drawn = draw(st.lists(st.tuples(sizes, st.sampled_from(["ssd", "hdd", None]), st.sampled_from(["NVMe", "SAS", None])), max_size=10))
    return tuple(
        replace(disks(0, 1, size=size, media=media, protocol=protocol)[0], serial=f"X{number}", slot=f"bay {number}")
        for number, (size, media, protocol) in enumerate(drawn)
    )


@given(any_disks(), st.sets(st.integers(0, 9), max_size=3), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_properties(all_disks: tuple[Disk, ...], occupied: set[int], random: Any) -> None:
    there = {one.serial for one in all_disks}
    on = tuple(f"X{number}" for number in sorted(occupied) if f"X{number}" in there)
    volumes = (Volume(name="old", raid="RAID1", bytes=100 * GB, disks=on),) if on else ()
    of = machine(*all_disks, volumes=volumes)
    plan, found = plan_disks(of, Disks(), None)
    used = [*(plan.os_disk.serials if plan.os_disk else ()), *serials(plan)]
    holders = {one.database for one in plan.osds if one.database}
    assert len(used) == len(set(used))
    assert not holders & set(used)
    assert {*used, *holders} <= there
    assert not set(on) & (set(serials(plan)) | holders)
    shuffled = list(all_disks)
    random.shuffle(shuffled)
    assert plan_disks(machine(*shuffled, volumes=volumes), Disks(), None) == (plan, found)
    again, _ = plan_disks(of, Disks(), planned(plan, of))
    assert (again.os_disk, again.osds) == (plan.os_disk, plan.osds)
