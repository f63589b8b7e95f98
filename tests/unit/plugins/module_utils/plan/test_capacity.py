# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from fractions import Fraction

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan import capacity as module
from ansible_collections.frontier.vitro.plugins.module_utils.plan.capacity import layer, mixed_classes, plan_capacity, safe, usable
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import Osd
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Pool
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import TB

THREE = (Pool(name="p", application="rbd", copies=3, minimum=2, share=100),)
CODED = (Pool(name="e", application="rgw", data_chunks=4, coding_chunks=2, minimum=5, share=100),)


@pytest.mark.parametrize(
    ("amounts", "pools", "usable_tb", "safe_tb"),
    [
        pytest.param([10, 10, 10], THREE, 10, 0, id="three equal: nowhere to make copies again"),
        pytest.param([10, 10, 10, 10], THREE, 13, 10, id="four equal"),
        pytest.param([1, 10, 10], THREE, 1, 0, id="the smallest of three counts"),
        pytest.param([5, 5, 10, 100], THREE, 10, 5, id="a giant is of little use"),
        pytest.param([10] * 6, CODED, 40, 0, id="code that fills all"),
        pytest.param([10] * 7, CODED, 46, 40, id="code with a spare"),
        pytest.param([10, 10], THREE, 0, 0, id="too few"),
        pytest.param([], THREE, 0, 0, id="none"),
        pytest.param([10] * 4, (), 0, 0, id="no pools"),
        pytest.param([12] * 6, (THREE[0], Pool(name="z", application="rbd", copies=2, share=0)), 24, 20, id="no share, no weight"),
        pytest.param([12] * 6, tuple(Pool(name=str(n), application="rbd", copies=n) for n in (2, 4)), 27, 22, id="no shares at all"),
        pytest.param([12] * 4, (*THREE, *CODED), 8, 0, id="one of two has too few domains"),
    ],
)
def test_capacity(amounts: list[int], pools: tuple[Pool, ...], usable_tb: int, safe_tb: int) -> None:
    sizes = [one * TB for one in amounts]
    assert usable(sizes, pools, 100) // TB == usable_tb
    assert safe(sizes, pools, 100) // TB == safe_tb
    assert usable(sizes, pools, 85) == usable(sizes, pools, 100) * 85 // 100


@given(st.lists(st.integers(0, 60), min_size=1, max_size=9), st.integers(1, 6))
@settings(max_examples=200, deadline=None)
def test_layer_is_the_largest_that_fits(amounts: list[int], wide: int) -> None:
    """Tried with every whole number, and placed copy by copy into the domains with the most room."""
    ordered = sorted(amounts, reverse=True)
    found = layer(len(amounts), sum(amounts), ordered, wide)
    fitting = [x for x in range(9 * 60 + 1) if sum(min(one, x) for one in amounts) >= wide * x]
    assert found == (max(fitting) if len(amounts) >= wide else 0)
    left = list(amounts)
    for _ in range(found):
        left.sort(reverse=True)
        assert left[wide - 1] > 0
        left[:wide] = [one - 1 for one in left[:wide]]


@given(st.lists(st.integers(1, 10**15), min_size=3, max_size=40), st.integers(0, 39))
@settings(max_examples=100, deadline=None)
def test_safe_is_what_fits_without_any_one_domain(amounts: list[int], which: int) -> None:
    held = safe(amounts, THREE, 85)
    without = [one for index, one in enumerate(amounts) if index != which % len(amounts)]
    assert held <= usable(without, THREE, 85) <= usable(amounts, THREE, 85)
    assert usable(amounts, THREE, 85) <= Fraction(sum(amounts) * 85, 300)


FLAT = {"a": 10 * TB, "b": 10 * TB, "c": 10 * TB}


@pytest.mark.parametrize(
    ("domains", "osds", "wanted"),
    [
        pytest.param(FLAT, 6, [], id="good"),
        pytest.param(FLAT, 4, ["too_few_osds"], id="four OSDs"),
        pytest.param({"a": TB, "b": TB}, 8, ["no_capacity"], id="two servers for three copies"),
        pytest.param({}, 0, ["too_few_osds", "no_capacity"], id="nothing"),
        pytest.param({**FLAT, "d": 100 * TB}, 12, ["unequal_domains"], id="one giant"),
        pytest.param({**FLAT, "d": 11 * TB, "empty": 0}, 12, [], id="a little more is no fault"),
    ],
)
def test_objections(domains: dict[str, int], osds: int, wanted: list[str]) -> None:
    _, found = plan_capacity(domains, THREE, 85, osds)
    assert [one.objection.code for one in found] == wanted


FOUR = (Pool(name="p", application="rbd", copies=4, minimum=2, share=100),)


@pytest.mark.parametrize(
    ("east", "west", "usable_tb", "safe_tb", "wanted"),
    [
        pytest.param([10, 10], [10, 10], 10, 0, [], id="two and two"),
        pytest.param([10, 10, 10], [10, 10, 10], 15, 10, [], id="three and three"),
        pytest.param([10, 10, 10, 10], [10, 10], 10, 0, ["unequal_domains"], id="the smaller site decides"),
        pytest.param([10] * 6, [30], 0, 0, ["no_capacity"], id="one server has no place for two copies"),
        pytest.param([10] * 6, [], 0, 0, ["no_capacity"], id="all in one site"),
        pytest.param([], [], 0, 0, ["no_capacity"], id="nothing"),
    ],
)
def test_stretched(east: list[int], west: list[int], usable_tb: int, safe_tb: int, wanted: list[str]) -> None:
    domains = {f"{site}{n}": amount * TB for site, amounts in (("e", east), ("w", west)) for n, amount in enumerate(amounts)}
    sites = {name: "east" if name[0] == "e" else "west" for name in domains}
    capacity, found = plan_capacity(domains, FOUR, 100, 12, sites=sites)
    assert (capacity.raw, capacity.usable // TB, capacity.safe // TB) == (sum(domains.values()), usable_tb, safe_tb)
    assert [one.objection.code for one in found] == wanted
    assert not any(one.objection.subject not in ("ceph", "east") for one in found)


def test_unequal_says_how_much_and_who() -> None:
    said = plan_capacity({**FLAT, "d": 100 * TB}, THREE, 85, 12)[1][0].objection
    assert said.subject == "d"
    assert "85 TB of 130 TB cannot be filled" in said.text


def test_mixed_classes() -> None:
    flash, slow = (Osd(serial=one, wwn=None, bytes=TB, device_class=one) for one in ("nvme", "hdd"))
    assert mixed_classes([flash, flash]) == mixed_classes([slow]) == mixed_classes([]) == []
    assert [one.objection.code for one in mixed_classes([flash, slow])] == ["mixed_classes"]


def test_every_kind_is_raised() -> None:
    declared = {value.code for value in vars(module).values() if isinstance(value, Kind)}
    assert declared == {"too_few_osds", "no_capacity", "unequal_domains", "mixed_classes"}
