# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.checks import wrong
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.networks import ASKED, MAKES, REMOVES, in_ovn, judge_networks
from hypothesis import given
from hypothesis import strategies as st

NOTHING = {kind: [] for kind in ASKED}
FLOATING = {"id": "f", "floating_ip_address": "192.0.2.9", "fixed_ip_address": "10.0.0.4", "router_id": "r"}
ROUTER = {"id": "r", "name": "way", "flavor_id": None}
KEPT = {
    "a network": ({"networks": [{"id": "n", "name": "blue"}]}, {"networks": {"n": "blue"}}),
    "a port of a guest": ({"ports": [{"id": "p", "name": "", "device_owner": "compute:nova"}]}, {"ports": {"p": ""}}),
    "a port that nobody uses": ({"ports": [{"id": "p", "name": "", "device_owner": ""}]}, {"ports": {"p": ""}}),
    "the port of a router": ({"ports": [{"id": "p", "name": "", "device_owner": "network:router_interface"}]}, {"ports": {"p": ""}}),
    "the gateway of a router": ({"ports": [{"id": "p", "name": "", "device_owner": "network:router_gateway"}]}, {"ports": {"p": ""}}),
    "the port for metadata": ({"ports": [{"id": "p", "name": "", "device_owner": "network:distributed"}]}, {"ports": {"p": ""}}),
    "the port of a floating address": ({"ports": [{"id": "p", "name": "", "device_owner": "network:floatingip"}]}, {}),
    "a router": ({"routers": [ROUTER]}, {"routers": {"r": "way"}}),
    "a router where Neutron knows no flavours": ({"routers": [{"id": "r", "name": "way"}]}, {"routers": {"r": "way"}}),
    "a router of a flavour": ({"routers": [{**ROUTER, "flavor_id": "x"}]}, {}),
    "a floating address": (
        {"routers": [ROUTER], "floating addresses": [FLOATING]},
        {"routers": {"r": "way"}, "floating addresses": {"f": "192.0.2.9"}},
    ),
    "a floating address that leads nowhere": (
        {"floating addresses": [{**FLOATING, "fixed_ip_address": None, "router_id": None}]},
        {},
    ),
    "a floating address of forwarded ports": (
        {"routers": [ROUTER], "floating addresses": [{**FLOATING, "fixed_ip_address": None}]},
        {"routers": {"r": "way"}},
    ),
    "a floating address at a router of a flavour": ({"routers": [{**ROUTER, "flavor_id": "x"}], "floating addresses": [FLOATING]}, {}),
}


@pytest.mark.parametrize(("said", "kept"), KEPT.values(), ids=KEPT)
def test_what_neutron_keeps_in_ovn(said, kept):
    assert {kind: names for kind, names in in_ovn({**NOTHING, **said}).items() if names} == kept


def sides(**kinds):
    return {**{kind: {} for kind in ASKED}, **kinds}


BLUE = sides(networks={"n": "blue"}, ports={"p": "", "q": "web"})
JUDGED = {
    "the same": (BLUE, BLUE, BLUE, []),
    "nothing at all": (sides(), sides(), sides(), []),
    "OVN lost a port with a name": (
        BLUE, sides(networks={"n": "blue"}, ports={"p": ""}), sides(networks={"n": "blue"}, ports={"p": ""}),
        [f"Neutron and OVN: ports of Neutron are in OVN: all but 1: web (q); {MAKES}, wanted all 2"],
    ),
    "Neutron lost a network": (
        sides(ports={"p": "", "q": "web"}), BLUE, BLUE,
        [f"Neutron and OVN: networks of OVN are in Neutron: all but 1: blue (n); {REMOVES}, wanted all 1"],
    ),
    "made while it was asked": (BLUE, sides(), BLUE, []),
    "made after Neutron was asked": (sides(), sides(), BLUE, []),
    "removed after Neutron was asked": (BLUE, BLUE, sides(), []),
    "removed before Neutron was asked": (sides(), BLUE, sides(), []),
    "many": (
        sides(), sides(networks={f"n{number}": "" for number in range(7)}), sides(networks={f"n{number}": "" for number in range(7)}),
        [f"Neutron and OVN: networks of OVN are in Neutron: all but 7: n0, n1, n2, n3, n4 and 2 more; {REMOVES}, wanted all 7"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("neutron", "before", "after", "said"), JUDGED.values(), ids=JUDGED)
def test_judged(neutron, before, after, said):
    checks = [*judge_networks(neutron, before, after)]
    assert len(checks) == 2 * len(ASKED)
    assert wrong(checks) == said


IDS = st.frozensets(st.sampled_from("abcdef"))


@given(IDS, IDS)
def test_what_stands_still_is_told_exactly(neutron, ovn):
    named = [sides(ports=dict.fromkeys(side, "")) for side in (neutron, ovn)]
    faults = [one for one in judge_networks(named[0], named[1], named[1]) if not one.ok]
    assert {one.check for one in faults} == {
        *(["ports of Neutron are in OVN"] if neutron - ovn else []),
        *(["ports of OVN are in Neutron"] if ovn - neutron else []),
    }


@given(st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.sampled_from(["stays", "comes", "goes"]), st.booleans())))
def test_what_comes_or_goes_meanwhile_is_no_fault(ports):
    """Neutron has what stays, and may have seen what comes or goes."""
    before = sides(ports={one: "" for one, (what, _) in ports.items() if what != "comes"})
    after = sides(ports={one: "" for one, (what, _) in ports.items() if what != "goes"})
    neutron = sides(ports={one: "" for one, (what, seen) in ports.items() if seen or what == "stays"})
    assert wrong(judge_networks(neutron, before, after)) == []
