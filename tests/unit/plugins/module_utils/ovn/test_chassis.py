# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.chassis import (
    Mapped,
    check_encap,
    plan_switch,
    registered,
    remove_records,
    stale,
    wanted_ids,
)
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import ChassisRefused

GIVEN = {
    "name": "cloud-01", "hostname": "", "remotes": ["ssl:a:1", "ssl:b:1"], "encap_ip": "198.51.100.11", "encap_type": "geneve",
    "mappings": [{"network": "physnet1", "bridge": "br-ex"}], "gateway": True, "options": ["availability-zones=az1"], "probe_ms": 60000,
    "datapath": "system", "monitor_all": False,
}  # fmt: skip
EX = Mapped("physnet1", "br-ex", "provider0", 1500)


def switch(ids, bridges=()):
    top = {"_uuid": "o", "external_ids": ids, "bridges": [], "manager_options": ["m1"]}
    managers = [{"_uuid": "m1", "target": "ptcp:6640:127.0.0.1"}, {"_uuid": "m2", "target": "ptcp:6639"}]
    rows = {"Open_vSwitch": [top], "Manager": managers, "Bridge": [], "Port": [], "Interface": []}
    for name, ports, kind in bridges:
        rows["Port"] += [{"_uuid": f"port-{port}", "name": port} for port in ports]
        rows["Interface"].append({"_uuid": f"interface-{name}", "name": name, "mtu_request": 1500})
        rows["Bridge"].append({"_uuid": f"bridge-{name}", "name": name, "ports": [f"port-{port}" for port in ports], "datapath_type": kind})
    return rows


def test_ids():
    ids = wanted_ids(GIVEN)
    assert ids["ovn-cms-options"] == "enable-chassis-as-gw,availability-zones=az1"
    assert ids["ovn-bridge-mappings"] == "physnet1:br-ex"
    assert (ids["hostname"], ids["ovn-openflow-probe-interval"], ids["ovn-bridge-datapath-type"]) == ("cloud-01", "60", "")


def test_a_second_run_changes_nothing():
    ids = wanted_ids(GIVEN)
    there = {key: value for key, value in ids.items() if value} | {"rundir": "/run"}
    assert plan_switch(switch(there, [("br-ex", ["br-ex", "provider0"], "")]), ids, [EX], "system") == ({}, {}, [])


def test_what_differs_is_named():
    ids = wanted_ids({**GIVEN, "gateway": False, "options": []})
    before, after, work = plan_switch(
        switch({**ids, "ovn-encap-ip": "192.0.2.1", "ovn-cms-options": "enable-chassis-as-gw"}), ids, [], "system"
    )
    assert (before, after) == ({"ovn-encap-ip": "192.0.2.1", "ovn-cms-options": "enable-chassis-as-gw"}, {"ovn-encap-ip": "198.51.100.11"})
    assert [one[1] for one in work[0]["mutations"]] == ["delete", "insert"]
    assert work[-1]["mutations"] == [["next_cfg", "+=", 1]]


@pytest.mark.parametrize(
    ("listen", "made"), [("", []), ("ptcp:6640:127.0.0.1", []), ("ptcp:6639", ["ptcp:6639"]), ("pssl:6640", ["pssl:6640"])]
)
def test_who_may_ask_the_switch(listen, made):
    """One that is there, but in no use, does not count; others stay."""
    ids = wanted_ids(GIVEN)
    _, after, work = plan_switch(switch({key: value for key, value in ids.items() if value}), ids, [], "system", listen)
    assert [one["row"]["target"] for one in work if one["op"] == "insert"] == made
    assert after == ({"manager": listen} if made else {})


def test_bridge_made():
    _, after, work = plan_switch(switch(wanted_ids(GIVEN)), wanted_ids(GIVEN), [EX], "netdev")
    assert after == {"bridge br-ex": "made with provider0"}
    assert [one.get("table") for one in work if one["op"] == "insert"] == ["Interface", "Port", "Interface", "Port", "Bridge"]
    assert next(one["row"] for one in work if one.get("table") == "Bridge")["datapath_type"] == "netdev"


def test_bridge_gets_its_interface_and_mtu():
    live = switch(wanted_ids(GIVEN), [("br-ex", ["br-ex"], "")])
    _, after, _ = plan_switch(live, wanted_ids(GIVEN), [Mapped("physnet1", "br-ex", "provider0", 9000)], "system")
    assert after == {"bridge br-ex": "with provider0 MTU 9000"}


@pytest.mark.parametrize(
    ("address", "network", "said"),
    [
        ("192.0.2.9", "198.51.100.0/24", "192.0.2.9 is not in the tunnel's network 198.51.100.0/24; the host does not have 192.0.2.9"),
        ("198.51.100.12", "198.51.100.0/24", "the host does not have 198.51.100.12; it has 198.51.100.11/24"),
    ],
    ids=["wrong network, and not there", "another host's"],
)
def test_encap_refused(address, network, said):
    with pytest.raises(ChassisRefused) as refused:
        check_encap(address, network, ["198.51.100.11/24"])
    assert said in str(refused.value)


def test_encap():
    check_encap("198.51.100.11", "198.51.100.0/24", ["198.51.100.11/24", "192.0.2.1/24"])


SB = {
    "Encap": [{"_uuid": f"e{number}", "ip": f"198.51.100.{number}", "type": "geneve", "chassis_name": ""} for number in (11, 12, 13, 19)],
    "Chassis": [
        {
            "_uuid": "c1",
            "name": "cloud-01",
            "hostname": "cloud-01",
            "encaps": "e11",
            "external_ids": {},
            "other_config": {"ovn-cms-options": "enable-chassis-as-gw"},
        },
        {"_uuid": "c2", "name": "old-name", "hostname": "old-name", "encaps": "e12", "external_ids": {}, "other_config": {}},
        {"_uuid": "c3", "name": "6c1d-random", "hostname": "cloud-03", "encaps": "e13", "external_ids": {}, "other_config": {}},
        {"_uuid": "c4", "name": "somebody", "hostname": "somebody", "encaps": "e19", "external_ids": {}, "other_config": {}},
    ],
    "Chassis_Private": [{"_uuid": "q2", "name": "old-name"}],
}
PLANNED = {"cloud-01": "198.51.100.11", "cloud-02": "198.51.100.12", "cloud-03": "198.51.100.13"}


def test_stale_records():
    records = registered(SB)
    assert [one.gateway for one in records if one.name == "cloud-01"] == [True]
    assert stale(records, PLANNED) == {"6c1d-random": "it is an old record of cloud-03", "old-name": "it has the address of cloud-02"}


def test_records_go_with_what_belongs_to_them():
    assert remove_records(SB, ["old-name"]) == [
        {"op": "delete", "table": "Chassis", "where": [["_uuid", "==", ["uuid", "c2"]]]},
        {"op": "delete", "table": "Chassis_Private", "where": [["_uuid", "==", ["uuid", "q2"]]]},
    ]
