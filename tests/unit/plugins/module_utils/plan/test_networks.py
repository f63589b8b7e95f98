# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan import endpoints, links, network_checks, subnets
from ansible_collections.frontier.vitro.plugins.module_utils.plan.networks import plan_networks, tenant_mtu
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.ranges import common, free, joined, last_free, span, spelled, without
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import intent


def net(name, **changes):
    return {"networks": {name: changes}}


def linked(**wishes):
    return {"links": {name: {"networks": networks} for name, networks in wishes.items()}}


CASES = {
    "cidr missing": (net("storage", cidr=None), ["cidr_missing"]),
    "cidr of management missing": (net("management", cidr=None), ["cidr_missing"]),
    "cidr is no network": (net("storage", cidr="10.20.1.0/33"), ["cidr_invalid"]),
    "cidr is empty": (net("storage", cidr=""), ["cidr_invalid"]),
    "cidr without length": (net("storage", cidr="10.20.1.0"), ["cidr_invalid"]),
    "cidr is multicast": (net("storage", cidr="224.0.1.0/24"), ["cidr_invalid"]),
    "cidr is loopback": (net("storage", cidr="127.0.0.0/8"), ["cidr_invalid"]),
    "cidr of IPv6 is link-local": (net("storage", cidr="fe80::/64"), ["cidr_invalid"]),
    "cidr with host bits": (net("storage", cidr="10.20.1.5/24"), ["cidr_host_bits"]),
    "pods are no network": ({"fmc": {"pods": "pods"}}, ["cidr_invalid"]),
    "services with host bits": ({"fmc": {"services": "10.43.0.1/16"}}, ["cidr_host_bits"]),
    "gateway is no address": (net("management", gateway="router"), ["gateway_wrong"]),
    "gateway outside": (net("management", gateway="10.20.9.1"), ["gateway_wrong"]),
    "gateway of the other family": (net("management", gateway="fd00::1"), ["gateway_wrong"]),
    "gateway is the network": (net("management", gateway="10.20.0.0"), ["gateway_wrong"]),
    "gateway is the broadcast address": (net("management", gateway="10.20.0.255"), ["gateway_wrong"]),
    "no default route": (net("management", gateway=None), ["no_default_route"]),
    "range is none": (net("storage", ranges=["all"]), ["range_invalid"]),
    "range reversed": (net("storage", ranges=["10.20.1.50-10.20.1.10"]), ["range_invalid"]),
    "range outside": (net("storage", ranges=["10.20.1.50-10.20.2.10"]), ["range_invalid"]),
    "range of the other family": (net("storage", ranges=["fd00::1-fd00::9"]), ["range_invalid"]),
    "range with two families": (net("storage", ranges=["10.20.1.1-fd00::9"]), ["range_invalid"]),
    "range with the gateway": (net("management", ranges=["10.20.0.1-10.20.0.99"]), ["range_has_gateway"]),
    "two wrong ranges are two": (net("storage", ranges=["x", "y", "10.20.1.1"]), ["range_invalid"] * 2),
    "reserved is none": (net("storage", reserved=["10.20.1"]), ["reserved_invalid"]),
    "reserved outside": (net("storage", reserved=["10.20.3.0/24"]), ["reserved_invalid"]),
    "networks overlap": (net("storage", cidr="10.20.0.128/25"), ["networks_overlap"]),
    "networks equal": (net("storage", cidr="10.20.2.0/24"), ["networks_overlap"]),
    "pods overlap": ({"fmc": {"pods": "10.20.0.0/16"}}, ["networks_overlap"] * 3),
    "services overlap pods": ({"fmc": {"services": "10.42.128.0/20"}}, ["networks_overlap"]),
    "external overlaps": (net("external", cidr="10.20.1.0/25"), ["networks_overlap"]),
    "external overlaps pods": (net("external", cidr="10.42.0.0/16"), ["networks_overlap"]),
    "external is management": (net("external", cidr="10.20.0.0/24"), ["floating_overlap"]),
    "floating range meets servers": (net("external", cidr="10.20.0.0/24", ranges=["10.20.0.240-10.20.0.254"]), ["floating_overlap"]),
    "floating range beside servers": (net("external", cidr="10.20.0.0/24", ranges=["10.20.0.251-10.20.0.254"]), []),
    "external of its own": (net("external", cidr="198.51.100.0/24", gateway="198.51.100.1"), []),
    "IPv6 beside IPv4": (net("storage", cidr="fd00:1::/64"), []),
    "tunnel too small for the guests": ({"openstack": {"tenant_mtu": 8950}}, ["tunnel_too_small"]),
    "tunnel just large enough": ({"openstack": {"tenant_mtu": 8942}}, []),
    "IPv6 tunnel too small": ({**net("tunnel", cidr="fd00:2::/64"), "openstack": {"tenant_mtu": 8942}}, ["tunnel_too_small"]),
    "tunnel too small for anything": (net("tunnel", mtu=1300), ["tunnel_too_small"]),
    "tunnel of 1500": (net("tunnel", mtu=1500), ["tenant_mtu_reduced"]),
    "tunnel over management": ({"networks": {"tunnel": None}}, ["tenant_mtu_reduced"]),
    "long frames on management": (net("management", mtu=9000), ["management_jumbo"]),
    "MTUs of storage differ": (net("cluster", cidr="10.20.4.0/24", vlan=24), ["storage_mtu_differs"]),
    "storage over management": ({"networks": {"storage": None}}, ["storage_shared"]),
    "same VLAN": (net("storage", vlan=22), ["vlan_twice"]),
    "same VLAN on another link": (net("external", vlan=22), []),
    "two untagged": (net("storage", vlan=None), ["untagged_twice"]),
    "network in no link": (linked(lan=["management", "storage", "tunnel"]), ["link_missing"]),
    "no links": ({"links": {}}, ["link_missing"]),
    "network in two links": (linked(lan=["management", "storage", "tunnel"], wan=["external", "storage"]), ["link_twice"]),
    "carried network on another link": (linked(lan=["management", "storage", "tunnel"], wan=["external", "api"]), ["link_not_own"]),
    "carried network on its link": (linked(lan=["management", "api", "storage", "tunnel"], wan=["external"]), []),
    "external untagged with others": (
        {**linked(lan=["management", "storage", "tunnel", "external"]), **net("external", vlan=None)},
        ["external_shares"],
    ),
    "external tagged with others": (linked(lan=["management", "storage", "tunnel", "external"]), []),
    "link name too long": (linked(management=["management", "storage", "tunnel"], wan=["external"]), ["link_name"]),
    "link name with a dash": (linked(**{"la-n": ["management", "storage", "tunnel"], "wan": ["external"]}), ["link_name"]),
    "link name of the kernel": (linked(eth1=["management", "storage", "tunnel"], bond0=["external"]), ["link_name"] * 2),
    "link name of a port": (linked(lan=["management", "storage", "tunnel"], lan1=["external"]), ["link_name"]),
    "no name servers": ({"dns": []}, ["no_name_servers"]),
    "no time servers": ({"ntp": []}, ["no_time_servers"]),
    "dns with a port": ({"dns": ["10.20.0.1:53"]}, ["endpoint_invalid"]),
    "dns is empty": ({"dns": [""]}, ["endpoint_invalid"]),
    "dns by name": ({"dns": ["ns1.lab.example", "fd00::53"]}, []),
    "ntp is a wrong address": ({"ntp": ["10.20.0.256"]}, ["endpoint_invalid"]),
    "no registry": ({"registry": None}, ["registry_missing"]),
    "registry empty": ({"registry": ""}, ["registry_missing"]),
    "registry with a scheme": ({"registry": "https://registry.lab.example"}, ["registry_invalid"]),
    "registry with a path": ({"registry": "registry.lab.example/kolla"}, ["registry_invalid"]),
    "registry with a wrong port": ({"registry": "registry.lab.example:70000"}, ["registry_invalid"]),
    "registry without its port": ({"registry": "registry.lab.example:"}, ["registry_invalid"]),
    "registry by address": ({"registry": "10.20.0.5:5000"}, []),
    "registry by IPv6 address": ({"registry": "[fd00::5]:5000"}, []),
    "registry by bare IPv6 address": ({"registry": "fd00::5"}, ["registry_invalid"]),
}


