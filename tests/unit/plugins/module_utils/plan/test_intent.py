# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import re

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.plan.intent import IntentRefused, parse_intent
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.unit.plugins.module_utils.plan.racks import intent, laid_over, rack_of
from tests.unit.tree import ROOT

BAD = {
    "unknown key": ({"networkz": {}}, ["networkz: unknown key; did you mean `networks`?"]),
    "unknown key deep inside": ({"roles": {"control": {"onyl": []}}}, ["roles.control.onyl: unknown key; did you mean `only`?"]),
    "unknown key in a map": (
        {"links": {"main": {"networks": ["api"], "port": 1}}},
        ["links.main.port: unknown key; did you mean `ports`?"],
    ),
    "unknown key in a list": ({"exclude": [{"serail": "x"}]}, ["exclude.0.serail: unknown key; did you mean `serial`?"]),
    "unknown network": ({"networks": {"tunel": {"cidr": "10.0.0.0/8"}}}, ["networks.tunel: unknown key; did you mean `tunnel`?"]),
    "wrong type": ({"ntp": "10.0.0.1"}, ['ntp: input should be a valid array (it is "10.0.0.1")']),
    "a number for a version": ({"versions": {"openstack": 2026.1}}, ["versions.openstack: input should be a valid string (it is 2026.1)"]),
    "a word for a number": ({"openstack": {"vrid": "51"}}, ["openstack.vrid: input should be a valid integer"]),
    "no such layout": ({"layout": "hyper"}, ["layout: input should be 'hci', 'split' or 'mixed' (it is \"hyper\")"]),
    "VLAN of another world": (
        {"networks": {"tunnel": {"vlan": 5000}}},
        ["networks.tunnel.vlan: input should be less than or equal"],
    ),
    "no name": ({"name": None}, ["name: "]),
    "name that is none": ({"name": "Lab 1"}, ["name: string should match pattern"]),
    "many at once": ({"name": None, "layout": "x", "cephh": {}, "dns": 1}, ["name: ", "layout: ", "cephh: unknown key", "dns: "]),
}


@pytest.mark.parametrize(("changes", "expected"), BAD.values(), ids=BAD)
def test_every_mistake_is_named(changes, expected):
    with pytest.raises(IntentRefused) as caught:
        intent(**changes)
    assert len(caught.value.mistakes) == len(expected)
    for words in expected:
        assert any(words in one for one in caught.value.mistakes), caught.value.mistakes


def blocks():
    page = (ROOT / "docs" / "planning.md").read_text()
    return [yaml.safe_load(text)["vitro_site"] for text in re.findall(r"```yaml\n(vitro_site:.*?)```", page, re.DOTALL)]


@pytest.mark.parametrize(("number", "servers"), [(0, 3), (1, 12)])
def test_examples_of_the_guide(number, servers):
    plan = plan_site(rack_of(servers), parse_intent(blocks()[number]))
    assert plan.objections == ()
    assert number or plan.ceph.safe_bytes == 0
    assert plan.ceph.failure_domain == "rack"


def test_three_servers_need_few_lines():
    assert len(yaml.safe_dump(blocks()[0]).splitlines()) < 30


@pytest.mark.parametrize("site", ["lab", "example"])
def test_inventories(site):
    given = yaml.safe_load((ROOT / "inventories" / site / "group_vars/all/site.yml").read_text())["vitro_site"]
    assert plan_site(rack_of(8), parse_intent(given)).objections == ()


def test_defaults_that_stand_in_the_example():
    """What the example shows as a comment is accepted as it stands."""
    text = (ROOT / "inventories/example/group_vars/all/site.yml").read_text()
    given = yaml.safe_load(text)["vitro_site"]
    commented = re.findall(r"^  # (\w+: [\[{].*)$", text, re.MULTILINE)
    assert commented
    for line in commented:
        parse_intent(laid_over(given, yaml.safe_load(line.partition("   #")[0])))
