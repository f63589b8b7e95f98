# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks of a planned and rendered site against the real cloud, as far as they go without hosts that Kolla runs on."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.engines.cloud.stage import BIN
from tests.lab.kolla.site import KollaSite

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def site(session_stage):
    """Six servers that all have guests, three of them with nothing else; the cloud has three of the six."""
    made = KollaSite(ROOT / "build/prove-cloud/site", Path(os.environ.get("VITRO_KOLLA_VENV", ROOT / "build/venv-kolla")))
    made.make(6, roles={"storage": {"count": 3}})
    made.play("render")
    clouds = made.config / "clouds.yaml"
    clouds.write_bytes(session_stage.lab.clouds.read_bytes())
    encrypt = [BIN / "ansible-vault", "encrypt", "--vault-password-file", made.vault_password_file, clouds]
    subprocess.run(encrypt, check=True, capture_output=True)
    return made


def test_the_cloud_is_asked_and_evidence_is_kept(site, stage):
    boot = {"kolla_deploy_cloud": {"boot": {"image": "tiny", "flavor": "small", "network": "inside"}}}
    done = site.play("openstack_cloud", "-e", json.dumps(boot), check=False)
    assert done.returncode == 2
    assert "hypervisors are the plan's compute hosts: lab-01, lab-02, lab-03, wanted lab-01, lab-02" in done.stdout.replace("\n", "")
    kept = json.loads((site.documents / "evidence/cloud.json").read_text())["checks"]
    assert [one["check"] for one in kept if not one["ok"]] == ["hypervisors are the plan's compute hosts"]
    assert "guest boots" in {one["check"] for one in kept}
    assert stage.lab.password("admin") not in done.stdout + done.stderr


def test_removing_tells_what_would_happen(site, stage):
    stage.guests("one", host="lab-02")
    shown = site.play("openstack_compute_remove", "-e", "target=lab-02", "--check", "-v").stdout
    assert re.search(r"name\W+one\W+to\W+lab-0[13]", shown), shown
    assert "kolla-ansible stop would be run" in shown
    assert stage.where() == {"one": ("ACTIVE", "lab-02")}


@pytest.mark.parametrize(
    ("playbook", "target", "said"),
    [
        ("openstack_compute_remove", "lab-01", "the plan has it as control and fmc and monitoring and network and storage too"),
        ("openstack_compute_remove", "lab-09", "The plan has no compute host lab-09."),
        ("openstack_compute_add", "lab-09", "The plan has no compute host lab-09."),
        ("openstack_compute_remove", "", "No host is named"),
    ],
)
def test_what_the_plan_does_not_allow_is_refused(site, stage, playbook, target, said):
    done = site.play(playbook, "-e", f"target={target}", check=False)
    assert done.returncode == 2
    assert said in " ".join(done.stdout.split())


def test_served_certificates_are_looked_at(site, stage):
    """The rendered tree has no certificates yet, so only how long those in force last is judged."""
    done = site.play("openstack_certificates", "--tags", "kolla_deploy_served")
    kept = json.loads((site.documents / "evidence/certificates.json").read_text())["checks"]
    assert len(kept) == 6, done.stdout
    assert {one["check"] for one in kept} == {"certificate lasts"}
    refused = site.play("openstack_certificates", "--tags", "kolla_deploy_served", "-e", "kolla_deploy_certificate_days=900", check=False)
    assert "wanted more than 900 days" in refused.stdout
