# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole page: that it needs nothing else, says everything, and can be read by everybody."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import cache
from itertools import pairwise

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan, Versions
from ansible_collections.frontier.vitro.plugins.module_utils.report.page import render
from ansible_collections.frontier.vitro.plugins.module_utils.report.services import NAMES
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.report.plans import sample_plan
from tests.unit.plugins.module_utils.report.reading import Page, replaced, seen, strings

EVIL = '"><script>alert(1)</script>'
PLANS = {
    "three": sample_plan(),
    "twelve": sample_plan(12, layout="split"),
    "trouble": sample_plan(4, 2, trouble=True),
    "no places": sample_plan(45, 0),
    "many": sample_plan(200, 10, layout="split"),
    "evil": replaced(sample_plan(trouble=True), lambda _: EVIL),
    "empty": replace(sample_plan(0), losses=(), choices=(), ports=(), vips=(), networks=(), links=()),
}
ORDER = [
    *("objections", "warnings", "summary", "racks", "servers", "networks", "storage", "memory"),
    *("losses", "ports", "choices", "versions", "evidence"),
]
each_page = pytest.mark.parametrize("name", PLANS)


@cache
def page_of(name: str) -> Page:
    return Page(render(PLANS[name]))


@each_page
def test_nothing_from_elsewhere(name):
    page = page_of(name)
    assert not {tag for tag, _ in page.elements} & {"script", "link", "img", "iframe", "object", "base", "form", "use", "image"}
    assert [one for one in page.values("href") if not one.startswith("#")] == []
    policies = [one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    # The policy counts for what comes after it.
    assert [tag for tag, _ in page.elements][:5] == ["html", "head", "meta", "meta", "meta"]


@each_page
def test_same_plan_same_bytes(name):
    assert render(PLANS[name]) == render(replace(PLANS[name]))


@each_page
def test_links_lead_somewhere(name):
    page = page_of(name)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {one.removeprefix("#") for one in page.values("href")} <= set(ids)


@each_page
def test_sections_are_in_order(name):
    page = page_of(name)
    assert [one["id"] for one in page.all("section")] == ORDER
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@each_page
def test_everybody_can_read_it(name):
    page = page_of(name)
    assert page.all("html") == [{"lang": "en"}]
    assert [len(page.all(tag)) for tag in ("main", "header", "nav", "footer", "h1")] == [1] * 5
    assert len(page.all("caption")) == len(page.all("table"))
    assert [one for one in page.all("th") if one.get("scope") not in ("col", "row", "rowgroup")] == []
    pictures = [one for one in page.all("svg") if one.get("aria-hidden") != "true"]
    assert [one for one in pictures if one.get("role") not in ("img", "group") or not one.get("aria-label")] == []
    scrolling = [one for one in page.all("div") if "scroll" in (one.get("class") or "").split() and one.get("role")]
    assert [one for one in scrolling if one.get("tabindex") != "0" or not one.get("aria-label")] == []


# A server's state is said where it is not present, the layout in words; a serial that is also the id is said once.
UNSAID = (".servers.state", ".layout", ".servers.serial")


@each_page
def test_every_string_is_said(name):
    text = page_of(name).text
    unsaid = {path for path, value in strings(PLANS[name]) if path not in UNSAID and seen(value) not in text}
    # `vip:internal` is said as VIP internal.
    assert unsaid <= {".ports.bind"}


def test_text_of_others_stays_text():
    """Each string of the plan becomes markup that would be found as an element."""
    numbers = iter(range(100_000))
    plan = replaced(sample_plan(trouble=True), lambda _: f'"><script id="x{next(numbers)}">alert(1)</script>{{{{ 7 }}}}')
    page = Page(render(plan))
    assert page.all("script") == []
    unsaid = {path for path, value in strings(plan) if path not in UNSAID and seen(value) not in page.text}
    # Interfaces that are named by nobody carry nothing.
    assert unsaid <= {".servers.traffic"}


# Anything the types allow, also what no planner would say. A plan is so large that making it smaller takes minutes.


@settings(
    max_examples=25,
    deadline=None,
    phases=(Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(st.from_type(Plan))
def test_any_plan_is_shown(plan):
    page = Page(render(plan))
    text = page.text.lower()
    hidden = (*UNSAID, ".servers.traffic", ".ports.bind", ".networks.carried_by")
    assert [(path, value) for path, value in strings(plan) if path not in hidden and seen(value).lower() not in text] == []
    ids = page.values("id")
    assert len(ids) == len(set(ids))


def test_state_is_said_in_words():
    assert "✓ APPLICABLE The planner has no objection." in Page(render(sample_plan())).text.replace("APPLICABLEThe", "APPLICABLE The")
    text = Page(render(sample_plan(trouble=True))).text
    assert "✗ NOT APPLICABLE2 objections. This plan is for reading; no role accepts it. 1 warning." in text


def test_bad_losses_come_first():
    text = Page(render(sample_plan(4, 2))).text
    assert "1 of these 4 stop a service or cost data." in text
    assert text.index("✗ does not go on") < text.index("✓ goes on")


def test_absent_servers_are_marked():
    source = render(sample_plan(trouble=True))
    assert source.count('class="slot absent"') == 2
    assert "lab-03 (absent)" in Page(source).text


def test_racks_are_drawn_from_below():
    source = render(sample_plan(30, 10))
    racks = re.findall(r'aria-label="Rack (R\d+)"', source)
    assert racks == [f"R{n}" for n in range(1, 11)]
    first = source[source.index('aria-label="Rack R1"') :]
    heights = [first.index(f">{name}</text>") for name in ("lab-21", "lab-11", "lab-01")]
    assert heights == sorted(heights)


def test_empty_units_are_left_out():
    plan = sample_plan(3, 1)
    units = (1, 2, 4000)
    servers = tuple(replace(one, location=replace(one.location, unit=unit)) for one, unit in zip(plan.servers, units, strict=True))
    assert "units 3 to 3999 are empty in all racks" in Page(render(replace(plan, servers=servers))).text


def test_several_servers_in_one_unit():
    plan = sample_plan(4, 1)
    servers = tuple(replace(one, location=replace(one.location, unit=5)) for one in plan.servers)
    source = render(replace(plan, servers=servers))
    tops = re.findall(r'<rect x="34" y="(\d+)"', source)
    assert len(set(tops)) == 4


def test_unknown_places_have_trays():
    text = Page(render(sample_plan(45, 0))).text
    assert [f"Place unknown ({n} of 3)" in text for n in (1, 2, 3)] == [True] * 3


def test_servers_that_are_alike_are_drawn_once():
    small, large = Page(render(sample_plan(24))), Page(render(sample_plan(25)))
    assert "wired alike" not in small.text
    assert "lab-01 and 24 more that are wired alike" in large.text
    assert [one.get("open", "closed") for one in small.all("details")].count("closed") < len(small.all("details"))


def test_too_much_memory_is_said():
    plan = sample_plan()
    first = replace(plan.servers[0], memory=replace(plan.servers[0].memory, total=128 * 1024**3))
    assert "384 too much" in Page(render(replace(plan, servers=(first, *plan.servers[1:])))).text


def test_disks_to_be_wiped_are_said():
    plan = sample_plan()
    osds = tuple(replace(one, wipe=True, database="FAST", database_bytes=10**11) for one in plan.servers[0].osds)
    text = Page(render(replace(plan, servers=(replace(plan.servers[0], osds=osds), *plan.servers[1:])))).text
    assert "FAST, 100 GBwipe" in text.replace("\u00a0", " ")
    assert "4 × 100 GB on 1 faster disk" in text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("safe", "said"), [(10**12, "all copies can be made again after the loss of the largest rack"), (0, "until it is back")]
)
def test_what_is_safe_is_explained(safe, said):
    plan = sample_plan()
    assert Page(render(replace(plan, ceph=replace(plan.ceph, safe_bytes=safe)))).text.count(said) == 2


def test_every_version_has_a_name():
    assert {one.name for one in fields(Versions)} == NAMES.keys()


def test_evidence_has_its_place():
    source = render(sample_plan())
    assert 'id="evidence"' in source
    assert "The checks of later stages appear here when they have run." in source


def test_size_grows_with_the_site():
    """200 servers stay far under 5 MB, and a server costs the same on a site of any size."""
    sizes = {count: len(render(sample_plan(count, 10)).encode()) for count in (100, 200, 400)}
    assert sizes[200] < 2_000_000
    assert sizes[400] - sizes[200] < 2.2 * (sizes[200] - sizes[100])
