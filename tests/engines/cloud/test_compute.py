# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute hosts of a real cloud emptied, forgotten and taken back. The hypervisor is an imitation; Nova, Placement and Neutron are not."""

from __future__ import annotations

import signal

from ansible_collections.frontier.vitro.plugins.module_utils.cloud.compute import read_guests, read_services, read_traces

from tests.engines.cloud.stage import HOSTS

NAMES = ["one", "two", "three", "four"]


def drain(stage, *arguments, **options):
    return stage.run("cloud_compute", *arguments, host="lab-01", state="drained", **options)


def test_running_guests_move_and_none_is_lost(stage):
    stage.guests(*NAMES)
    stage.guests("other", host="lab-02")
    made = drain(stage, "--diff", reason="new memory")
    assert made["changed"] and not made.get("failed"), made
    assert set(stage.where()) == {*NAMES, "other"}
    assert all(status == "ACTIVE" and host in ("lab-02", "lab-03") for status, host in stage.where().values()), stage.where()
    assert sorted(one["name"] for one in made["moves"]) == sorted(NAMES)
    assert {one["to"] for one in made["moves"]} <= {"lab-02", "lab-03"}
    service = read_services(stage.cloud)["lab-01"]
    assert (service.enabled, service.reason) == (False, "new memory")
    assert "of 4 guests left to move" in made["shown"]
    assert '+  "service": "disabled (new memory)"' in made["shown"]

    again = drain(stage, reason="another word")
    assert again["changed"] is False
    assert again["moves"] == again["left"] == []
    assert read_services(stage.cloud)["lab-01"].reason == "new memory"


def test_check_mode_tells_and_does_nothing(stage):
    guests = stage.guests("one", "two")
    stage.act(guests["two"], "os-resetState", {"state": "error"})
    made = drain(stage, "--check", "--diff")
    assert made["changed"] is True
    assert [(one["name"], one["to"] in ("lab-02", "lab-03")) for one in made["moves"]] == [("one", True)]
    assert made["left"][0]["name"] == "two"
    assert read_services(stage.cloud)["lab-01"].enabled
    assert {host for _, host in stage.where().values()} == {"lab-01"}


def test_locked_paused_and_stopped_guests_move(stage):
    guests = stage.guests("locked", "paused", "stopped")
    stage.act(guests["locked"], "lock")
    stage.act(guests["paused"], "pause")
    stage.act(guests["stopped"], "os-stop")
    stage.settle(guests["paused"], "PAUSED")
    stage.settle(guests["stopped"], "SHUTOFF")
    made = drain(stage)
    assert not made.get("failed"), made["msg"]
    where = stage.where()
    assert {name: status for name, (status, _) in where.items()} == {"locked": "ACTIVE", "paused": "PAUSED", "stopped": "SHUTOFF"}
    assert "lab-01" not in {host for _, host in where.values()}


def test_what_cannot_move_is_named_and_the_rest_goes_on(stage):
    guests = stage.guests("fine", "broken", "stubborn", "suspended", "stopped")
    stage.act(guests["broken"], "os-resetState", {"state": "error"})
    stage.act(guests["suspended"], "suspend")
    stage.act(guests["stopped"], "os-stop")
    stage.settle(guests["suspended"], "SUSPENDED")
    stage.settle(guests["stopped"], "SHUTOFF")
    made = drain(stage, stopped="refuse")
    assert made["failed"]
    assert made["code"] == "cloud_compute_left"
    why = {one["name"]: one["why"] for one in made["left"]}
    assert set(why) == {"broken", "stubborn", "suspended", "stopped"}
    assert "ERROR" in why["broken"]
    assert "suspended" in why["suspended"]
    assert "`stopped`" in why["stopped"]
    assert why["stubborn"].startswith("it was not moved")
    assert all(name in made["msg"] and reason in made["msg"] for name, reason in why.items())
    assert stage.where()["fine"][1] != "lab-01"
    assert stage.where()["stubborn"] == ("ACTIVE", "lab-01")
    assert not read_services(stage.cloud)["lab-01"].enabled
    assert read_traces(stage.cloud, "lab-01").service


def test_no_room_is_refused_with_numbers(stage):
    """Of 8192 MiB each host keeps 512, so two of 3072 fit on each."""
    stage.guests("a", "b", flavor="large", host="lab-02")
    stage.guests("c", flavor="large", host="lab-03")
    stage.guests("d", "e", flavor="large", host="lab-01")
    made = drain(stage)
    assert made["code"] == "cloud_compute_refused"
    assert "there is no room for 1 of its 2 guests" in made["msg"]
    assert "MEMORY_MB 6144 of 6144" in made["msg"]
    assert "lab-02 has free" in made["msg"]
    assert read_services(stage.cloud)["lab-01"].enabled


def test_the_last_host_is_refused(stage):
    for host in HOSTS[1:]:
        stage.run("cloud_compute", host=host, state="disabled")
    made = drain(stage)
    assert made["code"] == "cloud_compute_refused"
    assert "the last compute host" in made["msg"]
    assert read_services(stage.cloud)["lab-01"].enabled


def test_a_run_that_was_killed_is_gone_on_with(stage):
    guests = stage.guests(*NAMES)
    stage.act(guests["four"], "os-stop")
    stage.settle(guests["four"], "SHUTOFF")
    stage.interrupt("cloud_compute", lambda: len(read_guests(stage.cloud, "lab-01")) < 4, signal.SIGKILL, host="lab-01", state="drained")
    made = drain(stage)
    assert not made.get("failed"), made["msg"]
    assert read_guests(stage.cloud, "lab-01") == []
    assert {name: status for name, (status, _) in stage.where().items()} == {**dict.fromkeys(NAMES, "ACTIVE"), "four": "SHUTOFF"}


def test_a_host_is_forgotten_and_comes_back(stage):
    stage.guests("one")
    refused = stage.run("cloud_compute", host="lab-01", state="absent")
    assert refused["code"] == "cloud_compute_left"
    assert "one (" in refused["msg"]
    drain(stage)
    stage.lab.stop_host("lab-01")
    would = stage.run("cloud_compute", "--check", host="lab-01", state="absent")
    assert would["changed"]
    made = stage.run("cloud_compute", host="lab-01", state="absent")
    assert not made.get("failed"), made["msg"]
    assert made["removed"] == would["removed"]
    assert [one.rpartition(" ")[0] for one in made["removed"]] == ["Nova service", "Placement provider", "Neutron agent"]
    assert read_traces(stage.cloud, "lab-01").sentences == []
    assert "lab-01" not in str(stage.cloud.get("compute", "/os-hypervisors/detail"))
    assert stage.run("cloud_compute", host="lab-01", state="absent")["changed"] is False
    assert stage.run("cloud_health", compute=HOSTS[1:])["wrong"] == []
    unknown = stage.run("cloud_compute", host="lab-01", state="enabled")
    assert unknown["code"] == "cloud_compute_refused"

    stage.lab.start_host("lab-01")
    assert stage.run("cloud_health", compute=HOSTS)["wrong"] == []
