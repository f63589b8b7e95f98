# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Upgrades, on answers in cephadm's form: a cluster of two hosts on its way to another image."""

from __future__ import annotations

from copy import deepcopy

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Answer
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.upgrade import (
    LOOKS,
    UpgradeRefused,
    changes,
    look,
    plan_upgrade,
    progress,
    read_state,
)

OLD, NEW = "registry/ceph@sha256:old", "registry/ceph@sha256:new"
IMAGE = "registry/ceph:v20"
DAEMONS = ["mgr.one", "mgr.two", "mon.one", "mon.two", "crash.one", "osd.0", "osd.1", "rgw.a"]


def cluster(needs, *, settled=NEW, upgrade=None):
    return {
        "status": {
            "fsid": "an-id",
            "health": {"status": "HEALTH_OK", "checks": {}},
            "quorum_names": ["one", "two"],
            "pgmap": {"pgs_by_state": [{"state_name": "active+clean", "count": 8}]},
        },
        "tree": {"nodes": [{"id": 0, "name": "osd.0", "type": "osd", "status": "up", "reweight": 1.0}], "stray": []},
        "metadata": [],
        "monitors": {"mons": [{"name": "one"}, {"name": "two"}]},
        "versions": {"overall": {}},
        "running": [],
        "errors": [],
        "hosts": [{"hostname": "one", "status": ""}, {"hostname": "two", "status": ""}],
        "upgrade": upgrade,
        "check": {
            "needs_update": {name: {"current_id": "old"} for name in needs},
            "target_name": IMAGE,
            "target_digest": NEW,
            "target_version": "ceph version 20.2.5",
        },
        "manager": {"standbys": [{"name": "two"}]},
        "settings": [{"section": "global", "name": "container_image", "value": settled}],
    }


def under_way(**more):
    return {"target_image": NEW, "in_progress": True, "is_paused": False, "progress": "2/8 daemons upgraded", "message": "", **more}


def complaint(code, severity="HEALTH_WARN"):
    return {code: {"severity": severity, "summary": {"message": "x"}}}


@pytest.mark.parametrize(
    ("needs", "settled", "said"),
    [(DAEMONS, OLD, "the upgrade of 8 daemons begins"), ([], OLD, "the upgrade of 0 daemons begins")],
    ids=["all", "nothing but the setting for daemons to come"],
)
def test_it_begins_once_for_all_daemons(needs, settled, said):
    plan = plan_upgrade(IMAGE, cluster(needs, settled=settled))
    (step,) = plan.steps
    assert (step.what, step.command.prefix, step.command.arguments) == (said, "orch upgrade start", {"image": IMAGE})
    assert plan.awaited != ()


def test_what_is_there_stays():
    plan = plan_upgrade(IMAGE, cluster([]))
    assert (plan.steps, plan.awaited, changes(plan, all_of_it=True)) == ((), (), [])


def test_keys_of_an_insecure_kind_are_taken_as_long_as_somebody_has_one():
    live = cluster([])
    live["status"]["health"]["checks"] = complaint("AUTH_INSECURE_KEYS_ALLOWED")
    (step,) = plan_upgrade(IMAGE, live).steps
    assert (step.command.prefix, step.command.arguments) == ("mon set", {"name": "auth_allowed_ciphers", "value": "aes256k"})
    live["status"]["health"]["checks"] |= complaint("AUTH_INSECURE_CLIENT_KEY_TYPE")
    assert plan_upgrade(IMAGE, live).steps == ()
    # And an upgrade goes on over both.
    live["check"]["needs_update"] = {"osd.0": {"current_id": "old"}}
    assert plan_upgrade(IMAGE, live).steps != ()


def test_check_mode_tells_all_daemons_in_their_order():
    assert changes(plan_upgrade(IMAGE, cluster([*reversed(DAEMONS), "nfs.x"], settled=OLD)), all_of_it=True) == [
        "mgr: mgr.one, mgr.two",
        "mon: mon.one, mon.two",
        "crash: crash.one",
        "osd: osd.0, osd.1",
        "rgw: rgw.a",
        "nfs: nfs.x",
    ]


def ill(live):
    live["status"]["health"]["checks"] = complaint("OSD_NEARFULL") | complaint("DAEMON_OLD_VERSION")
    live["status"]["pgmap"]["pgs_by_state"].append({"state_name": "active+degraded", "count": 3})
    live["status"]["quorum_names"] = ["one"]
    live["tree"]["nodes"][0]["status"] = "down"
    live["hosts"][0]["status"], live["hosts"][1]["status"] = "maintenance", "offline"
    live["manager"]["standbys"] = []
    live["check"]["needs_update"]["osd.1"]["current_id"] = None
    return live


