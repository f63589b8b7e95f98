# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report in a real browser: it runs nothing, loads nothing, shows everything, and fits on every screen and on paper."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from ansible_collections.frontier.vitro.plugins.module_utils.report.page import render

from tests.integration.report.chromium import TROUBLE, Browser, missing_packages
from tests.unit.plugins.module_utils.plan.racks import intent, rack_of
from tests.unit.plugins.module_utils.report.plans import sample_plan
from tests.unit.plugins.module_utils.report.reading import replaced

pytestmark = pytest.mark.skipif(bool(missing_packages()), reason=missing_packages() or "-")

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 * 7 }}'
LONG = "x" * 300
PLANS = {
    "three": sample_plan(),
    "twelve": sample_plan(12, layout="split"),
    "trouble": sample_plan(4, 2, trouble=True),
    "many": sample_plan(200, 10, layout="split"),
    "planned": plan_site(rack_of(12), intent(layout="split")),
    "planned, many": plan_site(rack_of(200, racks=10), intent(fmc={"mode": "dedicated"})),
    "planned, refused": plan_site(rack_of(2), intent(openstack={"vrid": 300})),
    "no places": sample_plan(30, 0),
    "evil": replaced(sample_plan(trouble=True), lambda _: EVIL),
    "long": replaced(replace(sample_plan(trouble=True), layout="hci"), lambda _: LONG),
}
# Text whose contrast to what is behind it is below 4.5, by the formula of WCAG 2.2. Letters of drawings are checked by their palette.
FAINT = """
(() => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, n) => sum + c * [.2126, .7152, .0722][n], 0);
  const behind = one => { for (; one; one = one.parentElement) {
    const found = numbers(getComputedStyle(one).backgroundColor); if (found[3] !== 0) return found; } return [255, 255, 255]; };
  const faint = new Set();
  for (const one of document.body.querySelectorAll('*')) {
    if (one.closest('svg') || ![...one.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(numbers(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) faint.add(one.outerHTML.slice(0, 80));
  }
  return [...faint];
})()
"""
NAMES = "[...document.querySelectorAll('#servers tbody tr[id] th')].map(one => one.firstChild.data)"
OVERFLOW = "[document.documentElement.scrollWidth, document.body.scrollWidth, document.documentElement.clientWidth]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    for name, plan in PLANS.items():
        (folder / f"{name}.html").write_text(render(plan))
    return {name: folder / f"{name}.html" for name in PLANS}


@pytest.mark.parametrize("name", PLANS)
def test_nothing_runs_and_nothing_is_loaded(browser, pages, name):
    browser.open(pages[name])
    browser.show()
    assert browser.ask("document.scripts.length + document.images.length") == 0
    assert browser.told(*TROUBLE) == []
    assert [one["request"]["url"] for one in browser.told("Network.requestWillBeSent")] == [pages[name].as_uri()]


def test_the_browser_would_tell(browser, tmp_path):
    """The page policy stops a script, and that is seen: the test above could fail."""
    source = render(PLANS["three"]).replace("</body>", "<script>alert(1)</script></body>")
    (tmp_path / "broken.html").write_text(source)
    browser.open(tmp_path / "broken.html")
    browser.show()
    assert "Content Security Policy" in json.dumps(browser.told("Log.entryAdded", "Runtime.consoleAPICalled"))


@pytest.mark.parametrize("name", PLANS)
def test_every_server_is_found(browser, pages, name):
    browser.open(pages[name])
    assert browser.ask(NAMES) == [one.name for one in PLANS[name].servers]


def test_text_of_others_is_shown(browser, pages):
    browser.open(pages["evil"])
    assert browser.ask("document.querySelector('h1').innerText") == EVIL
    assert browser.ask("document.querySelector('.finding h3').innerText") == EVIL


@pytest.mark.parametrize("width", [320, 400, 700, 1400])
@pytest.mark.parametrize("name", PLANS)
def test_the_page_does_not_scroll_sideways(browser, pages, name, width):
    browser.open(pages[name])
    browser.show(width=width)
    browser.ask("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert browser.ask(OVERFLOW) == [width] * 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["twelve", "trouble"])
def test_contrast(browser, pages, name, scheme):
    browser.open(pages[name])
    browser.show(scheme=scheme)
    assert browser.ask(FAINT) == []


def test_dark_is_dark_but_paper_is_not(browser, pages):
    browser.open(pages["three"])
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    browser.show(scheme="dark")
    assert browser.ask(ground) == "rgb(20, 23, 26)"
    browser.show(scheme="dark", media="print")
    assert browser.ask(ground) == "rgb(255, 255, 255)"
    assert browser.ask("getComputedStyle(document.querySelector('nav')).display") == "none"


def test_keyboard(browser, pages):
    """The first key leads past the contents, and every place that has the focus shows it."""
    browser.open(pages["three"])
    browser.show()
    seen = []
    for _ in range(5):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        seen.append(browser.ask("[document.activeElement.innerText, getComputedStyle(document.activeElement).outlineStyle]"))
    assert [text for text, _ in seen] == ["Skip to the plan", "Objections", "Warnings", "Summary", "Racks"]
    assert {style for _, style in seen} == {"solid"}


def test_a_server_in_its_rack_leads_to_its_row(browser, pages):
    browser.open(pages["twelve"])
    browser.show()
    browser.ask("document.querySelector('#racks svg a').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    assert browser.ask("document.querySelector(':target').querySelector('th').firstChild.data") in {
        one.name for one in PLANS["twelve"].servers
    }


def test_printed(browser, pages):
    """What matters is on paper: a site of this size has all its tables open."""
    browser.open(pages["three"])
    browser.show(media="print")
    assert browser.ask("[...document.querySelectorAll('details')].filter(one => !one.open).length") <= 2
    assert len(browser.call("Page.printToPDF")["data"]) > 10_000


def test_two_hundred_servers_are_small(pages):
    assert pages["many"].stat().st_size < 2_000_000
