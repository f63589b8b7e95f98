# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location, Nic
from ansible_collections.frontier.vitro.plugins.module_utils.plan import wiring_checks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import survey
from ansible_collections.frontier.vitro.plugins.module_utils.plan.networks import plan_networks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind, sorted_out
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import CpuShares, MemoryShares, PlannedServer
from ansible_collections.frontier.vitro.plugins.module_utils.plan.wiring import plan_wiring
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import hardware, intent, nics, server

LINKS = {
    "lan": {"networks": ["management", "tunnel"]},
    "san": {"networks": ["storage"], "speed_mbps": 25000},
    "wan": {"networks": ["external"], "ports": 1},
}


def port(adapter, number, speed=25000, link="up"):
    """A port of an adapter; its MAC tells both."""
    tag = sum(adapter.encode()) % 256
    return Nic(mac=f"02:00:00:00:{tag:02x}:{number:02x}", adapter=adapter, port=str(number), speed_mbps=speed, link=link, kind="ethernet")


def machine(ports, number=1):
    return survey(hardware([server(number, nics=tuple(ports))]), ())[0][0]


def wired(ports, before=None, **changes):
    networking, _ = plan_networks(intent(**changes))
    return plan_wiring(machine(ports), networking, before)


def planned(wiring):
    """The server as the previous plan has it."""
    return PlannedServer(
        id="SN00001",
        name="lab-01",
        fqdn="lab-01.lab.example",
        state="present",
        roles=(),
        location=Location(),
        bmc="192.0.2.2",
        interfaces=wiring.interfaces,
        traffic=wiring.traffic,
        memory=MemoryShares(total=0),
        cpu=CpuShares(total=0),
    )


def chosen(wiring):
    return {one.name: f"{one.adapter}/{one.port}" for one in wiring.interfaces if one.kind == "physical"}


FOUR = [port(adapter, number) for adapter in ("a", "b") for number in (0, 1)]
ONE_CARD = [port("a", number) for number in range(4)]

CASES = {
    "no link": (nics(1, link="down"), {}, ["no_link"]),
    "no port": ([], {}, ["no_link"]),
    "one card": (ONE_CARD, {}, ["one_adapter", "one_adapter"]),
    "unknown adapters": ([replace(port("a", n), adapter=None) for n in range(2)], {}, ["one_adapter"]),
    "one port": ([port("a", 0)], {}, ["one_port"]),
    "two ports, external untagged": ([port("a", 0), port("b", 0)], {"networks": {"external": {"vlan": None}}}, ["external_nowhere"]),
    "three ports, external untagged": (FOUR[:3], {"networks": {"external": {"vlan": None}}}, ["one_port"]),
    "two ports, external tagged": ([port("a", 0), port("b", 0)], {}, []),
    "two ports, external with a VLAN of main": (FOUR[:1] + FOUR[2:3], {"networks": {"external": {"vlan": 21}}}, ["vlan_taken"]),
    "mixed speeds": ([port("a", 0, 25000), port("b", 0, 10000)], {}, ["speeds_mixed"]),
    "mixed speeds may back each other up": (
        [port("a", 0, 25000), port("b", 0, 10000)],
        {"links": {"all": {"networks": ["management", "tunnel", "storage", "external"], "bond": "active-backup"}}},
        [],
    ),
    "unknown speed": ([port("a", 0, None), port("b", 0, None)], {}, ["speed_unknown"]),
    "slow": ([port("a", 0, 1000), port("b", 0, 1000)], {}, ["storage_slow"]),
    "too few for the links": (FOUR, {"links": LINKS}, ["too_few_ports"]),
    "none of that speed": (
        [port(adapter, n, 10000) for adapter in "abc" for n in (0, 1)],
        {"links": LINKS},
        ["too_few_ports"],
    ),
    "none of that adapter": (
        FOUR,
        {"links": {"lan": {"networks": ["management", "tunnel", "storage", "external"], "adapter": "ocp*"}}},
        ["too_few_ports"],
    ),
    "enough for the links": ([*FOUR, port("c", 0)], {"links": LINKS}, []),
}


