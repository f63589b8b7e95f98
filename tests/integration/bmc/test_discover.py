# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook, as an operator runs it: first, again, in check mode, after a change, with faults, full disks and kills."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import jsonschema
import pytest

from tests.integration.bmc.ansible import BIN, CHECKOUT, Site
from tests.lab.rack import Fault, Rack, lab_rack


@pytest.fixture
def rack():
    with Rack(lab_rack(4)) as rack:
        yield rack
        assert all(bmc.counters.sessions_open == 0 for bmc in rack.bmcs)


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_first_run_writes_and_second_changes_nothing(rack, site):
    site.aim_at(rack)
    first = site.discover()
    assert first.returncode == 0, first.stdout + first.stderr
    assert "changed=1" in first.stdout
    document = json.loads(site.document.read_text())
    jsonschema.validate(document, json.loads((CHECKOUT / "docs/schema/hardware.json").read_text()))
    assert [server["id"] for server in document["servers"]] == [bmc.serial for bmc in rack.bmcs]
    written = site.document.stat()
    second = site.discover()
    assert "changed=0" in second.stdout
    assert site.document.stat().st_mtime_ns == written.st_mtime_ns


def test_progress_and_table_are_shown(rack, site):
    site.aim_at(rack)
    shown = site.discover().stdout
    assert "4/4 BMCs, " in shown
    assert "verdict" in shown
    for bmc in rack.bmcs:
        assert bmc.serial in shown


def test_check_mode_reads_and_writes_nothing(rack, site):
    site.aim_at(rack)
    done = site.discover("--check", "--diff")
    assert done.returncode == 0
    assert "changed=1" in done.stdout
    assert f"{rack.bmcs[0].serial}: new" in done.stdout
    assert not site.document.exists()


def test_changes_are_told(rack, site):
    site.aim_at(rack)
    site.discover()
    gone = rack.bmcs[0].servers[0].disks[0].serial
    rack.bmcs[0].remove_drive(0)
    rack.bmcs[1].remove_dimm(0)
    rack.bmcs[2].power = "off"
    done = site.discover("--diff")
    assert done.returncode == 0
    assert f"disk {gone} is gone" in done.stdout
    assert f"{rack.bmcs[1].serial}, memory: bytes is " in done.stdout
    assert f"{rack.bmcs[2].serial}, system: power is off, was on" in done.stdout
    assert gone not in site.document.read_text()
    again = site.discover()
    assert "changed=0" in again.stdout


def test_unread_bmcs_fail_the_run_and_the_others_are_written(rack, site):
    site.aim_at(rack)
    rack.bmcs[1].faults = [Fault("html")]
    done = site.discover()
    assert done.returncode == 2
    assert "not_redfish" in done.stdout
    assert "Redfish is enabled" in done.stdout + done.stderr
    document = json.loads(site.document.read_text())
    assert len(document["servers"]) == 3
    assert document["unread"][0]["address"] == rack.bmcs[1].address
    rack.bmcs[1].faults = []
    assert site.discover().returncode == 0
    assert json.loads(site.document.read_text())["unread"] == []
    rack.bmcs[1].faults = [Fault("busy", retry_after=0)]
    allowed = site.discover("-e", "bmc_discovery_unread_allowed=1")
    assert allowed.returncode == 0
    (kept,) = [one for one in json.loads(site.document.read_text())["servers"] if one["id"] == rack.bmcs[1].serial]
    assert [note["code"] for note in kept["warnings"]] == ["not_read_now"]
    assert "(busy)" in allowed.stdout
    rack.bmcs[1].faults = []
    site.discover()
    assert "not_read_now" not in site.document.read_text()


def test_secrets_are_nowhere(rack, site):
    site.aim_at(rack, password="s3cr3t-of-the-site")
    done = site.discover("-vvvv")
    assert done.returncode == 2
    assert "credentials_refused" in done.stdout
    for place in (done.stdout, done.stderr, site.document.read_text()):
        assert "s3cr3t-of-the-site" not in place
    assert all(bmc.counters.failed_logins == 1 for bmc in rack.bmcs)


def test_named_credentials(rack, site):
    wrong = {"name": "other", "username": rack.username, "password": "an-0ther-secret"}
    targets = [{"address": bmc.address, "port": bmc.port} for bmc in rack.bmcs]
    targets[0]["credentials"] = "other"
    site.aim_at(rack, targets=targets, credentials=[wrong])
    done = site.discover("-vvv")
    assert "an-0ther-secret" not in done.stdout + done.stderr
    assert len(json.loads(site.document.read_text())["servers"]) == 3
    assert rack.bmcs[0].counters.failed_logins == 1


def test_credentials_from_the_environment(rack, site):
    site.aim_at(rack, username=None, password=None)
    missing = site.discover()
    assert missing.returncode != 0
    assert "VITRO_BMC_PASSWORD" in missing.stdout + missing.stderr
    given = site.discover(VITRO_BMC_USERNAME=rack.username, VITRO_BMC_PASSWORD=rack.password)
    assert given.returncode == 0, given.stdout


