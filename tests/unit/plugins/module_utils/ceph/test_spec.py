# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.spec import EMPTY, DisksUnresolved, plan_specs, resolve_disks

HOST = {"service_type": "host", "hostname": "one", "addr": "192.0.2.1", "labels": ["_admin", "mon", "osd"]}
MON = {"service_type": "mon", "placement": {"label": "mon"}}
OSD = {
    "service_type": "osd",
    "service_id": "one-ssd",
    "placement": {"hosts": ["one"]},
    "spec": {"method": "raw", "crush_device_class": "ssd", "data_devices": {"serials": ["S1", "S2"]}},
}
PATHS = {"one": {"S1": "/dev/disk/by-id/wwn-1", "S2": "/dev/disk/by-id/wwn-2"}}
# As `orch ls --export` tells them, with what cephadm adds.
LIVE_HOST = {"hostname": "one", "addr": "192.0.2.1", "labels": ["_admin", "mon", "osd"], "status": ""}
LIVE_OSD = {
    "service_type": "osd",
    "service_id": "one-ssd",
    "service_name": "osd.one-ssd",
    "placement": {"hosts": ["one"]},
    "spec": {
        "method": "raw",
        "crush_device_class": "ssd",
        "data_devices": {"paths": ["/dev/disk/by-id/wwn-1", "/dev/disk/by-id/wwn-2"]},
        "filter_logic": "AND",
        "objectstore": "bluestore",
    },
}
LIVE_MON = {"service_type": "mon", "service_name": "mon", "placement": {"label": "mon"}}
LIVE = {"hosts": [LIVE_HOST], "services": [LIVE_MON, LIVE_OSD, {"service_type": "crash", "placement": {"host_pattern": "*"}}]}


def resolved():
    return resolve_disks([MON, OSD], PATHS)


def plan(wanted=HOST, **live):
    return plan_specs([wanted], resolved(), LIVE | live)


def test_nothing_to_do():
    assert plan().changes == ()
    assert plan().commands == []


def test_from_nothing_in_one_command():
    made = plan_specs([HOST], resolved(), EMPTY)
    assert [one.name for one in made.changes] == ["host one", "mon", "osd.one-ssd"]
    (command,) = made.commands
    assert (command.prefix, command.manager) == ("orch apply", True)
    assert [json.loads(text)["service_type"] for text in command.data.split("\n---\n")] == ["host", "mon", "osd"]


@pytest.mark.parametrize(
    ("live", "names"),
    [
        ({"hosts": [LIVE_HOST | {"addr": "192.0.2.9"}]}, ["host one"]),
        ({"hosts": [LIVE_HOST | {"labels": ["_admin", "mon"]}]}, ["host one"]),
        ({"services": [LIVE_OSD]}, ["mon"]),
        ({"services": [LIVE_MON | {"placement": {"count": 5}}, LIVE_OSD]}, ["mon"]),
        ({"services": [LIVE_MON | {"placement": {"label": "mon", "count": 5}}, LIVE_OSD]}, ["mon"]),
        ({"services": [LIVE_MON, LIVE_OSD | {"spec": LIVE_OSD["spec"] | {"method": "lvm"}}]}, ["osd.one-ssd"]),
        (
            {"services": [LIVE_MON, LIVE_OSD | {"spec": LIVE_OSD["spec"] | {"data_devices": {"paths": ["/dev/disk/by-id/wwn-1"]}}}]},
            ["osd.one-ssd"],
        ),
    ],
)
def test_only_what_differs(live, names):
    assert [one.name for one in plan(**live).changes] == names


def test_paths_may_be_told_as_objects():
    paths = [{"path": one} for one in LIVE_OSD["spec"]["data_devices"]["paths"]]
    assert plan(services=[LIVE_MON, LIVE_OSD | {"spec": LIVE_OSD["spec"] | {"data_devices": {"paths": paths}}}]).changes == ()


def test_labels_of_ours_go_and_those_of_others_stay():
    made = plan(HOST | {"labels": ["osd"]}, hosts=[LIVE_HOST | {"labels": ["_admin", "mon", "osd", "mine"]}])
    assert made.labels == (("one", "_admin"), ("one", "mon"))
    assert [(one.prefix, one.arguments["label"]) for one in made.commands] == [
        ("orch host label rm", "_admin"),
        ("orch host label rm", "mon"),
    ]


def test_what_nobody_planned_is_named():
    made = plan(services=[*LIVE["services"], {"service_type": "nfs", "service_id": "x"}])
    assert (made.changes, made.unplanned) == ((), ("nfs.x",))


def test_every_disk_without_a_path_is_named():
    with pytest.raises(DisksUnresolved, match=r"\(1\) one: S1; \(2\) one: S2"):
        resolve_disks([MON, OSD], {})
