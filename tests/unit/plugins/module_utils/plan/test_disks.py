# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Disk, Volume
from ansible_collections.frontier.vitro.plugins.module_utils.plan.disks import plan_disks, unmatched_patterns
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import Machine, survey
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import sorted_out
from ansible_collections.frontier.vitro.plugins.module_utils.plan.wishes import Disks

from tests.unit.plugins.module_utils.plan.disk_sets import (
    BOOT,
    BOSS,
    DATA,
    HDD,
    codes,
    machine,
    machine_of,
    planned,
    planned_disks,
    serials,
)
from tests.unit.plugins.module_utils.plan.racks import GB, TB, disks, hardware, server

OS_VOLUME = Volume(name="os", raid="RAID1", bytes=480 * GB, disks=tuple(one.serial for one in BOOT))


def test_good_server_has_a_boot_volume_and_all_data_disks() -> None:
    plan, found = plan_disks(machine_of(server(0)), Disks(), None)
    assert found == []
    assert plan.os_disk is not None
    assert (plan.os_disk.kind, plan.os_disk.volume) == ("volume", "os")
    assert serials(plan) == [one.serial for one in DATA]
    assert {one.device_class for one in plan.osds} == {"nvme"}


SMALL_HDD = disks(0, 2, size=600 * GB, tag="H", **HDD)
EQUAL = disks(0, 6, size=960 * GB)


@pytest.mark.parametrize(
    ("of", "wish", "kind", "chosen"),
    [
        pytest.param(machine(*BOOT, *DATA, volumes=(OS_VOLUME,)), Disks(), "volume", BOOT, id="small RAID1 volume"),
        pytest.param(machine(*BOSS, *EQUAL), Disks(), "mirror", BOSS, id="pair on a boot controller, little smaller than the rest"),
        pytest.param(machine(*BOOT, *DATA), Disks(), "mirror", BOOT, id="two smallest equal disks"),
        pytest.param(machine(*BOOT, *DATA), Disks(os=("D00000-01",)), "single", DATA[1:2], id="named by serial"),
        pytest.param(machine(*BOOT, *DATA), Disks(os=("BAY [23]",)), "mirror", DATA[2:], id="named by slot, whatever the case"),
        pytest.param(machine(*EQUAL), Disks(), "single", EQUAL[:1], id="no pair that is clearly smaller"),
        pytest.param(machine(*EQUAL[:2]), Disks(), "mirror", EQUAL[:2], id="a pair and nothing else"),
        pytest.param(machine(*SMALL_HDD, *DATA), Disks(), "single", DATA[:1], id="no rotating pair where flash fits"),
        pytest.param(machine(*BOOT, *DATA), Disks(never=("B0*",)), "single", DATA[:1], id="never is never"),
        pytest.param(
            machine(*EQUAL, volumes=(Volume(name="v", raid="RAID1", bytes=960 * GB, disks=("D00000-04", "D00000-05")),)),
            Disks(), "volume", EQUAL[4:], id="a pair of equal disks that someone made a RAID1 of",
        ),
        pytest.param(
            machine(*BOOT, *DATA, volumes=(Volume(name="v", raid="RAID0", bytes=900 * GB, disks=("B00000-00", "B00000-01")),)),
            Disks(), "single", DATA[:1], id="no RAID0",
        ),
        pytest.param(
            machine(*BOOT, *DATA, volumes=(Volume(name="v", bytes=480 * GB, disks=("B00000-00", "B00000-01")),)),
            Disks(), "single", DATA[:1], id="no volume of an unknown level",
        ),
    ],
)  # fmt: skip
def test_os_disk(of: Machine, wish: Disks, kind: str, chosen: tuple[Disk, ...]) -> None:
    plan = planned_disks(of, wish)
    assert plan.os_disk is not None
    assert plan.os_disk.kind == kind
    assert plan.os_disk.serials == tuple(sorted(one.serial for one in chosen))
    assert not set(serials(plan)) & set(plan.os_disk.serials)
    assert plan.reasons[0].startswith("operating system on ")


DATA_VOLUME = Volume(name="Virtual Disk 7", raid="RAID5", bytes=12 * TB, disks=tuple(one.serial for one in DATA))
OCCUPIED = machine(*BOOT, *DATA, volumes=(OS_VOLUME, DATA_VOLUME))