def codes(changes):
    _, found = plan_networks(intent(**changes))
    return sorted(one.objection.code for one in found)


def test_the_plain_intent_has_nothing_against_it():
    assert codes({}) == []


@pytest.mark.parametrize(("changes", "wanted"), CASES.values(), ids=CASES)
def test_what_speaks_against_networks(changes, wanted):
    assert codes(changes) == wanted


def test_every_kind_is_raised_by_a_case():
    declared = {
        one.code for module in (subnets, links, network_checks, endpoints) for one in vars(module).values() if isinstance(one, Kind)
    }
    assert declared == {code for _, wanted in CASES.values() for code in wanted}


def test_many_mistakes_are_told_at_once():
    found = codes(
        {
            "networks": {"management": {"gateway": "10.9.9.9"}, "storage": {"cidr": "x"}, "tunnel": {"vlan": 30, "ranges": ["z"]}},
            "dns": ["?"],
        }
    )
    assert found == ["cidr_invalid", "endpoint_invalid", "gateway_wrong", "range_invalid"]


def test_every_objection_has_a_path_and_the_value_that_was_given():
    for changes, _ in CASES.values():
        for one in plan_networks(intent(**changes))[1]:
            assert one.objection.path, one
            assert one.objection.text, one


def test_networks_that_are_not_given_are_carried_by_others():
    networking, _ = plan_networks(intent(networks={"api": {"cidr": "10.20.5.0/24", "vlan": 25}}))
    carried = {one.name: one.carried_by for one in networking.networks}
    assert carried == {
        "management": "management",
        "api": "api",
        "public": "api",
        "tunnel": "tunnel",
        "storage": "storage",
        "cluster": "storage",
        "migration": "api",
        "fmc": "management",
        "external": "external",
    }
    assert [one.cidr for one in networking.networks if one.name == "public"] == ["10.20.5.0/24"]


