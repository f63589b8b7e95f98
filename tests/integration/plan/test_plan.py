# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook and the inventory as an operator uses them."""

from __future__ import annotations

import json
import subprocess

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT

from tests.integration.bmc.ansible import Site
from tests.unit.plugins.module_utils.plan.racks import INTENT, hardware, laid_over, rack_of, server


class Planned(Site):
    """A site with a hardware document and an intent."""

    @property
    def plan(self):
        return self.document.with_name("plan.json")

    @property
    def report(self):
        return self.document.with_name("report.html")

    def have(self, rack):
        self.write_document(DOCUMENT.to_text(rack))

    def want(self, **changes):
        variables = self.folder / "group_vars" / "all" / "site.yml"
        variables.parent.mkdir(parents=True, exist_ok=True)
        variables.write_text(yaml.safe_dump({"vitro_site": laid_over(INTENT, changes)}))
        (self.folder / "site.yml").write_text(yaml.safe_dump({"plugin": "frontier.vitro.site", "plan": str(self.plan)}))

    def play(self, *arguments) -> subprocess.CompletedProcess[str]:
        return self.run("ansible-playbook", "frontier.vitro.plan", *arguments)

    def files(self):
        return {path.name: path.read_bytes() for path in self.document.parent.iterdir()}


@pytest.fixture
def site(tmp_path):
    site = Planned(tmp_path)
    site.have(rack_of(3))
    site.want()
    return site


def recap(done):
    line = done.stdout.split("PLAY RECAP")[1].splitlines()[1]
    return {word.partition("=")[0]: int(word.partition("=")[2]) for word in line.split() if "=" in word}


def test_from_nothing_to_a_plan(site):
    checked = site.play("--check", "--diff")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert recap(checked)["changed"] == 1
    assert "a first plan with 3 servers" in checked.stdout
    assert set(site.files()) == {"hardware.json"}

    first = site.play()
    assert first.returncode == 0, first.stdout + first.stderr
    assert recap(first)["changed"] == 1
    assert "lab-01" in first.stdout
    plan = json.loads(site.plan.read_text())
    assert plan["applicable"] is True
    assert "lab-03" in site.report.read_text()

    before = site.files()
    again = site.play()
    assert recap(again)["changed"] == 0
    assert site.files() == before


def test_diff_tells_what_would_change(site):
    site.play()
    before = site.files()
    site.have(rack_of(4))
    done = site.play("--check", "--diff")
    assert done.returncode == 0
    assert "lab-04: new, PowerEdge R750 SN00003" in done.stdout
    assert {key: value for key, value in site.files().items() if key != "hardware.json"} == {
        key: value for key, value in before.items() if key != "hardware.json"
    }


def test_every_objection_at_once_and_the_old_plan_stays(site):
    site.play()
    plan = site.plan.read_bytes()
    site.want(openstack={"vrid": 300}, vips={"internal": "10.99.0.1"}, roles={"control": {"count": 2}})
    done = site.play()
    assert done.returncode == 2
    for code in ("control_count", "vrid_invalid", "vip_outside"):
        assert code in done.stdout
    assert site.plan.read_bytes() == plan
    refused = json.loads(site.plan.with_name("plan.refused.json").read_text())
    assert refused["applicable"] is False
    assert "vrid_invalid" in site.report.read_text()

    site.want()
    cured = site.play()
    assert cured.returncode == 0
    assert not site.plan.with_name("plan.refused.json").exists()
    assert site.plan.read_bytes() == plan


def test_mistakes_in_the_intent(site):
    site.want(networkz={}, ceph={"copys": 2}, ntp="10.0.0.1")
    done = site.play()
    assert done.returncode == 2
    assert "3 mistakes" in done.stdout
    assert "did you mean `networks`?" in done.stdout
    assert "did you mean `copies`?" in done.stdout
    assert set(site.files()) == {"hardware.json"}


def test_without_hardware(site):
    site.document.unlink()
    done = site.play()
    assert done.returncode == 2
    assert "Run frontier.vitro.discover first" in done.stdout


BROKEN = {
    "truncated": (lambda text: text[: len(text) // 2], "it is no whole JSON"),
    "empty": (lambda _text: "", "it is no whole JSON"),
    "newer": (lambda text: text.replace("vitro/plan/1", "vitro/plan/9"), "its schema is `vitro/plan/9`"),
    "edited wrongly": (lambda text: text.replace('"applicable": true', '"applicable": "yes"'), "1 mistake: (1) applicable"),
}


@pytest.mark.parametrize(("damage", "words"), BROKEN.values(), ids=BROKEN)
def test_damaged_plan_is_not_touched(site, damage, words):
    (site.folder / "site.yml").write_text("all: {}\n")
    site.play()
    site.plan.write_text(damage(site.plan.read_text()))
    before = site.files()
    done = site.play()
    assert done.returncode == 2
    assert words in done.stdout
    assert site.files() == before


def test_plan_of_another_site(site):
    site.play()
    before = site.plan.read_bytes()
    site.want(name="other")
    done = site.play()
    assert done.returncode == 2
    assert "previous_other_site" in done.stdout
    assert site.plan.read_bytes() == before


def test_inventory(site):
    empty = site.run("ansible-inventory", "--graph")
    assert empty.returncode == 0
    assert "There is no site plan" in empty.stderr
    site.have(hardware(server(n, rack=f"R{n}", unit=1) for n in range(1, 5)))
    site.play()
    site.have(hardware(server(n, rack=f"R{n}", unit=1) for n in range(1, 4)))
    site.play()
    hosts = site.hosts()
    assert sorted(hosts["site"]["hosts"]) == ["lab-01", "lab-02", "lab-03"]
    assert hosts["absent"]["hosts"] == ["lab-04"]
    assert sorted(hosts["control"]["hosts"]) == ["lab-01", "lab-02", "lab-03"]
    assert hosts["rack_R2"]["hosts"] == ["lab-02"]
    variables = hosts["_meta"]["hostvars"]["lab-02"]
    assert variables["ansible_host"] == "10.20.0.12"
    assert variables["vitro_server"]["fqdn"] == "lab-02.lab.example"
    assert variables["vitro_addresses"]["api"] == variables["vitro_addresses"]["management"] == "10.20.0.12"
    assert "external" not in variables["vitro_addresses"]
    assert variables["vitro_plan"]["domain"] == "lab.example"
    assert "servers" not in variables["vitro_plan"]
    assert "vitro_plan" not in hosts["_meta"]["hostvars"]["lab-04"]


def test_inventory_of_a_refused_plan(site):
    site.want(openstack={"vrid": 300})
    site.play()
    refused = site.plan.with_name("plan.refused.json")
    (site.folder / "site.yml").write_text(yaml.safe_dump({"plugin": "frontier.vitro.site", "plan": str(refused)}))
    done = site.run("ansible-inventory", "--graph")
    assert done.returncode != 0
    assert "it has 1 objection and is not applicable" in " ".join(done.stderr.split())


def test_inventory_of_a_damaged_plan(site):
    site.play()
    site.plan.write_text("{")
    done = site.run("ansible-inventory", "--graph")
    assert done.returncode != 0
    assert "Bring it back from your backup" in done.stderr
