# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import copy

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.checks import wrong
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.health import (
    judge_chassis,
    judge_gateways,
    judge_members,
    judge_timers,
    judge_translation,
)

HOSTS = ("a", "b", "c")
WANTED = {
    "raft": {kind: {one: f"ssl:{one}:{port}" for one in HOSTS} for kind, port in (("nb", 6643), ("sb", 6644))},
    "timers": {"election_ms": 2000},
    "gateways": {"a": "R1", "b": "R2"},
    "chassis": {one: {"encap_ip": f"198.51.100.{number}", "gateway": one != "c"} for number, one in enumerate(HOSTS)},
}


def whole():
    return {host: {kind: one(host, kind) for kind in ("nb", "sb")} for host in HOSTS}


def one(host, kind):
    members = [{"address": address} for address in WANTED["raft"][kind].values()]
    leads = host == "a"
    status = {
        "server": f"{host * 4}-id", "cluster": "home", "status": "cluster member", "role": "leader" if leads else "follower",
        "leader": "self" if leads else "aaaa", "election_ms": 2000, "entries": [2, 100], "unapplied": 0, "members": members,
    }  # fmt: skip
    return {"status": status, "silence": ""}


def judged(change):
    found = whole()
    change(found)
    return wrong([*judge_members(WANTED, found), *judge_timers(WANTED, found)])


def test_whole():
    assert judged(lambda found: None) == []


def test_a_member_away():
    said = judged(lambda found: found["b"]["nb"].update(status=None, silence="Cannot talk to it"))
    assert said[0] == "OVN_Northbound b: member: Cannot talk to it, wanted cluster member"


FAULTS = {
    "two leaders": ({"role": "leader", "leader": "self"}, "OVN_Northbound: leader: a, b, wanted one"),
    "two clusters": ({"cluster": "other"}, "OVN_Northbound: cluster: home, other, wanted one"),
    "far behind": ({"entries": [2, 10]}, "OVN_Northbound: log: b 90 behind, wanted at most 50 entries behind"),
    "not applied": ({"unapplied": 60}, "OVN_Northbound: log: b 60 behind, wanted at most 50 entries behind"),
    "joining": ({"status": "joining cluster"}, "OVN_Northbound b: member: joining cluster, wanted cluster member"),
    "left": ({"status": "left cluster"}, "OVN_Northbound b: member: left cluster, wanted cluster member"),
    "other timer": ({"election_ms": 1000}, "OVN_Northbound: election timer: 1000 ms, 2000 ms, wanted 2000 ms"),
    "stale member": (
        {"members": [{"address": at} for at in ("ssl:a:6643", "ssl:b:6643", "ssl:c:6643", "ssl:old:6643")]},
        "OVN_Northbound b: members: ssl:a:6643, ssl:b:6643, ssl:c:6643, ssl:old:6643, wanted ssl:a:6643, ssl:b:6643, ssl:c:6643",
    ),
}


@pytest.mark.parametrize(("change", "said"), FAULTS.values(), ids=FAULTS)
def test_faults(change, said):
    assert judged(lambda found: found["b"]["nb"]["status"].update(change)) == [said]


def test_no_leader():
    def leaderless(found):
        for host in HOSTS:
            found[host]["sb"]["status"].update(role="follower", leader="unknown")

    assert judged(leaderless) == ["OVN_Southbound: leader: none, wanted one"]


SB = {
    "Encap": [{"_uuid": f"e{number}", "ip": f"198.51.100.{number}"} for number in range(3)],
    "Chassis": [
        {"_uuid": f"u{one}", "name": one, "hostname": one, "encaps": f"e{number}", "external_ids": {},
         "other_config": {"ovn-cms-options": "enable-chassis-as-gw"} if one != "c" else {}}
        for number, one in enumerate(HOSTS)
    ],
}  # fmt: skip


def test_chassis():
    assert wrong(judge_chassis(WANTED, SB)) == []


CHASSIS = {
    "missing": (lambda rows: rows.pop(), ["c: chassis: not registered, wanted registered once"]),
    "host name twice": (
        lambda rows: rows.append({**rows[0], "_uuid": "x", "name": "old", "encaps": []}),
        [
            "a: chassis: its host name more than once, wanted registered once",
            "OVN_Southbound: old records of chassis: old: it is an old record of a, wanted none",
        ],
    ),
    "elsewhere": (
        lambda rows: rows[2].update(encaps="e1"),
        [
            "b: chassis: its address more than once, wanted registered once",
            "c: chassis: registered once, at 198.51.100.1, wanted registered once",
        ],
    ),
    "no gateway": (lambda rows: rows[0].update(other_config={}), ["a: gateway flag: no gateway, wanted gateway"]),
}


@pytest.mark.parametrize(("change", "said"), CHASSIS.values(), ids=CHASSIS)
def test_chassis_faults(change, said):
    live = copy.deepcopy(SB)
    change(live["Chassis"])
    assert wrong(judge_chassis(WANTED, live)) == said


def test_gateways():
    live = {
        "Logical_Router": [],
        "Logical_Router_Port": [{"_uuid": "p", "name": "out", "gateway_chassis": ["g"], "ha_chassis_group": []}],
        "Gateway_Chassis": [{"_uuid": "g", "chassis_name": "b", "priority": 1}],
        "HA_Chassis_Group": [],
        "HA_Chassis": [],
    }
    assert wrong(judge_gateways(WANTED, live)) == ["routers: gateways: out has b, wanted b, a, wanted 1 spread over 2 chassis"]


@pytest.mark.parametrize(("counted", "ok"), [((5, 5), True), ((5, 6), True), ((5, 3), False)])
def test_translation(counted, ok):
    assert judge_translation(counted).ok is ok