def test_default_links():
    networking, _ = plan_networks(intent())
    assert [(one.name, one.ports, one.bond) for one in networking.links] == [("main", 2, "802.3ad"), ("provider", 2, "802.3ad")]
    assert networking.links[1].networks == ("external",)
    assert len(networking.links[0].networks) == 8


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, 1500),
        (net("tunnel", mtu=1500), 1442),
        (net("tunnel", mtu=1500, cidr="fd00:2::/64"), 1422),
        ({"openstack": {"tenant_mtu": 8942}}, 8942),
    ],
    ids=["default", "short tunnel", "short tunnel of IPv6", "asked for"],
)
def test_tenant_mtu(changes, wanted):
    wish = intent(**changes)
    assert tenant_mtu(plan_networks(wish)[0], wish) == wanted


def test_foreign_hosts_are_not_usable():
    networking, _ = plan_networks(intent(dns=["10.20.1.53"], ntp=["10.20.1.54"], registry="10.20.1.55:5000"))
    usable = networking.own["storage"].usable
    assert [spelled(last, 4) for _, last in usable] == ["10.20.1.52", "10.20.1.254"]


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: (min(pair), max(pair))), max_size=6)


def numbers(spans):
    return {value for first, last in spans for value in range(first, last + 1)}


@settings(max_examples=200, deadline=None)
@given(SPANS, SPANS)
def test_spans_are_sets_of_numbers(one, other):
    assert numbers(joined(one)) == numbers(one)
    assert numbers(without(one, other)) == numbers(one) - numbers(other)
    assert numbers(common(joined(one), joined(other))) == numbers(one) & numbers(other)
    assert list(free(joined(one), numbers(other))) == sorted(numbers(one) - numbers(other))
    assert last_free(joined(one), lambda value: value in numbers(other)) == max(numbers(one) - numbers(other), default=None)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("10.0.0.1", (4, (167772161, 167772161))),
        ("10.0.0.1 - 10.0.0.3", (4, (167772161, 167772163))),
        ("10.0.0.0/30", (4, (167772160, 167772163))),
        ("fd00::1-fd00::2", (6, ((0xFD << 120) + 1, (0xFD << 120) + 2))),
        ("10.0.0.1/30", None),
        ("10.0.0.1-", None),
        ("", None),
    ],
)
def test_span(text, wanted):
    assert span(text) == wanted
