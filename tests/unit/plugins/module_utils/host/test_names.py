# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, and what is asked to prove a host."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.host import reach
from ansible_collections.frontier.vitro.plugins.module_utils.host.names import hosts_lines, name_targets, reach_targets

from tests.unit.plugins.module_utils.host.servers import PLAN, address, interface, server

SERVERS = [server(2), server(1)]


def test_hosts_lines():
    assert hosts_lines(SERVERS, PLAN) == [
        "192.0.2.1 edge-01.edge.example edge-01",
        "192.0.2.2 edge-02.edge.example edge-02",
        "192.0.2.200 api.edge.example",
        "192.0.2.201 fmc.edge.example",
    ]


def test_name_leads_to_the_network_that_carries_the_apis():
    networks = [{**one, "carried_by": "storage"} if one["name"] == "api" else one for one in PLAN["networks"]]
    assert hosts_lines(SERVERS, {**PLAN, "networks": networks})[0] == "198.51.100.1 edge-01.edge.example edge-01"


def test_every_other_host_in_every_common_network():
    assert [(one["name"], one["network"], one["address"], one["payload"]) for one in reach_targets(server(1), SERVERS, PLAN)] == [
        ("edge-02", "management", "192.0.2.2", 1472),
        ("edge-02", "storage", "198.51.100.2", 8972),
    ]


def test_network_that_only_the_other_has_is_not_asked():
    alone = {**server(3), "interfaces": [interface("main0", addresses=[address("management", "2001:db8::3/64")])]}
    assert [one["network"] for one in reach_targets(alone, SERVERS, PLAN)] == ["management"] * 2
    assert [one["payload"] for one in reach_targets(server(1), [alone], PLAN)] == [1452]


def test_every_name_has_one_address():
    assert {"name": "edge-02", "address": "192.0.2.2"} in name_targets(SERVERS, PLAN)


TARGET = {"name": "edge-02", "network": "storage", "address": "198.51.100.2", "mtu": 9000, "payload": 8972}


@pytest.mark.parametrize(
    ("answers", "ok", "seen"),
    [
        ([(0, "")], True, "an answer to 9000 bytes"),
        ([(1, ""), (0, "")], True, "an answer to 9000 bytes"),
        ([(1, "")] * 3, False, "no answer"),
        ([(1, "ping: local error: message too long, mtu=1500")] * 3, False, "local error: message too long, mtu=1500"),
        (
            [(1, "From 192.0.2.1 icmp_seq=1 Destination Host Unreachable")] * 3,
            False,
            "From 192.0.2.1 icmp_seq=1 Destination Host Unreachable",
        ),
    ],
    ids=["first", "second", "silent", "too long", "no host"],
)
def test_reach(answers, ok, seen):
    asked = []

    def run(command):
        asked.append(command)
        return answers[len(asked) - 1]

    (record,) = reach.check_reach("edge-01", [TARGET], run)
    assert (record["ok"], record["seen"]) == (ok, seen)
    assert record["target"] == "edge-01 to edge-02 (198.51.100.2) on storage"
    assert len(asked) == len(answers)
    assert asked[0][asked[0].index("-M") :][:2] == ["-M", "do"]
    assert asked[0][-2:] == ["8972", "198.51.100.2"]


TRACKING = "0A595B01,10.89.91.1,4,1794987000.1,{offset},0.000001,0.00001,-3.2,0.001,0.01,0.0001,0.00001,64.0,{leap}\n"


@pytest.mark.parametrize(
    ("text", "ok", "seen"),
    [
        (TRACKING.format(offset="-0.000123", leap="Normal"), True, "0.000123 s from 10.89.91.1, stratum 4"),
        (TRACKING.format(offset="0.7", leap="Normal"), False, "0.700000 s from 10.89.91.1, stratum 4"),
        (TRACKING.format(offset="0.0", leap="Not synchronised"), False, "not in step with any server yet"),
        ("506 Cannot talk to daemon\n", False, "chrony does not answer"),
    ],
    ids=["in step", "far off", "not yet", "no daemon"],
)
def test_time(text, ok, seen):
    record = reach.check_time("edge-01", text)
    assert (record["ok"], record["seen"]) == (ok, seen)


def test_names():
    good, bad = reach.check_names("edge-01", [{"name": "127.0.0.1", "address": "127.0.0.1"}, {"name": "127.0.0.1", "address": "192.0.2.1"}])
    assert good["ok"] is True
    assert (bad["ok"], bad["wanted"], bad["seen"]) == (False, "192.0.2.1", "127.0.0.1")
