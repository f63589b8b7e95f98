# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.report.wording import (
    GIB,
    disk_size,
    gib,
    memory_size,
    natural,
    place,
    shortened,
    speed,
    switched,
)

CASES = [
    (disk_size, 0, "0 B"),
    (disk_size, 480 * 10**9, "480 GB"),
    (disk_size, 999_600_000_000, "1 TB"),
    (disk_size, 3_840_000_000_000, "3.84 TB"),
    (disk_size, 12_345 * 10**12, "12.3 PB"),
    (disk_size, 5 * 10**21, "5e+03 EB"),
    (gib, 512 * GIB, "512"),
    (gib, 3 * GIB // 2, "1.5"),
    (gib, 8 * GIB, "8"),
    (memory_size, 1056 * GIB, "1056 GiB"),
    (memory_size, 72416 * GIB, "70.7 TiB"),
    (speed, None, "unknown speed"),
    (speed, 100, "100 Mbit/s"),
    (speed, 25000, "25 Gbit/s"),
    (speed, 2500, "2.5 Gbit/s"),
    (place, Location(), "place unknown"),
    (place, Location(rack="R1", unit=0), "rack R1, unit 0"),
    (place, Location(site="a", rack="R1"), "site a, rack R1"),
    (switched, (), ""),
    (switched, (("a", True), ("b", False), ("c", True)), "with a and c, without b"),
]


@pytest.mark.parametrize(("function", "given", "said"), CASES)
def test_said(function, given, said):
    assert function(given).replace("\u00a0", " ") == said


@pytest.mark.parametrize(("name", "letters", "short"), [("lab-01", 6, "lab-01"), ("frankfurt-lab-01", 9, "fran…b-01")])
def test_shortened(name, letters, short):
    assert shortened(name, letters) == short
    assert len(short) <= letters


def test_natural():
    assert sorted(["R10", "R2", "", "R1", "A", "10", "9", "R2b"], key=natural) == ["", "9", "10", "A", "R1", "R2", "R2b", "R10"]