@pytest.mark.parametrize(
    ("of", "wish", "code"),
    [
        pytest.param(machine(), Disks(), "no_os_disk", id="no disks"),
        pytest.param(machine(*DATA), Disks(never=("*",)), "no_os_disk", id="all under never"),
        pytest.param(machine(*disks(0, 2, size=64 * GB)), Disks(), "os_disk_too_small", id="too small"),
        pytest.param(machine(*BOOT, *DATA), Disks(os=("B0*",), os_minimum_gb=500), "os_disk_too_small", id="named and too small"),
        pytest.param(machine(*EQUAL), Disks(), "os_disk_single", id="no mirror"),
        pytest.param(machine(*BOOT, *DATA, volumes=(replace(OS_VOLUME, raid="RAID0"),)), Disks(os=("B0*",)), "os_disk_single", id="RAID0"),
        pytest.param(machine(*disks(0, 4, **HDD)), Disks(), "os_disk_slow", id="only rotating disks"),
        pytest.param(machine(*BOOT), Disks(), "no_data_disk", id="no data disk"),
        pytest.param(machine(*BOOT, *DATA[1:], replace(DATA[0], health="critical")), Disks(), "disk_unhealthy", id="failing"),
        pytest.param(OCCUPIED, Disks(), "disk_has_volume", id="disks with a volume"),
        pytest.param(machine(*BOOT, *DATA, volumes=None), Disks(), "volumes_unknown", id="volumes not read"),
        pytest.param(machine(*BOOT, *DATA, volumes=(replace(OS_VOLUME, disks=None),)), Disks(), "volumes_unknown", id="volume anywhere"),
        pytest.param(machine(*BOOT, *disks(0, 4, media=None, protocol="SAS")), Disks(), "media_unknown", id="media not read"),
        pytest.param(machine(*BOOT, *DATA, *disks(0, 1, size=TB, tag="S")), Disks(), "mixed_osd_sizes", id="sizes differ"),
    ],
)
def test_objection(of: Machine, wish: Disks, code: str) -> None:
    assert code in codes(plan_disks(of, wish, None)[1])


def test_disk_with_a_volume_is_left_out_and_the_words_name_it() -> None:
    plan, found = plan_disks(OCCUPIED, Disks(), None)
    assert plan.osds == ()
    said = next(one.objection for one in found if one.objection.code == "disk_has_volume")
    assert "Virtual Disk 7" in said.text
    assert "bay 0" in said.text
    assert "disks.wipe" in said.cure


def test_small_disks_are_no_osds_and_a_reason_says_so() -> None:
    plan = planned_disks(machine(*BOOT, *DATA, *disks(0, 1, size=64 * GB, tag="S")))
    assert serials(plan) == [one.serial for one in DATA]
    assert any("smaller than 100 GB" in one for one in plan.reasons)


@pytest.mark.parametrize("pattern", ["virtual disk *", "D00000-*", "bay ?", "data"])
def test_wipe_by_volume_serial_slot_or_model(pattern: str) -> None:
    plan, found = plan_disks(OCCUPIED, Disks(os=("B0*",), wipe=(pattern,)), None)
    assert len(plan.osds) == 4
    assert all(one.wipe for one in plan.osds)
    assert "disk_has_volume" not in codes(found)


KEEP, SCRATCH = (Volume(name=name, raid="RAID1", bytes=TB, disks=("D00000-00", "D00000-01")) for name in ("keep", "scratch"))


@pytest.mark.parametrize("volumes", [(KEEP, SCRATCH), (SCRATCH, KEEP)], ids=["keep first", "keep last"])
@pytest.mark.parametrize(
    ("wipe", "wiped"),
    [
        pytest.param(("scratch",), [], id="one of two volumes"),
        pytest.param(("keep",), [], id="the other"),
        pytest.param(("keep", "scratch"), ["D00000-00", "D00000-01"], id="both"),
        pytest.param(("D00000-00",), ["D00000-00"], id="the disk itself"),
    ],
)
def test_a_disk_is_wiped_only_if_it_or_all_its_volumes_are_named(
    volumes: tuple[Volume, ...], wipe: tuple[str, ...], wiped: list[str]
) -> None:
    of = machine(*BOOT, *DATA, volumes=(OS_VOLUME, *volumes))
    plan, found = plan_disks(of, Disks(wipe=wipe), None)
    assert [one.serial for one in plan.osds if one.wipe] == wiped
    assert serials(plan) == [*wiped, *(one.serial for one in DATA[2:])]
    occupied = [one.objection.text for one in found if one.objection.code == "disk_has_volume"]
    assert bool(occupied) is (len(wiped) < 2)
    assert all("keep, scratch" in text for text in occupied)


