# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.wanted import wanted_ovn
from ansible_collections.frontier.vitro.plugins.module_utils.plan.ovn import timers_for
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.unit.plugins.module_utils.plan.racks import intent, rack_of


@pytest.fixture(scope="module")
def plan():
    return plan_site(rack_of(6), intent(ovn={"manager": "packages"}))


def test_members_are_the_control_servers(plan):
    wanted = wanted_ovn(plan)
    assert [*wanted["members"]] == [one.name for one in plan.servers if "control" in one.roles] == wanted["planned_members"]
    assert all(one.startswith("ssl:") and one.endswith(":6643") for one in wanted["raft"]["nb"].values())
    assert all(one.endswith(":6642") for one in wanted["remotes"]["sb"])


def test_every_chassis_in_the_tunnel(plan):
    wanted = wanted_ovn(plan)
    assert set(wanted["chassis"]) == {one.name for one in plan.servers if {"compute", "network"} & set(one.roles)}
    assert len({one["encap_ip"] for one in wanted["chassis"].values()}) == len(wanted["chassis"])
    assert {name for name, one in wanted["chassis"].items() if one["gateway"]} == set(plan.ovn.gateways) == set(wanted["gateways"])
    assert all(one["remotes"] == wanted["remotes"]["sb"] for one in wanted["chassis"].values())


def test_relays_are_shared_out(plan):
    many = replace(plan, ovn=replace(plan.ovn, relay=True, relays=2))
    ports = {one["remotes"][0].rpartition(":")[2] for one in wanted_ovn(many)["chassis"].values()}
    assert ports == {"16641", "16642"} == {str(port) for port in wanted_ovn(many)["relays"].values()}


def test_kolla_has_relays_of_its_own(plan):
    kolla = wanted_ovn(replace(plan, ovn=replace(plan.ovn, manager="kolla", relay=True, relays=2)), "tcp")
    assert kolla["relays"] == {}
    assert all(one.startswith("tcp:") for one in kolla["remotes"]["nb"])


def test_an_absent_member_still_counts(plan):
    gone = replace(plan, servers=tuple(replace(one, state="absent") if one.name == plan.ovn.databases[0] else one for one in plan.servers))
    wanted = wanted_ovn(gone)
    assert len(wanted["planned_members"]) == 3
    assert len(wanted["members"]) == 2


def test_relay_by_wish():
    asked = plan_site(rack_of(6), intent(ovn={"manager": "packages", "relay": True})).ovn
    assert (asked.relay, asked.relays) == (True, 1)
    refused = plan_site(rack_of(6), intent(ovn={"manager": "kolla", "relay": False})).ovn
    assert (refused.relay, refused.relays) == (False, 0)


@pytest.mark.parametrize(
    ("chassis", "election", "probe"), [(3, 2000, 10000), (16, 2000, 10000), (17, 4000, 30000), (250, 8000, 60000), (251, 16000, 180000)]
)
def test_timers(chassis, election, probe):
    timers = timers_for(chassis)
    assert (timers.election_ms, timers.probe_ms) == (election, probe)


def test_timers_have_a_reason(plan):
    assert [one.chosen for one in plan.choices if one.what == "OVN's timers"] == ["election 2000 ms, probes 10000 ms, BFD 1000 ms"]
