# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_interface, ip_network

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Bmc, Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan import address_checks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.addresses import plan_addresses
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import survey
from ansible_collections.frontier.vitro.plugins.module_utils.plan.networks import plan_networks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import Address, CpuShares, Interface, MemoryShares, PlannedServer
from ansible_collections.frontier.vitro.plugins.module_utils.plan.vips import given_vips
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import hardware, intent, rack_of, server


def machines(count):
    return survey(rack_of(count, racks=0), ())[0]


def addressed(count, before=None, *, absent=(), moves=False, order=None, closed=(), **changes):
    wish = intent(**changes)
    networking, _ = plan_networks(wish)
    taken = given_vips(wish, networking)
    return plan_addresses(order or machines(count), networking, before or {}, absent, taken, allow_moves=moves, closed=closed)


def planned(identity, addresses):
    """A server of the previous plan with these addresses; `addresses` maps networks to cidrs."""
    given_ = tuple(Address(network=name, cidr=cidr) for name, cidr in addresses.items())
    return PlannedServer(
        id=identity,
        name=identity.lower(),
        fqdn=f"{identity.lower()}.lab.example",
        state="present",
        roles=(),
        location=Location(),
        bmc="192.0.2.9",
        interfaces=(Interface(name="main", kind="bond", link="main", mtu=1500, addresses=given_),),
        traffic={},
        memory=MemoryShares(total=0),
        cpu=CpuShares(total=0),
    )


def remembered(result):
    return {identity: planned(identity, {name: one.cidr for name, one in nets.items()}) for identity, nets in result.items()}


def cidrs(result, network):
    return [nets[network].cidr for nets in result.values() if network in nets]


ALL = {"management": "10.20.0.11/24", "storage": "10.20.1.11/24", "tunnel": "10.20.2.11/24"}
SMALL = {"networks": {"storage": {"ranges": ["10.20.1.11-10.20.1.12"]}}}


def before(**changes):
    return {"SN00000": planned("SN00000", {**ALL, **changes})}


CASES = {
    "range too small": ({}, SMALL, ["range_exhausted"]),
    "two ranges too small": (
        {},
        {"networks": {"storage": {"cidr": "10.20.1.0/31"}, "tunnel": {"cidr": "10.20.2.0/30"}}},
        ["range_exhausted"] * 2,
    ),
    "cidr changed": (before(), {"networks": {"storage": {"cidr": "10.77.0.0/24"}}}, ["address_would_move"]),
    "family changed": (before(), {"networks": {"storage": {"cidr": "fd00::/64"}}}, ["address_would_move"]),
    "ranges changed": (before(), {"networks": {"storage": {"ranges": ["10.20.1.50-10.20.1.99"]}}}, ["address_would_move"]),
    "reserved changed": (before(), {"networks": {"storage": {"reserved": ["10.20.1.11"]}}}, ["address_would_move"]),
    "now the gateway": (before(), {"networks": {"storage": {"gateway": "10.20.1.11"}}}, ["address_would_move"]),
    "now a VIP": (before(), {"vips": {"internal": "10.20.0.11"}}, ["address_would_move"]),
    "now a name server's": (before(), {"dns": ["10.20.0.11"]}, ["address_would_move"]),
    "prefix changed": (before(), {"networks": {"storage": {"cidr": "10.20.1.0/25"}}}, []),
    "twice": ({**before(), "SN00001": planned("SN00001", ALL)}, {}, ["address_twice"] * 3),
    "damaged": (before(storage="10.20.1.x/24"), {}, []),
}


@pytest.mark.parametrize(("old", "changes", "wanted"), CASES.values(), ids=CASES)
def test_what_speaks_against_addresses(old, changes, wanted):
    _, found = addressed(3, old, **changes)
    assert [one.objection.code for one in found] == wanted


def test_every_kind_is_raised_by_a_case():
    declared = {one.code for one in vars(address_checks).values() if isinstance(one, Kind)}
    assert declared == {code for _, _, wanted in CASES.values() for code in wanted}


@pytest.mark.parametrize("case", ["cidr changed", "ranges changed", "reserved changed", "now the gateway", "now a VIP"])
def test_an_address_moves_only_when_it_may(case):
    old, changes, _ = CASES[case]
    stays, _ = addressed(3, old, **changes)
    moves, found = addressed(3, old, moves=True, **changes)
    network = "management" if case == "now a VIP" else "storage"
    assert stays["SN00000"][network].cidr == old["SN00000"].interfaces[0].addresses[list(ALL).index(network)].cidr
    assert moves["SN00000"][network].cidr != stays["SN00000"][network].cidr
    assert not found


def test_servers_have_one_number_in_all_networks():
    result, found = addressed(3)
    assert not found
    assert {name: one.cidr for name, one in result["SN00002"].items()} == {
        "management": "10.20.0.13/24",
        "tunnel": "10.20.2.13/24",
        "storage": "10.20.1.13/24",
    }


def test_only_management_has_the_default_route():
    result, _ = addressed(1, networks={"storage": {"gateway": "10.20.1.1"}})
    assert {name: one.gateway for name, one in result["SN00000"].items()} == {"management": "10.20.0.1", "tunnel": None, "storage": None}


def test_networks_without_a_common_number_give_their_own_lowest():
    result, found = addressed(2, networks={"storage": {"ranges": ["10.20.1.2-10.20.1.5"]}})
    assert not found
    assert cidrs(result, "storage") == ["10.20.1.2/24", "10.20.1.3/24"]
    assert cidrs(result, "management") == ["10.20.0.11/24", "10.20.0.12/24"]