def test_a_cluster_that_is_not_well_is_not_upgraded():
    live = ill(cluster(DAEMONS))
    with pytest.raises(UpgradeRefused) as refused:
        plan_upgrade(IMAGE, live)
    assert str(refused.value) == (
        "Cannot upgrade the cluster now: (1) OSD_NEARFULL: x; (2) 3 placement groups are not active and clean; "
        "(3) two is not in the quorum; (4) osd.0 is down; (5) one is in maintenance; (6) two is offline; "
        "(7) there is no second manager that could take over; "
        "(8) cephadm does not know yet what osd.1 runs. Nothing was changed."
    )


def test_complaints_that_do_not_count():
    live = cluster(DAEMONS)
    live["status"]["health"]["checks"] = complaint("MON_DISK_LOW")
    assert plan_upgrade(IMAGE, live, ["MON_DISK_LOW"]).steps


def test_it_watches_while_daemons_restart():
    live = cluster(DAEMONS[5:], upgrade=under_way())
    live["status"]["health"]["checks"] = complaint("OSD_DOWN")
    plan = plan_upgrade(IMAGE, live, begun=True)
    assert (plan.steps, plan.failure, bool(plan.awaited)) == ((), "", True)
    assert progress(plan, live) == "upgrade: 3 daemons left. 2/8 daemons upgraded"


@pytest.mark.parametrize("checks", [complaint("CEPHADM_FAILED_DAEMON"), complaint("PG_UNFOUND", "HEALTH_ERR")], ids=["daemon", "error"])
def test_the_first_thing_that_is_not_well_pauses_it(checks):
    live = cluster(DAEMONS[5:], upgrade=under_way())
    live["status"]["health"]["checks"] = checks
    plan = plan_upgrade(IMAGE, live, begun=True)
    assert [one.command.prefix for one in plan.steps] == ["orch upgrade pause"]
    assert plan.failure == f"The upgrade has to pause, for the cluster is not well: (1) {next(iter(checks))}: x"


def test_what_cephadm_stopped_ends_the_run_and_the_next_one_goes_on():
    live = cluster(DAEMONS[5:], upgrade=under_way(is_paused=True, message="Error: UPGRADE_FAILED_PULL: failed to pull target image"))
    live["status"]["health"]["checks"] = complaint("UPGRADE_FAILED_PULL")
    plan = plan_upgrade(IMAGE, live, begun=True)
    assert (plan.steps, plan.failure) == ((), "cephadm stopped the upgrade: Error: UPGRADE_FAILED_PULL: failed to pull target image")
    (step,) = plan_upgrade(IMAGE, live).steps
    assert step.command.prefix == "orch upgrade resume"
    live["status"]["health"]["checks"] |= complaint("OSD_DOWN")
    assert plan_upgrade(IMAGE, live).failure == "The upgrade stands, and may not go on: (1) OSD_DOWN: x"


def test_another_upgrade_is_not_disturbed():
    live = cluster(DAEMONS, upgrade=under_way(target_image="registry/ceph@sha256:other"))
    with pytest.raises(UpgradeRefused, match="An upgrade to registry/ceph@sha256:other is under way, and registry/ceph:v20 is wanted"):
        plan_upgrade(IMAGE, live)


class Saying:
    """A cluster that says one thing after another, and the last one for ever."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    def read(self, **questions):
        self.asked += 1
        return deepcopy(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])

    def ask(self, commands):
        return [Answer(0, "Incompatible upgrade: ceph cannot downgrade\n", "")]


def test_an_image_that_will_not_do():
    with pytest.raises(UpgradeRefused, match="to registry/ceph:v20: Incompatible upgrade: ceph cannot downgrade"):
        read_state(Saying(cluster([]) | {"check": None}), IMAGE)


def test_what_is_wrong_for_a_moment_stops_nothing():
    well, wrong = cluster(DAEMONS, upgrade=under_way()), cluster(DAEMONS, upgrade=under_way())
    wrong["status"]["health"]["checks"] = complaint("MDS_ALL_DOWN", "HEALTH_ERR")
    for answers, asked, stops in (((well,), 1, False), ((wrong, wrong, well), 3, False), ((wrong,), LOOKS, True)):
        saying = Saying(*answers)
        _, plan = look(saying, IMAGE, begun=True, pause=0)
        assert (saying.asked, bool(plan.failure)) == (asked, stops)