ALL_IN_ONE = {"all": {"networks": ["management", "tunnel", "storage", "external"]}}
TWO, SLOWER = [port("a", 0), port("b", 0)], [port("a", 0), port("b", 0, 10000)]
LATER = {
    "as before": (TWO, TWO, {}, []),
    "a port lost its link": (TWO, [port("a", 0, link="down"), port("b", 0)], {}, ["port_without_link"]),
    "a port is slower now": (TWO, SLOWER, {}, ["speeds_mixed_now"]),
    "a port of two is slower than the link asks for": (
        TWO,
        SLOWER,
        {"links": {"all": {**ALL_IN_ONE["all"], "speed_mbps": 25000}}},
        ["speeds_mixed_now"],
    ),
    "a port of two that back each other up is slower than the link asks for": (
        TWO,
        SLOWER,
        {"links": {"all": {**ALL_IN_ONE["all"], "speed_mbps": 25000, "bond": "active-backup"}}},
        ["speeds_mixed_now"],
    ),
    "ports of two speeds back each other up": (TWO, SLOWER, {"links": {"all": {**ALL_IN_ONE["all"], "bond": "active-backup"}}}, []),
    "the link asks for more than its ports have": (
        TWO,
        [*TWO, port("c", 0, 100000), port("d", 0, 100000)],
        {"links": {"all": {**ALL_IN_ONE["all"], "speed_mbps": 100000}}},
        ["link_speed_bound"],
    ),
    "all ports are faster now": (TWO, [port("a", 0, 100000), port("b", 0, 100000)], {}, []),
}


@pytest.mark.parametrize(("first", "ports", "changes", "wanted"), LATER.values(), ids=LATER)
def test_what_speaks_against_ports_of_the_last_plan(first, ports, changes, wanted):
    links = {"links": ALL_IN_ONE}
    wiring, _ = wired(first, **links)
    again, found = wired(ports, planned(wiring), **{**links, **changes})
    assert [one.objection.code for one in found] == wanted
    assert chosen(again) == chosen(wiring)
    assert not found or "asks for" not in found[0].objection.text or found[0].objection.path == "links.all.speed_mbps"


def test_the_plain_server_has_nothing_against_it():
    wiring, found = wired(nics(1))
    assert not found
    assert chosen(wiring) == {"main0": "slot-0/0", "main1": "slot-1/0", "provider0": "slot-0/1", "provider1": "slot-1/1"}
    assert wiring.traffic == {
        "management": "main",
        "api": "main",
        "public": "main",
        "tunnel": "main.22",
        "storage": "main.21",
        "cluster": "main.21",
        "migration": "main",
        "fmc": "main",
        "external": "provider.30",
    }
    assert {one.name: one.mtu for one in wiring.interfaces} == {
        **dict.fromkeys(("main0", "main1", "main", "main.21", "main.22"), 9000),
        **dict.fromkeys(("provider0", "provider1", "provider", "provider.30"), 1500),
    }


@pytest.mark.parametrize(("ports", "changes", "wanted"), CASES.values(), ids=CASES)
def test_what_speaks_against_ports(ports, changes, wanted):
    _, found = wired(ports, **changes)
    assert sorted(one.objection.code for one in found) == wanted


def test_every_kind_is_raised_by_a_case():
    declared = {one.code for one in vars(wiring_checks).values() if isinstance(one, Kind)}
    raised = {code for _, _, wanted in CASES.values() for code in wanted}
    later = {code for _, _, _, wanted in LATER.values() for code in wanted}
    assert declared == raised | later


