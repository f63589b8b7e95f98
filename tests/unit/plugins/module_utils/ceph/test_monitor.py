# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a monitor that goes on alone, with programs that note how they were called; the scenario ceph_hci does it for real."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph import monitor as subject
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.monitor import (
    Monitor,
    MonitorFailed,
    MonitorRefused,
    ensure_alone,
    is_alone,
)
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import ClusterSilent, Session

FSID = "11111111-2222-3333-4444-555555555555"


def live(*members, manager=True):
    return {
        "status": {"monmap": {"mons": [{"name": one} for one in members]}, "quorum_names": list(members)},
        "manager": {"available": manager},
    }


@pytest.fixture
def calls(monkeypatch):
    noted = []
    monkeypatch.setattr(subject, "_run", lambda command, **how: noted.append(command))
    monkeypatch.setattr(subject.time, "sleep", lambda seconds: None)
    return noted


@pytest.fixture
def monitor(tmp_path):
    one = Monitor(Session(FSID), "three", tmp_path)
    (one.store / "store.db").mkdir(parents=True)
    return one


def answers(monkeypatch, *said):
    """What the cluster says, one after the other; the last again and again."""
    left = list(said)

    def read(self, **questions):
        now = left.pop(0) if len(left) > 1 else left[0]
        if now is None:
            raise ClusterSilent("nobody")
        return now

    monkeypatch.setattr(Session, "read", read)


def test_without_a_quorum_it_goes_on_alone_and_its_old_store_is_kept(monitor, calls, monkeypatch):
    answers(monkeypatch, None, None, live("three", manager=False), live("three"))
    changed, copy = ensure_alone(monitor, patience=600, check_mode=False)
    assert changed and copy.parent == monitor.root / "var/lib/vitro"
    assert [one[0] for one in calls] == ["systemctl", "cp", "cephadm", "systemctl", "systemctl"]
    assert calls[0][1:] == ["stop", f"ceph-{FSID}@mon.three"] and calls[-1][1] == "start"
    assert calls[1][-2:] == [str(monitor.store), str(copy)]
    assert calls[2][-1] == "three"


def test_check_mode_touches_nothing(monitor, calls, monkeypatch):
    answers(monkeypatch, None)
    assert ensure_alone(monitor, patience=1, check_mode=True)[0]
    assert calls == []


def test_the_second_time_nothing_is_left_to_do(monitor, calls, monkeypatch):
    answers(monkeypatch, live("three"))
    assert ensure_alone(monitor, patience=1, check_mode=False) == (False, None)
    assert calls == []


def test_a_quorum_of_several_is_never_touched(monitor, calls, monkeypatch):
    answers(monkeypatch, live("one", "three"))
    with pytest.raises(MonitorRefused, match=r"has a quorum \(one, three\).*Nothing was changed"):
        ensure_alone(monitor, patience=1, check_mode=False)
    assert calls == []


def test_a_quorum_without_this_one_is_not_its_own():
    with pytest.raises(MonitorRefused):
        is_alone("three", live("one"))


def test_a_host_without_a_store_is_refused(tmp_path, calls):
    with pytest.raises(MonitorRefused, match=r"no store of mon\.three"):
        ensure_alone(Monitor(Session(FSID), "three", tmp_path), patience=1, check_mode=False)
    assert calls == []


@pytest.mark.parametrize("broken", ["cp", "cephadm"])
def test_what_fails_in_between_lets_it_run_as_it_was(monitor, monkeypatch, broken):
    noted = []

    def run(command, **how):
        noted.append(command)
        if command[0] == broken:
            raise MonitorFailed("no room")

    monkeypatch.setattr(subject, "_run", run)
    answers(monkeypatch, None)
    with pytest.raises(MonitorFailed, match="no room"):
        ensure_alone(monitor, patience=1, check_mode=False)
    assert noted[-1][:2] == ["systemctl", "start"]


@pytest.mark.parametrize(
    ("said", "words"), [(None, "does not answer, alone as it is"), (live("three", manager=False), "No manager of the cluster answers")]
)
def test_who_stays_silent_is_told(monitor, calls, monkeypatch, said, words):
    answers(monkeypatch, None, said)
    with pytest.raises(MonitorFailed, match=words) as failed:
        ensure_alone(monitor, patience=-1, check_mode=False)
    assert "the copy of its old store is" in str(failed.value)


def test_a_unit_that_systemd_has_forgotten_is_started_all_the_same(monitor, monkeypatch, tmp_path):
    log = tmp_path / "log"
    program = tmp_path / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$1" >> {log}\n[ "$1" != reset-failed ]\n')
    program.chmod(0o755)
    (tmp_path / "cephadm").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    answers(monkeypatch, None, live("three"))
    assert ensure_alone(monitor, patience=1, check_mode=False)[0]
    assert log.read_text().split() == ["stop", "reset-failed", "start"]
