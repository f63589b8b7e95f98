# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.networks import TABLES, of_neutron

ROWS = {
    "a network": ("Logical_Switch", {"name": "neutron-n1", "external_ids": {"neutron:network_name": "blue"}}, ("networks", "n1", "blue")),
    "a switch of a trial": ("Logical_Switch", {"name": "vitro-trial-0", "external_ids": {}}, None),
    "a switch between sites": ("Logical_Switch", {"name": "ts1", "external_ids": {"interconn-ts": "ts1"}}, None),
    "a port": (
        "Logical_Switch_Port",
        {"name": "p1", "external_ids": {"neutron:port_name": "", "neutron:revision_number": "4"}},
        ("ports", "p1", ""),
    ),
    "a port to a physical network": ("Logical_Switch_Port", {"name": "provnet-s1", "external_ids": {}}, None),
    "a port of a trial": ("Logical_Switch_Port", {"name": "vitro-trial-cloud-01", "external_ids": {}}, None),
    "a router": ("Logical_Router", {"name": "neutron-r1", "external_ids": {"neutron:router_name": "way"}}, ("routers", "r1", "way")),
    "a router of a trial": ("Logical_Router", {"name": "vitro-trial", "external_ids": {}}, None),
    "a floating address": (
        "NAT",
        {"external_ip": "192.0.2.9", "external_ids": {"neutron:fip_id": "f1"}},
        ("floating addresses", "f1", "192.0.2.9"),
    ),
    "the address of a router": ("NAT", {"external_ip": "192.0.2.1", "external_ids": {}}, None),
}


@pytest.mark.parametrize(("table", "row", "known"), ROWS.values(), ids=ROWS)
def test_what_is_neutrons(table, row, known):
    live = {**{one: [] for one in TABLES}, table: [{"_uuid": "u", **row}]}
    assert [(kind, one, name) for kind, found in of_neutron(live).items() for one, name in found.items()] == ([known] if known else [])