def test_a_new_network_takes_the_number_of_the_others():
    first, _ = addressed(4)
    second, _ = addressed(4, remembered(first), networks={"cluster": {"cidr": "10.20.9.0/24", "vlan": 29, "mtu": 9000}})
    assert cidrs(second, "cluster") == ["10.20.9.11/24", "10.20.9.12/24", "10.20.9.13/24", "10.20.9.14/24"]


def test_exhausted_ranges_say_how_many_are_missing():
    _, found = addressed(9, **SMALL)
    (one,) = found
    assert "7 are missing" in one.objection.text
    assert "and 2 more" in one.objection.text
    assert one.objection.path == "networks.storage.ranges"


def test_absent_servers_keep_their_addresses():
    gone = planned("GONE", ALL)
    result, found = addressed(2, absent=[gone])
    assert not found
    assert cidrs(result, "management") == ["10.20.0.12/24", "10.20.0.13/24", "10.20.0.11/24"]


def test_no_server_gets_the_address_of_a_bmc():
    one = server(0, bmc=Bmc(address="10.20.0.11", port=443, protocol="redfish", vendor="Dell"))
    result, _ = addressed(1, order=survey(hardware([one]), ())[0])
    assert cidrs(result, "management") == ["10.20.0.12/24"]


def test_a_server_that_has_the_address_of_a_bmc_is_told():
    one = server(0, bmc=Bmc(address="10.20.0.11", port=443, protocol="redfish", vendor="Dell"))
    _, found = addressed(1, before(), order=survey(hardware([one]), ())[0])
    assert [each.objection.code for each in found] == ["address_would_move"]
    assert found[0].objection.cure.startswith("Give the BMC another address")
    assert found[0].objection.path is None


@pytest.mark.parametrize(
    ("closed", "wanted"),
    [
        pytest.param((), ["10.20.0.11/24", "10.20.0.12/24"], id="none"),
        pytest.param(["10.20.0.11"], ["10.20.0.12/24", "10.20.0.13/24"], id="the first"),
        pytest.param(["10.20.0.12", "bmc-7.lab.example", "192.0.2.77"], ["10.20.0.11/24", "10.20.0.13/24"], id="others are no matter"),
    ],
)
def test_no_server_gets_the_address_of_the_bmc_of_a_server_that_is_not_planned(closed, wanted):
    result, found = addressed(2, closed=closed)
    assert cidrs(result, "management") == wanted
    assert not found
    _, found = addressed(2, remembered(addressed(2)[0]), closed=closed)
    assert [one.objection.code for one in found] == (["address_would_move"] if closed else [])


ALL_IN_ONE = ["management", "storage", "tunnel", "external"]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        pytest.param({}, 1500, id="beside VLANs of 9000"),
        pytest.param({"networks": {"management": {"mtu": 9000}}}, None, id="as large as the others"),
        pytest.param({"networks": {"management": {"vlan": 20}}}, None, id="with a VLAN of its own"),
        pytest.param({"networks": {"storage": {"mtu": 1500}, "tunnel": {"mtu": 1500}}}, None, id="all the same"),
        pytest.param(
            {"networks": {"storage": {"mtu": 1500}, "tunnel": {"mtu": 1500}, "external": {"mtu": 9000}}}, 1500, id="external may join main"
        ),
        pytest.param({"links": {"all": {"networks": ALL_IN_ONE}}}, 1500, id="one link of the operator's"),
        pytest.param({"links": {"lan": {"networks": ["management"]}, "san": {"networks": ALL_IN_ONE[1:]}}}, None, id="a link of its own"),
    ],
)
def test_routes_have_the_mtu_of_their_network_where_the_interface_has_more(changes, wanted):
    result, _ = addressed(1, **changes)
    assert {name: one.mtu for name, one in result["SN00000"].items()} == {"management": wanted, "storage": None, "tunnel": None}


def test_ipv6():
    result, found = addressed(2, networks={"storage": {"cidr": "fd00:1::/64"}})
    assert not found
    assert cidrs(result, "storage") == ["fd00:1::b/64", "fd00:1::c/64"]


RANGES = st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=3).map(
    lambda pairs: [f"10.20.1.{min(pair)}-10.20.1.{max(pair)}" for pair in pairs]
)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 12), st.integers(0, 12), RANGES, RANGES, st.randoms(use_true_random=False))
def test_every_plan_of_addresses(count, more, ranges, reserved, random):
    changes = {
        "networks": {"storage": {"ranges": ranges, "reserved": reserved, "gateway": "10.20.1.254"}},
        "vips": {"internal": "10.20.0.12", "fmc": "10.20.0.14"},
    }
    wish = intent(**changes)
    networking, _ = plan_networks(wish)
    result, found = addressed(count, **changes)
    for name in ALL:
        given_ = [ip_interface(one) for one in cidrs(result, name)]
        assert len(set(given_)) == len(given_)
        assert all(one.network == ip_network(networking.own[name].cidr) for one in given_)
        assert len(given_) == count or found
    storage = {int(ip_interface(one).ip) for one in cidrs(result, "storage")}
    net = networking.own["storage"]
    assert all(any(first <= one <= last for first, last in net.usable) for one in storage)
    assert not any(first <= one <= last for one in storage for first, last in net.reserved)
    assert not {"10.20.0.1/24", "10.20.0.12/24", "10.20.0.14/24"} & set(cidrs(result, "management"))
    assert "10.20.1.254/24" not in cidrs(result, "storage")

    old = list(remembered(result).items())
    later, _ = addressed(count + more, dict(random.sample(old, len(old))), **changes)
    assert {identity: later[identity] for identity in result} == result
    assert later == addressed(count + more, dict(old), **changes)[0]


def test_names_do_not_matter():
    named = [replace(one, name=f"x{n}") for n, one in enumerate(machines(3))]
    assert addressed(3, order=named)[0] == addressed(3)[0]
