# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan import vip_checks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.networks import plan_networks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import Address
from ansible_collections.frontier.vitro.plugins.module_utils.plan.vips import given_vips, plan_vips
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import intent


def servers(*hosts):
    return {f"SN{host}": {"management": Address(network="management", cidr=f"10.20.0.{host}/24")} for host in hosts}


def planned(before=(), addresses=None, bmcs=(), **changes):
    wish = intent(**changes)
    networking, _ = plan_networks(wish)
    return plan_vips(wish, networking, ["lab-01", "lab-02"], ["lab-03"], before, servers(11, 12) if addresses is None else addresses, bmcs)


def vip(**given_):
    return {"vips": given_}


def numbers(**vrids):
    return {key: {"vrid": value} for key, value in vrids.items()}


TIGHT = {"networks": {"management": {"ranges": ["10.20.0.11-10.20.0.13"]}}}
SHARED = {"networks": {"external": {"cidr": "10.20.0.0/24", "ranges": ["10.20.0.251-10.20.0.254"]}}}

CASES = {
    "empty": (vip(internal=""), ["vip_empty"]),
    "all three empty": (vip(internal="", external=" ", fmc=""), ["vip_empty"] * 3),
    "no address": (vip(internal="cloud"), ["vip_invalid"]),
    "other family": (vip(external="fd00::5"), ["vip_invalid"]),
    "outside": (vip(internal="10.20.1.5"), ["vip_outside"]),
    "gateway": (vip(internal="10.20.0.1"), ["vip_unusable"]),
    "network": (vip(fmc="10.20.0.0"), ["vip_unusable"]),
    "broadcast": (vip(fmc="10.20.0.255"), ["vip_unusable"]),
    "a server's": (vip(internal="10.20.0.12"), ["vip_in_use"]),
    "outside the ranges": (vip(internal="10.20.0.5"), []),
    "reserved": ({**vip(internal="10.20.0.5"), "networks": {"management": {"reserved": ["10.20.0.2-10.20.0.9"]}}}, ["vip_reserved"]),
    "a name server's": ({**vip(internal="10.20.0.5"), "dns": ["10.20.0.5"]}, ["vip_reserved"]),
    "floating": ({**vip(external="10.20.0.252"), **SHARED}, ["vip_floating"]),
    "internal and fmc equal": (vip(internal="10.20.0.5", fmc="10.20.0.5"), ["vips_equal"]),
    "internal and external equal": (vip(internal="10.20.0.5", external="10.20.0.5"), []),
    "equal with one-sided TLS": ({**vip(internal="10.20.0.5", external="10.20.0.5"), "openstack": {"tls": "external"}}, ["vips_equal"]),
    "no room": (TIGHT, ["no_room_for_vip"] * 2),
    "VRID 300": (numbers(openstack=300), ["vrid_invalid"]),
    "VRID 0": (numbers(fmc=0), ["vrid_invalid"]),
    "VRIDs equal": (numbers(openstack=52), ["vrid_in_use"]),
    "VRIDs equal on different networks": ({**numbers(openstack=52), "networks": {"fmc": {"cidr": "10.20.8.0/24", "vlan": 28}}}, []),
    "VRID of others": ({"vrids_in_use": [51, 52]}, ["vrid_in_use"] * 2),
    "FQDN invalid": ({"fmc": {"fqdn": "fmc_.lab"}}, ["fqdn_invalid"]),
    "FQDN empty": ({"openstack": {"external_fqdn": ""}}, ["fqdn_invalid"]),
    "FQDN twice": ({"openstack": {"external_fqdn": "FMC.lab.example"}}, ["fqdn_twice"]),
}


def codes(found):
    return sorted(one.objection.code for one in found)


def test_the_plain_intent_has_three_vips_from_the_end_of_the_ranges():
    vips, found = planned()
    assert not found
    assert [(one.name, one.address, one.prefix, one.network, one.fqdn, one.vrid, one.servers) for one in vips] == [
        ("internal", "10.20.0.250", 24, "api", "api-int.lab.example", 51, ("lab-01", "lab-02")),
        ("external", "10.20.0.249", 24, "public", "api.lab.example", 51, ("lab-01", "lab-02")),
        ("fmc", "10.20.0.248", 24, "fmc", "fmc.lab.example", 52, ("lab-03",)),
    ]


