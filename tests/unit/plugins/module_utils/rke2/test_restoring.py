# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import io
import tarfile

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2 import restoring
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import RestoreFailed, SnapshotRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.restoring import brought, reset, set_aside


@pytest.fixture(autouse=True)
def _nothing_runs(monkeypatch):
    monkeypatch.setattr(restoring, "_plane", lambda: iter(()))
    monkeypatch.setattr(restoring, "_runs", lambda: iter(()))


def server(data):
    (data / "server/db/snapshots").mkdir(parents=True)
    (data / "server/db/snapshots/kept").write_text("x")
    (data / "agent").mkdir()
    return data


def test_what_a_server_knew_is_moved_and_kept(tmp_path):
    (said,) = set_aside(server(tmp_path), check_mode=False)
    (aside,) = tmp_path.glob("server-before-*")
    assert said == f"{tmp_path / 'server'} moved to {aside}"
    assert (aside / "db/snapshots/kept").read_text() == "x"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["agent", aside.name]


def test_nothing_is_moved_in_check_mode_or_twice(tmp_path):
    assert set_aside(server(tmp_path), check_mode=True)
    assert (tmp_path / "server/db").exists()
    set_aside(tmp_path, check_mode=False)
    (tmp_path / "server/manifests").mkdir(parents=True)
    assert set_aside(tmp_path, check_mode=False) == []


def test_one_that_goes_on_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(restoring, "_runs", lambda: iter([1 << 30]))
    monkeypatch.setattr(restoring, "ENDING", 0)
    monkeypatch.setattr(restoring, "PAUSE", 0)
    with pytest.raises(RestoreFailed, match="A restore that was cut off does not end: 1073741824"):
        set_aside(server(tmp_path), check_mode=False)
    assert (tmp_path / "server/db").exists()


def backup(path, name="snapshot", content=b"no snapshot"):
    with tarfile.open(path, "w") as tar:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_only_what_was_brought_whole_is_used(tmp_path):
    total = backup(tmp_path / restoring.BROUGHT)
    assert brought(tmp_path, total) == (tmp_path / restoring.BROUGHT, True)
    with pytest.raises(RestoreFailed, match="is not the one that was brought"):
        reset(tmp_path, "0" * 64)


def test_a_snapshot_is_looked_into_once_more(tmp_path):
    total = backup(tmp_path / restoring.BROUGHT)
    with pytest.raises(SnapshotRefused, match="is cut off, or is none"):
        reset(tmp_path, total)
    assert [one.name for one in tmp_path.iterdir()] == [restoring.BROUGHT]
