# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory plugin, by ansible-inventory."""

from __future__ import annotations

import json
import signal

import pytest

from tests.integration.bmc.ansible import Site
from tests.integration.bmc.test_discover import wait_for
from tests.lab.rack import Fault, Rack, lab_rack


@pytest.fixture(scope="module")
def rack():
    with Rack(lab_rack(4)) as rack:
        yield rack


@pytest.fixture(autouse=True)
def clean(rack):
    rack.reset()
    yield
    assert all(bmc.counters.sessions_open == 0 for bmc in rack.bmcs)


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_live_hosts_groups_and_variables(rack, site):
    site.aim_at(
        rack,
        document=None,
        hostname="{{ system.vendor | lower }}-{{ id | lower }}",
        keyed_groups=[{"key": "vitro_hardware.bmc.vendor", "prefix": "vendor"}],
        groups={"roomy": "vitro_hardware.memory.bytes >= 512 * 1024 ** 3"},
        compose={"cores": "vitro_hardware.processors | map(attribute='cores') | sum"},
    )
    found = site.hosts()
    names = [f"dell-{bmc.serial.lower()}" for bmc in rack.bmcs[:3]]
    assert found["vendor_Dell"]["hosts"] == names
    assert set(names) <= set(found["roomy"]["hosts"])
    variables = found["_meta"]["hostvars"][names[0]]
    assert variables["cores"] == rack.bmcs[0].expected["servers"][0]["cpu"]["cores"]
    assert variables["vitro_hardware"]["bmc"]["address"] == rack.bmcs[0].address
    assert rack.password not in json.dumps(found)


def test_a_template_in_a_bmcs_answer_stays_text(rack, site):
    site.aim_at(rack)
    site.run("ansible-playbook", "frontier.vitro.discover")
    document = json.loads(site.document.read_text())
    document["servers"][0]["system"]["asset_tag"] = "{{ lookup('pipe', 'echo owned') }}"
    site.document.write_text(json.dumps(document))
    found = site.hosts()["_meta"]["hostvars"]
    assert found[rack.bmcs[0].serial.lower()]["vitro_hardware"]["system"]["asset_tag"] == "{{ lookup('pipe', 'echo owned') }}"
    done = site.run("ansible", "bmc", "-m", "ansible.builtin.debug", "-a", "msg={{ vitro_hardware.system.asset_tag }}", "-c", "local")
    assert 'owned"' not in done.stdout


def test_from_a_document_no_bmc_is_asked(rack, site):
    site.aim_at(rack)
    nothing = site.run("ansible-inventory", "--list")
    assert nothing.returncode == 0
    assert "frontier.vitro.discover" in nothing.stderr
    site.run("ansible-playbook", "frontier.vitro.discover")
    rack.reset()
    assert len(site.hosts()["bmc"]["hosts"]) == 4
    assert sum(bmc.counters.requests for bmc in rack.bmcs) == 0
    site.document.write_text(site.document.read_text()[:-100])
    done = site.run("ansible-inventory", "--list")
    assert done.returncode != 0
    assert "no whole JSON" in done.stderr


def test_cached(rack, site):
    cache = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(site.base / "cache"), "cache_timeout": 600}
    site.aim_at(rack, document=None, **cache)
    first = site.hosts()
    asked = [bmc.counters.requests for bmc in rack.bmcs]
    assert site.hosts() == first
    assert [bmc.counters.requests for bmc in rack.bmcs] == asked
    assert not any(rack.password in path.read_text() for path in (site.base / "cache").iterdir())
    rack.bmcs[0].remove_drive(0)
    fresh = site.hosts("--flush-cache")
    assert fresh != first


def test_a_reading_with_a_hole_is_not_cached(rack, site):
    cache = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(site.base / "cache"), "cache_timeout": 600}
    site.aim_at(rack, document=None, **cache)
    rack.bmcs[0].faults = [Fault("html")]
    assert len(site.hosts()["bmc"]["hosts"]) == 3
    rack.bmcs[0].faults = []
    assert len(site.hosts()["bmc"]["hosts"]) == 4


def test_two_servers_with_one_name_are_refused(rack, site):
    site.aim_at(rack, document=None, hostname="{{ system.model }}")
    done = site.run("ansible-inventory", "--list")
    assert done.returncode != 0
    for bmc in rack.bmcs[:3]:
        assert bmc.serial in done.stderr


def test_one_bad_bmc_is_a_warning_and_all_bad_an_error(rack, site):
    rack.bmcs[0].faults = [Fault("html")]
    site.aim_at(rack, document=None)
    done = site.run("ansible-inventory", "--list")
    assert done.returncode == 0
    assert rack.bmcs[0].address in done.stderr
    assert len(json.loads(done.stdout)["bmc"]["hosts"]) == 3
    for bmc in rack.bmcs:
        bmc.faults = [Fault("html")]
    failed = site.run("ansible-inventory", "--list")
    assert failed.returncode != 0
    assert "Cannot read any BMC" in failed.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_interrupted(site, number):
    with Rack(lab_rack(6), latency=0.3) as rack:
        site.aim_at(rack, document=None)
        process = site.start("ansible-inventory", "--list")
        wait_for(lambda: sum(bmc.counters.sessions_open for bmc in rack.bmcs) >= 3)
        process.send_signal(number)
        assert process.wait(30) != 0
        assert not any(bmc.counters.sessions_open for bmc in rack.bmcs)
