# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, settings, what is awaited and whether all is well, on answers in Ceph's form."""

from __future__ import annotations

from copy import deepcopy

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.clients import client_conf, keyring, keys_of, plan_clients
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.config import Setting, plan_modules, plan_settings
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.health import LOOKS, judge, read_calm, trial_of
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.info import summary
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.waiting import Awaited, Stuck, missing, progress

KEY = "QQDSEfZkAAAAABAAo0000000000000000000000000=="
CAPS = {"mon": "profile rbd", "osd": "profile rbd pool=images", "mgr": "profile rbd pool=images"}
MONITOR = {
    "name": "one",
    "public_addrs": {
        "addrvec": [{"type": "v2", "addr": "192.0.2.1:3300", "nonce": 0}, {"type": "v1", "addr": "192.0.2.1:6789", "nonce": 0}]
    },
}
POOL = {
    "pool_name": "images",
    "type": 1,
    "size": 3,
    "min_size": 2,
    "crush_rule": 1,
    "pg_autoscale_mode": "on",
    "erasure_code_profile": "",
    "options": {},
    "application_metadata": {"rbd": {}},
    "quota_max_bytes": 0,
}
VERSION = "ceph version 20.2.4"
LIVE = {
    "status": {
        "fsid": "an-id",
        "health": {"status": "HEALTH_OK", "checks": {}},
        "quorum_names": ["one"],
        "pgmap": {"pgs_by_state": [{"state_name": "active+clean", "count": 8}], "bytes_total": 100, "bytes_used": 10, "bytes_avail": 90},
    },
    "tree": {
        "nodes": [
            {"id": -1, "name": "default", "type": "root", "children": [-3]},
            {"id": -3, "name": "R1", "type": "rack", "children": [-2]},
            {"id": -2, "name": "one", "type": "host", "children": [0]},
            {"id": 0, "name": "osd.0", "type": "osd", "status": "up", "reweight": 1.0, "device_class": "ssd"},
        ],
        "stray": [],
    },
    "metadata": [{"id": 0, "devices": "sdb", "hostname": "one"}],
    "monitors": {"mons": [MONITOR]},
    "versions": {"overall": {f"{VERSION} tentacle (stable)": 3}},
    "running": [
        {"service_name": "rgw.example", "status": {"running": 1, "size": 1}},
        {"service_name": "mds.cephfs", "status": {"running": 0, "size": 2}},
    ],
    "osds": {"pools": [POOL], "erasure_code_profiles": {}},
    "rules": [{"rule_id": 1, "rule_name": "vitro-rack"}],
    "filesystems": [],
    "auth": {"auth_dump": [{"entity": "client.glance", "key": KEY, "caps": CAPS}]},
    "config": [{"section": "osd", "name": "osd_memory_target", "value": "6", "mask": "host:one"}],
    "modules": {"enabled_modules": ["iostat"], "always_on_modules": ["balancer"]},
    "hosts": [],
    "services": [],
    "errors": [{"message": "Failed to create OSD\nTraceback"}, {"message": "Failed to create OSD\nTraceback"}, {"message": " "}],
}
WANTED = {
    "release": "tentacle",
    "hosts": [{"hostname": "one", "labels": ["mon", "osd"], "location": {"root": "default", "rack": "R1"}}],
    "services": [{"service_type": "osd", "placement": {"hosts": ["one"]}, "spec": {"data_devices": {"serials": ["S1"]}}}],
    "config": [{"who": "osd/host:one", "name": "osd_memory_target", "value": "6"}],
    "pools": [{"name": "images", "application": "rbd", "copies": 3, "minimum": 2}],
    "domain": "rack",
    "filesystem": None,
    "clients": {"glance": CAPS},
}
DISKS = {"one": {"S1": "sdb"}}