@pytest.mark.parametrize(("changes", "wanted"), CASES.values(), ids=CASES)
def test_what_speaks_against_vips(changes, wanted):
    _, found = planned(**changes)
    assert codes(found) == wanted
    assert all(one.objection.path for one in found)


def test_every_kind_is_raised_by_a_case():
    declared = {one.code for one in vars(vip_checks).values() if isinstance(one, Kind)}
    assert declared == {code for _, wanted in CASES.values() for code in wanted} | {"vip_would_move"}, (
        "which needs a previous plan: see below"
    )


def test_a_vip_is_not_a_bmc():
    assert codes(planned(**vip(internal="10.20.0.5"), bmcs=["10.20.0.5"])[1]) == ["vip_in_use"]
    assert planned(bmcs=["10.20.0.250"])[0][0].address == "10.20.0.249"


def test_vips_stay_when_the_ranges_grow():
    before, _ = planned()
    after, found = planned(before, networks={"management": {"ranges": ["10.20.0.11-10.20.0.254"]}})
    assert after == before
    assert not found


MOVES = {
    "another one is given": vip(internal="10.20.0.5"),
    "it is reserved now": {"networks": {"management": {"reserved": ["10.20.0.250"]}}},
    "it is outside now": {"networks": {"management": {"ranges": ["10.20.0.11-10.20.0.249"]}}},
}


@pytest.mark.parametrize("changes", MOVES.values(), ids=MOVES)
def test_a_vip_moves_only_when_it_may(changes):
    before, _ = planned()
    stays, found = planned(before, **changes)
    assert codes(found) == ["vip_would_move"]
    assert stays == before
    moves, found = planned(before, **changes, allow_moves=["addresses"])
    assert not found
    assert moves[0].address != before[0].address
    assert moves[1:] == before[1:]


def test_one_vip_is_not_given_twice():
    vips, found = planned(**vip(external="10.20.0.250"))
    assert not found
    assert [one.address for one in vips] == ["10.20.0.249", "10.20.0.250", "10.20.0.248"]


def test_servers_are_told_which_addresses_are_vips():
    before, _ = planned()
    wish = intent(**vip(internal="10.20.0.5", external="10.99.0.1"))
    networking, _ = plan_networks(wish)
    assert given_vips(wish, networking, before) == {"management": {0x0A140005, 0x0A1400F8}}


def test_vips_of_their_own_networks():
    vips, found = planned(
        networks={
            "api": {"cidr": "10.20.5.0/24", "vlan": 25},
            "public": {"cidr": "198.51.100.0/28", "vlan": 26, "gateway": "198.51.100.14"},
            "fmc": {"cidr": "fd00:7::/64", "vlan": 27},
        }
    )
    assert not found
    assert [(one.address, one.prefix) for one in vips] == [("10.20.5.254", 24), ("198.51.100.13", 28), ("fd00:7::ffff:ffff:ffff:ffff", 64)]


def test_a_broken_network_has_no_vip_and_says_nothing_twice():
    vips, found = planned(addresses={}, networks={"management": {"cidr": "x"}})
    assert vips == ()
    assert not found


ADDRESSES = st.one_of(
    st.none(), st.integers(0, 300).map(lambda value: f"10.20.{value // 256}.{value % 256}"), st.sampled_from(["", "x", "fd00::1"])
)


@settings(max_examples=200, deadline=None)
@given(ADDRESSES, ADDRESSES, ADDRESSES, st.sets(st.integers(2, 254), max_size=30))
def test_vips_without_objections_are_free(internal, external, fmc, hosts):
    vips, found = planned(addresses=servers(*hosts), **vip(internal=internal, external=external, fmc=fmc))
    if found:
        return
    given_ = [one.address for one in vips]
    assert len(given_) == 3
    assert len(set(given_)) == 3 or internal == external
    assert not set(given_) & {f"10.20.0.{host}" for host in (*hosts, 0, 1, 255)}
    assert planned(vips, addresses=servers(*hosts), **vip(internal=internal, external=external, fmc=fmc))[0] == vips