CHOICES = {
    "fastest": ([port("a", 0, 1000), port("b", 0, 1000), port("c", 0), port("d", 0)], {"main0": "c/0", "main1": "d/0"}),
    "two adapters before speed": (
        [port("a", 0, 100000), port("a", 1, 100000), port("b", 0), port("c", 0)],
        {"main0": "b/0", "main1": "c/0"},
    ),
    "but not at any price": ([port("a", 0), port("a", 1), port("b", 0, 1000), port("c", 0, 1000)], {"main0": "a/0", "main1": "a/1"}),
    "with link before unknown": (
        [port("a", 0, link=None), port("b", 0, link=None), port("c", 0, 10000), port("d", 0, 10000)],
        {"main0": "c/0", "main1": "d/0"},
    ),
    "never without link": (
        [port("a", 0, link="down"), port("b", 0, link="down"), port("c", 0), port("d", 0)],
        {"main0": "c/0", "main1": "d/0"},
    ),
    "known speed before unknown": ([port("a", 0, None), port("b", 0, None), port("c", 0), port("d", 0)], {"main0": "c/0", "main1": "d/0"}),
    "one known speed before two unknown": ([port("a", 0, None), port("b", 0, None), port("c", 0)], {"main0": "c/0", "main1": "a/0"}),
    "the adapter with most ports first": (
        [port("a", 0), port("b", 0), port("b", 1), port("c", 0)],
        {"main0": "a/0", "main1": "b/0", "provider0": "b/1", "provider1": "c/0"},
    ),
    "port 2 before port 10": ([port("a", 10), port("a", 2), port("a", 11)], {"main0": "a/2", "main1": "a/10"}),
}


@pytest.mark.parametrize(("ports", "wanted"), CHOICES.values(), ids=CHOICES)
def test_which_ports_are_chosen(ports, wanted):
    for order in (ports, ports[::-1]):
        wiring, _ = wired(order)
        assert wanted.items() <= chosen(wiring).items()


def test_external_goes_over_main_where_ports_are_few():
    wiring, found = wired([port("a", 0), port("b", 0)])
    assert not found
    assert wiring.traffic["external"] == "main.30"
    assert [one.name for one in wiring.interfaces] == ["main0", "main1", "main", "main.22", "main.21", "main.30"]


def test_external_goes_over_main_before_it_goes_over_ports_of_which_nothing_is_known():
    unknown = [port("u", number, None, None) for number in (0, 1)]
    assert wired([port("a", 0), port("b", 0), *unknown])[0].traffic["external"] == "main.30"
    assert wired([port("a", 0), port("b", 0), port("c", 0, 1000), port("d", 0, 10000)])[0].traffic["external"] == "main.30"


def test_one_port_carries_all():
    wiring, _ = wired([port("a", 0)])
    assert [(one.name, one.kind, one.parent) for one in wiring.interfaces][:2] == [
        ("main0", "physical", None),
        ("main.22", "vlan", "main0"),
    ]
    assert wiring.traffic["management"] == "main0"


def test_ports_stay_where_they_were():
    before = planned(wired([port("a", 0, 10000), port("b", 0, 10000)])[0])
    wiring, found = wired([port("a", 0, 10000), port("b", 0, 10000), *(port(name, 0, 100000) for name in "wxyz")], before)
    assert wiring == wired([port("a", 0, 10000), port("b", 0, 10000)])[0]
    assert not found


def test_a_planned_port_that_lost_its_link_stays_and_is_told():
    before = planned(wired(FOUR)[0])
    wiring, found = wired([port("a", 0, link="down"), *FOUR[1:], port("c", 0)], before)
    assert chosen(wiring) == chosen(wired(FOUR)[0])
    assert [one.objection.code for one in found] == ["port_without_link"]


def test_all_planned_ports_that_lost_their_link_stay():
    before = planned(wired(FOUR)[0])
    wiring, found = wired([port(one.adapter, int(one.port), None, "down") for one in FOUR], before)
    assert chosen(wiring) == chosen(wired(FOUR)[0])
    assert {one.objection.code for one in found} == {"port_without_link", "speed_unknown"}


