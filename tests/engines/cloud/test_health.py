# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real cloud asked from outside: whole, and with one thing broken at a time."""

from __future__ import annotations

import json
import signal

from ansible_collections.frontier.vitro.plugins.module_utils.cloud.compute import read_services, write_service
from ansible_collections.frontier.vitro.plugins.module_utils.evidence import DOCUMENT, SCHEMA

from tests.engines.cloud.stage import HOSTS, until
from tests.lab.rack.tls import Authority

BOOT = {"image": "tiny", "flavor": "small", "network": "inside"}


def test_a_whole_cloud_is_well(stage):
    made = stage.run("cloud_health", compute=HOSTS, boot=BOOT)
    assert made["wrong"] == []
    kinds = {one["check"] for one in made["checks"]}
    assert kinds == {
        "endpoint answers", "Nova service works", "Neutron agent works", "Cinder service works",
        "hypervisors are the plan's compute hosts", "hypervisor is up", "guest boots", "guest is removed again",
    }  # fmt: skip
    assert sum(one["check"] == "endpoint answers" for one in made["checks"]) == 12
    DOCUMENT.parse(json.dumps({"schema": SCHEMA, "checks": made["checks"]}).encode(), "the checks")
    assert stage.servers() == []


def test_check_mode_boots_nothing(stage):
    made = stage.run("cloud_health", "--check", compute=HOSTS, boot=BOOT)
    assert "guest boots" not in {one["check"] for one in made["checks"]}


def test_every_wrong_thing_is_told_at_once(stage):
    """A service out of use, an API that is down, and a host that the plan has and the cloud has not."""
    write_service(stage.cloud, read_services(stage.cloud)["lab-02"], enabled=False, reason="new memory")
    stage.lab.stop("glance")
    try:
        wrong = "\n".join(stage.run("cloud_health", compute=[*HOSTS, "lab-09"])["wrong"])
    finally:
        stage.lab.up(HOSTS)
    assert "lab-02 nova-compute: Nova service works: up, disabled (new memory)" in wrong
    assert f"image public {stage.lab.url('glance', tls=True)}: endpoint answers: 503" in wrong
    assert f"image internal {stage.lab.url('glance')}: endpoint answers: [Errno 111] Connection refused" in wrong
    assert "wanted lab-01, lab-02, lab-03, lab-09" in wrong
    assert len(wrong.splitlines()) == 4


def test_a_guest_that_does_not_boot_is_removed_too(stage):
    stage.flavor("too large", vcpus=1, ram=40000)
    made = stage.run("cloud_health", compute=HOSTS, boot={**BOOT, "flavor": "too large"})
    (wrong,) = made["wrong"]
    assert ": guest boots: ERROR: No valid host was found." in wrong
    assert stage.servers() == []


def test_what_there_is_not_is_named(stage):
    made = stage.run("cloud_health", compute=HOSTS, boot={**BOOT, "image": "nowhere", "network": "nothing"})
    assert "there is no image nowhere; there is no network nothing" in made["wrong"][0]


def test_an_interrupted_boot_leaves_nothing(stage):
    stage.interrupt(
        "cloud_health",
        lambda: [one for one in stage.servers() if one["name"].startswith("vitro-check-")],
        signal.SIGINT,
        compute=HOSTS,
        boot=BOOT,
    )
    until(lambda: stage.servers() == [])


def test_what_a_killed_run_left_is_removed_by_the_next(stage):
    stage.interrupt("cloud_health", stage.servers, signal.SIGKILL, compute=HOSTS, boot=BOOT)
    left = [one["name"] for one in stage.servers()]
    stage.run("cloud_health", compute=HOSTS, boot=BOOT)
    assert left
    assert stage.servers() == []


def test_another_authority_is_refused(stage, tmp_path):
    other = tmp_path / "ca.pem"
    other.write_bytes(Authority("Somebody else").pem)
    made = stage.run("cloud_health", compute=HOSTS, ca=str(other))
    assert made["code"] == "cloud_unreachable"
    assert "certificate verify failed" in made["msg"]


def test_a_wrong_password_is_told_and_not_shown(stage, tmp_path):
    wrong = json.loads(stage.lab.clouds.read_text())
    wrong["clouds"]["kolla-admin"]["auth"]["password"] = "not-the-password"
    path = tmp_path / "clouds.yaml"
    path.write_text(json.dumps(wrong))
    made = stage.run("cloud_health", compute=HOSTS, clouds=str(path))
    assert made["code"] == "cloud_login"
    assert "not-the-password" not in json.dumps(made)