@pytest.mark.parametrize(
    ("raid", "redundant"),
    [
        *((level, True) for level in ("RAID1", "raid 1", "RAID10", "RAID1+0", "RAID5", "RAID6", "RAID50", "RAID1E", "Mirrored")),
        *((level, False) for level in ("RAID0", "RAID00", "None", "JBOD", "NonRedundant", "Volume", None)),
    ],
)
def test_only_a_redundant_volume_counts_as_a_mirror(raid: str | None, redundant: bool) -> None:
    of = machine(*BOOT, *DATA, volumes=(replace(OS_VOLUME, raid=raid),))
    plan, found = plan_disks(of, Disks(os=("B0*",)), None)
    assert plan.os_disk is not None
    assert (plan.os_disk.kind, plan.os_disk.redundant) == ("volume", redundant)
    assert ("os_disk_single" in codes(found)) is not redundant
    again, _ = plan_disks(of, Disks(os=("B0*",)), planned(plan, of))
    assert again.os_disk == plan.os_disk


@pytest.mark.parametrize(
    ("disk", "wanted"),
    [
        ({"media": None, "protocol": None, "controller": "NVMeSSD"}, "nvme"),
        ({"media": None, "protocol": "NVMe"}, "nvme"),
        ({"media": "ssd", "protocol": "SAS"}, "ssd"),
        ({"media": "hdd", "protocol": "SATA"}, "hdd"),
        ({"media": None, "protocol": None, "controller": None}, "hdd"),
    ],
)
def test_device_class(disk: dict[str, Any], wanted: str) -> None:
    plan = planned_disks(machine(*BOOT, *(replace(one, **disk) for one in DATA)))
    assert {one.device_class for one in plan.osds} == {wanted}


SLOW = disks(0, 4, size=8 * TB, tag="H", **HDD)


@pytest.mark.parametrize(
    ("fast", "slow", "holders", "osds"),
    [
        pytest.param(disks(0, 2, size=960 * GB, protocol="SATA", tag="S"), SLOW, 2, 4, id="two SSDs for four"),
        pytest.param(disks(0, 4, size=3840 * GB), SLOW, 0, 8, id="large NVMe are worth more as OSDs"),
        pytest.param(disks(0, 1, size=960 * GB, tag="S"), SLOW, 0, 5, id="one disk does not get all of four"),
        pytest.param(disks(0, 1, size=960 * GB, tag="S"), SLOW[:3], 1, 3, id="one disk for three"),
        pytest.param(disks(0, 3, size=1920 * GB, tag="S"), disks(0, 12, size=16 * TB, tag="H", **HDD), 2, 13, id="as few as needed"),
        pytest.param(disks(0, 2, size=120 * GB, tag="S"), SLOW, 0, 6, id="too small for 1 %"),
        pytest.param(
            disks(0, 2, size=1920 * GB, protocol="SATA", tag="S"), disks(0, 12, size=16 * TB, tag="H", **HDD), 0, 14, id="too few"
        ),
    ],
)
def test_databases(fast: tuple[Disk, ...], slow: tuple[Disk, ...], holders: int, osds: int) -> None:
    plan = planned_disks(machine(*BOSS, *fast, *slow))
    used = {one.database for one in plan.osds if one.database}
    assert (len(used), len(plan.osds)) == (holders, osds)
    assert not used & set(serials(plan))
    for holder in used:
        held = [one for one in plan.osds if one.database == holder]
        assert sum(one.database_bytes for one in held) <= next(one.bytes for one in fast if one.serial == holder)
        assert all(one.bytes <= one.database_bytes * 100 <= 4 * one.bytes for one in held)
    assert not any(one.database for one in planned_disks(machine(*BOSS, *fast, *slow), Disks(database="never")).osds)


def test_patterns_that_match_nothing() -> None:
    found = unmatched_patterns([OCCUPIED], Disks(os=("B*", "nothing"), osd=("D?????-00",), never=("x",), wipe=("virtual*", "y")))
    assert [one.objection.path for one in found] == ["disks.os.1", "disks.never.0", "disks.wipe.1"]
    assert codes(found) == {"disk_pattern_unmatched"}


def test_one_fault_of_many_servers_is_one_sentence() -> None:
    machines, _ = survey(hardware(server(n, disks=disks(n, 6, size=960 * GB), volumes=()) for n in range(8)), ())
    _, found = sorted_out(one for of in machines for one in plan_disks(of, Disks(), None)[1])
    assert [one.subject for one in found] == ["SN00000, SN00001, SN00002, SN00003, SN00004 and 3 more"]