def changed(path: str, value: object) -> dict[str, object]:
    """What the cluster says, but for one place."""
    live = deepcopy(LIVE)
    at, (*way, last) = live, path.split("/")
    for part in way:
        at = at[int(part)] if isinstance(at, list) else at[part]
    at[int(last) if isinstance(at, list) else last] = value
    return live


def test_all_is_well():
    assert [one for one in judge(WANTED, DISKS, LIVE) if not one.ok] == []


@pytest.mark.parametrize(
    ("path", "value", "check", "seen"),
    [
        (
            "status/health/checks",
            {"OSD_DOWN": {"severity": "HEALTH_WARN", "summary": {"message": "1 osds down"}}},
            "health",
            "OSD_DOWN: 1 osds down",
        ),
        ("status/quorum_names", [], "quorum", "none"),
        ("monitors/mons", [MONITOR, {**MONITOR, "name": "two"}], "monitors", "one, two"),
        ("status/pgmap/pgs_by_state", [{"state_name": "active+undersized", "count": 8}], "placement groups", "8 active+undersized"),
        ("tree/nodes/3/status", "down", "osd", "osd.0 down"),
        ("tree/nodes/3/reweight", 0, "osd", "osd.0 out"),
        ("tree/nodes/1/name", "R2", "osd", "osd.0 up and in, at {'rack': 'R2'}"),
        ("metadata/0/devices", "sdc", "osd", "no OSD is on this disk"),
        ("tree/stray", [{"id": 7, "name": "osd.7", "type": "osd", "status": "down"}], "osds beside the plan", "osd.7 on no host"),
        ("osds/pools/0/size", 2, "pools", "pool images: size 2 becomes 3"),
        ("osds/pools", [], "pools", "pool images: made with 3 copies for rbd"),
        ("auth/auth_dump/0/caps", {"mon": "allow *"}, "clients", "differ: glance"),
        ("config", [], "settings", "to set: osd/host:one osd_memory_target = 6"),
        (
            "versions/overall",
            {f"{VERSION} tentacle (stable)": 3, f"{VERSION}.1 tentacle": 1},
            "versions",
            f"{VERSION} tentacle (stable); {VERSION}.1 tentacle",
        ),
        ("versions/overall", {"ceph version 19.2.1 squid (stable)": 3}, "release", "ceph version 19.2.1 squid (stable)"),
    ],
)
def test_not_well(path, value, check, seen):
    wrong = {one.check: one.seen for one in judge(WANTED, DISKS, changed(path, value)) if not one.ok}
    assert wrong[check] == seen