def test_a_replaced_card_takes_over_the_name():
    before = planned(wired(FOUR)[0])
    wiring, _ = wired([*FOUR[:2], port("n", 0), port("n", 1)], before)
    assert chosen(wiring) == {"main0": "a/0", "main1": "n/0", "provider0": "a/1", "provider1": "n/1"}


def test_a_replaced_server_has_the_same_names():
    before = planned(wired(FOUR)[0])
    wiring, _ = wired([port(adapter, n) for adapter in "xy" for n in (0, 1)], before)
    assert chosen(wiring) == {"main0": "x/0", "main1": "y/0", "provider0": "x/1", "provider1": "y/1"}


def test_a_second_port_joins_and_the_first_keeps_its_name():
    before = planned(wired([port("a", 0)])[0])
    wiring, found = wired([port("a", 0), port("b", 0)], before)
    assert chosen(wiring) == {"main0": "a/0", "main1": "b/0"}
    assert not found


def test_a_port_of_another_speed_does_not_join():
    before = planned(wired([port("a", 0)])[0])
    assert chosen(wired([port("a", 0), port("b", 0, 1000)], before)[0]) == {"main0": "a/0"}


def test_external_does_not_move_to_ports_that_were_plugged_in_later():
    before = planned(wired(FOUR[:1] + FOUR[2:3])[0])
    assert wired(FOUR, before)[0].traffic["external"] == "main.30"


def test_the_same_fault_of_many_is_one_objection():
    networking, _ = plan_networks(intent())
    found = [one for n in range(9) for one in plan_wiring(machine(nics(n, link="down"), n), networking, None)[1]]
    (one,), _ = sorted_out(found)
    assert "4 more" in one.subject


PORTS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", None]),
        st.integers(0, 5),
        st.sampled_from([1000, 10000, 25000, 100000, None]),
        st.sampled_from(["up", "down", None]),
    ),
    max_size=8,
).map(
    lambda given: [
        Nic(mac=f"02:00:00:00:00:{n:02x}", adapter=adapter, port=str(number), speed_mbps=speed, link=link, kind="ethernet")
        for n, (adapter, number, speed, link) in enumerate(given)
    ]
)
LINKINGS = st.sampled_from([None, LINKS, {"abcdefghi": {"networks": ["management", "tunnel", "storage", "external"], "ports": 4}}])


@settings(max_examples=200, deadline=None)
@given(PORTS, PORTS, LINKINGS, st.randoms(use_true_random=False))
def test_every_wiring(ports, later, links, random):
    networking, _ = plan_networks(intent(links=links, networks={"external": {"vlan": 4094}}))
    wiring, found = plan_wiring(machine(ports), networking, None)
    names = [one.name for one in wiring.interfaces]
    macs = [one.mac for one in wiring.interfaces if one.mac]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 15 and "-" not in name for name in names)
    assert len(set(macs)) == len(macs)
    assert set(macs) <= {one.mac for one in ports if one.link != "down"}
    assert set(wiring.traffic.values()) <= set(names)
    assert len(wiring.traffic) == 9 or any(one.kind.severity == "error" for one in found)
    assert all(one.parent in names for one in wiring.interfaces if one.kind == "vlan")

    shuffled = random.sample(ports, len(ports))
    assert plan_wiring(machine(shuffled), networking, None) == (wiring, found)

    again, _ = plan_wiring(machine([*ports, *_others(later)]), networking, planned(wiring))
    kept = {one.mac: one.name for one in again.interfaces if one.mac}
    assert all(kept[one.mac] == one.name for one in wiring.interfaces if one.mac)


def _others(ports):
    return [
        Nic(mac=f"06{one.mac[2:]}", adapter=one.adapter, port=one.port, speed_mbps=one.speed_mbps, link=one.link, kind=one.kind)
        for one in ports
    ]