def test_credentials_from_the_vault(rack, site):
    """Encrypted in place, for the playbook and for the inventory."""
    site.aim_at(rack, password=None, document=None)
    key = site.base / "key"
    key.write_text("the-key")
    encrypt = [str(BIN / "ansible-vault"), "encrypt_string", "--vault-password-file", str(key), rack.password, "--name", "password"]
    secret = subprocess.run(encrypt, capture_output=True, text=True, check=True, env=site.environment()).stdout
    config = site.folder / "bmc.yml"
    config.write_text(config.read_text().replace("password: null\n", secret))
    done = site.discover("-vvv", "--vault-password-file", str(key))
    assert done.returncode == 0, done.stdout + done.stderr
    assert rack.password not in done.stdout + done.stderr
    assert len(site.hosts("--vault-password-file", str(key))["bmc"]["hosts"]) == 4


def test_files_of_addresses_are_relative_to_the_site(rack, site):
    bmc = rack.bmcs[0]
    (site.base / "rack1.txt").write_text(f"# the first rack\n{bmc.address}  # top\n\n")
    site.aim_at(rack, targets=[{"file": "../../rack1.txt", "port": bmc.port, "rack": "R9", "unit": 7}])
    assert site.discover().returncode == 0
    (server,) = json.loads(site.document.read_text())["servers"]
    assert server["location"] == {"site": None, "rack": "R9", "unit": 7}


def test_mistakes_are_told_at_once(rack, site):
    bad = [
        "10.0.0.0/16",
        "192.0.2.300",
        {"address": "192.0.2.7", "prot": 1},
        {"address": "192.0.2.8", "password": "hidden-one"},
        "192.0.2.9",
        "192.0.2.9",
        {"address": "192.0.2.10", "credentials": "none-such"},
        {"file": "there-is-none.txt"},
    ]
    site.aim_at(rack, targets=bad[:-1])
    done = site.discover("-vvvv")
    assert done.returncode == 2
    told = " ".join((done.stdout + done.stderr).split())
    for words in ("65,536", "192.0.2.300", "did you mean `port`?", "named set in `credentials`", "also in entry 5", "none-such"):
        assert words in told
    assert "hidden-one" not in told
    site.aim_at(rack, targets=bad[-1:])
    assert "there-is-none.txt" in site.discover().stdout


DAMAGED = ["{", '{"schema": "vitro/hardware/9", "servers": []}', '{"schema": "vitro/hardware/1", "servers": [{"idd": 1}]}']


@pytest.mark.parametrize("content", DAMAGED, ids=["truncated", "newer", "edited"])
def test_a_damaged_document_is_refused_and_kept(rack, site, content):
    site.aim_at(rack)
    site.write_document(content)
    done = site.discover()
    assert done.returncode != 0
    assert "Cannot use the hardware document" in done.stdout + done.stderr
    assert site.document.read_text() == content


def test_a_searched_network_misses_a_server_that_was_there(rack, site):
    bmc = rack.bmcs[0]
    site.aim_at(rack, targets=[{"address": f"{bmc.address}/32", "port": bmc.port}])
    assert site.discover().returncode == 0
    bmc.faults = [Fault("html")]
    gone = site.discover()
    assert gone.returncode == 2
    (kept,) = json.loads(site.document.read_text())["servers"]
    assert [note["code"] for note in kept["warnings"]] == ["not_read_now"]


def test_a_rack_may_have_a_number(rack, site):
    site.aim_at(rack, targets=[{"address": rack.bmcs[0].address, "port": rack.bmcs[0].port, "rack": 5, "unit": 3}])
    assert site.discover().returncode == 0
    assert site.discover().returncode == 0
    assert json.loads(site.document.read_text())["servers"][0]["location"]["rack"] == "5"


def test_a_misspelt_key_among_credentials_shows_no_secret(rack, site):
    site.aim_at(rack, credentials=[{"name": "x", "username": "y", "passwort": "hush-hush-5"}])
    done = site.discover("-vvv")
    assert done.returncode != 0
    assert "did you mean `password`?" in done.stdout + done.stderr
    assert "hush-hush-5" not in done.stdout + done.stderr


def test_no_secret_in_the_process_list(site):
    with Rack(lab_rack(3), latency=0.3) as rack:
        site.aim_at(rack)
        process = site.start("ansible-playbook", "frontier.vitro.discover")
        seen = set()
        while process.poll() is None:
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    seen.add(path.read_bytes())
            time.sleep(0.05)
        assert any(b"AnsiballZ_bmc_info" in line for line in seen)
        assert not any(rack.password.encode() in line for line in seen)


def test_an_unwritable_place_is_said(rack, site):
    site.aim_at(rack)
    (site.base / "file").write_text("no folder")
    done = site.discover("-e", f"bmc_discovery_document={site.base}/file/hardware.json")
    assert done.returncode == 2
    assert "Cannot write the hardware document" in done.stdout + done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_interrupted(site, number):
    """Sessions are deleted on Ctrl-C and on termination; and whatever happens, the old document stays whole."""
    with Rack(lab_rack(6), latency=1.0) as rack:
        site.aim_at(rack)
        process = site.start("ansible-playbook", "frontier.vitro.discover")
        wait_for(lambda: sum(bmc.counters.sessions_open for bmc in rack.bmcs) >= 3)
        os.kill(process.pid, number)
        assert process.wait(30) != 0
        assert not site.document.exists()
        if number != signal.SIGKILL:
            wait_for(lambda: not any(bmc.counters.sessions_open for bmc in rack.bmcs))


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)
