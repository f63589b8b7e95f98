# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What separates the kernel from the plan."""

from __future__ import annotations

import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.host.errors import HostRefused
from ansible_collections.frontier.vitro.plugins.module_utils.host.interfaces import wanted
from ansible_collections.frontier.vitro.plugins.module_utils.host.live import check_macs, check_ports, differences, obsolete, parse_live

from tests.unit.plugins.module_utils.host.servers import PORTS, as_planned, kernel, link, server

FRESH = kernel(
    link("eno1", PORTS["main0"], None, 1500, ("192.0.2.77/24",)),
    link("eno2", PORTS["main1"]),
    link("eno3", PORTS["provider0"], flags=["BROADCAST"]),
)


def changed(name, **changes):
    """The planned state with one interface otherwise."""
    return json.dumps([{**one, **changes} if one["ifname"] == name else one for one in json.loads(as_planned())])


def test_nothing_to_do():
    assert differences(wanted(server()), parse_live(as_planned())) == []
    assert obsolete(wanted(server()), parse_live(as_planned())) == []


def test_fresh_host():
    assert differences(wanted(server()), parse_live(FRESH)) == [
        "rename eno1 (02:00:00:00:00:0a) to main0",
        "main0 gets the MTU 9000 instead of 1500",
        "main0 becomes a port of main",
        "main0 loses 192.0.2.77/24",
        "rename eno2 (02:00:00:00:00:0b) to main1",
        "main1 gets the MTU 9000 instead of 1500",
        "main1 becomes a port of main",
        "make the bond main",
        "make the vlan main.130",
        "rename eno3 (02:00:00:00:00:0c) to provider0",
        "provider0 goes up",
    ]


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("main.130", {"mtu": 1500}, ["main.130 gets the MTU 9000 instead of 1500"]),
        ("main.130", {"addr_info": []}, ["main.130 gets 198.51.100.1/24"]),
        ("main.130", {"link": "main0"}, ["main.130 becomes VLAN 130 of main; it is VLAN 130 of main0"]),
        ("main1", {"master": None}, ["main1 becomes a port of main"]),
        ("provider0", {"flags": []}, ["provider0 goes up"]),
    ],
    ids=["mtu", "address", "vlan", "bond", "down"],
)
def test_one_difference(name, changes, said):
    assert differences(wanted(server()), parse_live(changed(name, **changes))) == said


def test_vips_are_left_alone():
    extra = [{"local": ip, "prefixlen": 24, "scope": "global"} for ip in ("192.0.2.1", "192.0.2.200", "192.0.2.9")]
    live = parse_live(changed("main", addr_info=extra))
    assert differences(wanted(server()), live, ["192.0.2.200"]) == ["main loses 192.0.2.9/24"]


def test_all_missing_macs_are_named_at_once():
    live = parse_live(kernel(link("eno2", PORTS["main1"]), link("eno9", "02:00:00:00:00:99")))
    with pytest.raises(HostRefused) as refused:
        check_macs("edge-01", wanted(server()), live)
    assert str(refused.value).startswith(
        "Cannot prepare the network of edge-01: 2 planned MACs missing: 02:00:00:00:00:0a (main0), 02:00:00:00:00:0c (provider0). "
        "It has 02:00:00:00:00:0b (eno2), 02:00:00:00:00:99 (eno9). Nothing was written."
    )


def test_mac_of_a_bond_is_no_port():
    live = parse_live(kernel(link("bond0", PORTS["main0"], "bond"), link("eno2", PORTS["main1"]), link("eno3", PORTS["provider0"])))
    with pytest.raises(HostRefused, match=r"1 planned MAC missing: 02:00:00:00:00:0a \(main0\)"):
        check_macs("edge-01", wanted(server()), live)


def test_planned_macs_are_found():
    check_macs("edge-01", wanted(server()), parse_live(FRESH))
    check_macs("edge-01", wanted(server()), parse_live(as_planned()))


def bridged(name):
    return parse_live(kernel(link(name, PORTS["provider0"], master="br0"), link("br0", "02:00:00:00:00:77", "bridge")))


def test_port_of_a_bridge_is_not_renamed():
    with pytest.raises(HostRefused, match=r"eno3 is a port of br0 \(bridge\)"):
        check_ports("edge-01", wanted(server()), bridged("eno3"))


def test_port_that_has_its_name_may_be_in_a_bridge():
    check_ports("edge-01", wanted(server()), bridged("provider0"))


def test_old_bonds_go_before_their_ports_are_used():
    live = parse_live(
        kernel(
            link("eno1", PORTS["main0"], master="bond0"),
            link("eno2", PORTS["main1"], master="bond0"),
            link("bond0", PORTS["main0"], "bond"),
            link("bond0.130", PORTS["main0"], "vlan", link="bond0", vlan=130),
            link("other.5", "02:00:00:00:00:55", "vlan", link="other", vlan=5),
        )
    )
    assert obsolete(wanted(server()), live) == ["bond0.130", "bond0"]