class Telling:
    """A cluster that says one thing after another, and the last one for ever."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    def read(self, **questions):
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


MOVING = {
    **LIVE,
    "status": {**LIVE["status"], "pgmap": {**LIVE["status"]["pgmap"], "pgs_by_state": [{"state_name": "peering", "count": 2}]}},
}


COMPLAINT = {"MDS_ALL_DOWN": {"severity": "HEALTH_ERR", "summary": {"message": "1 filesystem is offline"}}}
COMPLAINING = {**LIVE, "status": {**LIVE["status"], "health": {"status": "HEALTH_ERR", "checks": COMPLAINT}}}


@pytest.mark.parametrize(
    ("answers", "asked", "calm"),
    [((LIVE,), 1, True), ((MOVING, COMPLAINING, LIVE), 3, True), ((MOVING,), LOOKS, False), ((COMPLAINING,), LOOKS, False)],
    ids=["calm", "soon", "moves for ever", "complains for ever"],
)
def test_what_moves_for_a_moment_is_asked_again(answers, asked, calm):
    telling = Telling(*answers)
    live = read_calm(telling, pause=0)
    assert (telling.asked, all(one.ok for one in judge(WANTED, DISKS, live))) == (asked, calm)


def test_complaints_that_do_not_count():
    live = changed("status/health/checks", {"POOL_NO_REDUNDANCY": {"severity": "HEALTH_WARN", "summary": {"message": "x"}}})
    assert all(one.ok for one in judge(WANTED, DISKS, live, ["POOL_NO_REDUNDANCY"]))


def test_a_client_tries_its_pools_and_all_others():
    pools = [{"name": name, "application": "rbd"} for name in ("images", "vms", "volumes")] + [{"name": "log", "application": "rgw"}]
    caps = {"osd": "profile rbd pool=vms, profile rbd-read-only pool=images"}
    given = {"cluster": {**WANTED, "pools": pools, "clients": {"glance": caps}}, "timeout": 5, "gateways": []}
    assert trial_of(given, LIVE)["clients"] == {
        "glance": {"key": KEY, "writes": ["vms"], "reads": ["images"], "denied": ["images", "volumes"]}
    }


def test_clients():
    assert plan_clients({"glance": dict(reversed(CAPS.items()))}, LIVE) == []
    (made,) = plan_clients({"nova": CAPS}, LIVE)
    assert (made.command.prefix, made.command.arguments["entity"]) == ("auth get-or-create", "client.nova")
    (more,) = plan_clients({"glance": {"mon": "profile rbd"}}, LIVE)
    assert (more.command.prefix, more.command.arguments["caps"]) == ("auth caps", ["mon", "profile rbd"])
    assert KEY not in repr((made, more))


def test_what_is_handed_over():
    assert keyring("glance", keys_of(["glance", "nobody"], LIVE)["glance"]) == f"[client.glance]\nkey = {KEY}\n"
    assert client_conf("an-id", LIVE) == "[global]\nfsid = an-id\nmon_host = [v2:192.0.2.1:3300/0,v1:192.0.2.1:6789/0]\n"


def test_settings():
    same, other = Setting("osd/host:one", "osd_memory_target", "6"), Setting("osd", "osd_memory_target", "7")
    secret = Setting("client.rgw", "rgw_keystone_admin_password", "s3cret", secret=True)
    changes = plan_settings([same, other, secret], LIVE)
    assert [one.line for one in changes] == ["osd osd_memory_target = 7", "client.rgw rgw_keystone_admin_password = (secret)"]
    assert changes[1].command.arguments["value"] == "s3cret"
    assert [one.arguments["module"] for one in plan_modules(["prometheus", "iostat", "balancer"], LIVE)] == ["prometheus"]


def test_what_is_still_awaited():
    cluster = summary(
        changed("status/pgmap/pgs_by_state", [{"state_name": "active+clean", "count": 5}, {"state_name": "peering", "count": 3}])
    )
    awaited = Awaited(("one", "two"), 6, clean=True)
    assert missing(awaited, cluster) == ["two in the quorum", "5 of 6 OSDs", "3 placement groups that are not active and clean"]
    assert progress(awaited, cluster | {"misplaced": 0.123}) == (
        "1 of 2 monitors, 1 of 6 OSDs up and in, 5 of 8 placement groups clean, 12.3 % of the objects misplaced"
    )
    assert missing(Awaited(("one",), 1, clean=True), summary(LIVE)) == []


def test_services_that_are_awaited():
    awaited, cluster = Awaited(services=("rgw.example", "mds.cephfs", "nfs.x")), summary(LIVE)
    assert missing(awaited, cluster) == ["2 daemons of mds.cephfs", "all daemons of nfs.x"]
    assert progress(awaited, cluster) == "1 of 3 services"
    # The manager is away.
    assert missing(Awaited(services=("rgw.example",)), summary({**LIVE, "running": None})) == ["all daemons of rgw.example"]


def test_why_nothing_moves():
    stuck = Stuck(900, ["5 of 6 OSDs"], summary(LIVE)["errors"])
    assert str(stuck).startswith(
        "Nothing moved in the cluster for 900 s; it still lacks 5 of 6 OSDs. cephadm said last: Failed to create OSD. `ceph"
    )
    assert summary(changed("errors", None))["errors"] == []
