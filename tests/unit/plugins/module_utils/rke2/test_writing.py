# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.marks import hide, mark_of
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.writing import FileUnwritable, ensure_files

MARK = mark_of("token")


def one(path, content, mode=0o600, then="", **more):
    return {"path": str(path), "content": content, "mode": mode, "then": then, "once": False, **more}


@pytest.fixture
def write(tmp_path):
    def run(*files, check_mode=False, **secrets):
        marks = {mark_of(name): value for name, value in secrets.items()}
        return ensure_files(files, marks, check_mode=check_mode, kept=tmp_path / "kept/files.json")

    return run


def test_written_once(tmp_path, write):
    file = one(tmp_path / "a/b", "x\n", then="restart")
    assert (write(file).changed, write(file).changed) == ([file["path"]], [])
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o600


def test_check_mode_writes_nothing_and_says_the_same(tmp_path, write):
    file = one(tmp_path / "a/b", "x\n", then="restart")
    said = write(file, check_mode=True)
    assert not (tmp_path / "a").exists()
    done = write(file)
    assert (said.changed, said.then, said.before, said.after) == (done.changed, done.then, done.before, done.after)


def test_a_right_is_corrected(tmp_path, write):
    file = one(tmp_path / "b", "x\n")
    write(file)
    (tmp_path / "b").chmod(0o644)
    assert write(file).changed == [file["path"]]
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600


def test_what_is_no_longer_wanted_goes(tmp_path, write):
    write(one(tmp_path / "a", "x\n"), one(tmp_path / "b", "x\n"))
    assert write(one(tmp_path / "a", "x\n")).changed == [str(tmp_path / "b")]
    assert not (tmp_path / "b").exists()
    assert write(one(tmp_path / "a", "x\n")).changed == []


def test_what_goes_needs_what_its_change_did_and_is_told_by_a_time(tmp_path, write):
    stays, goes, other = (one(tmp_path / name, "x\n", then=then) for name, then in (("a", "restart"), ("b", "restart"), ("c", "")))
    write(stays, goes, other)
    os.utime(tmp_path / "a", (1, 1))
    assert write(stays, goes).then == set()
    assert (tmp_path / "a").stat().st_mtime == 1
    assert write(stays).then == {"restart"}
    assert (tmp_path / "a").stat().st_mtime > 1


def test_a_file_of_somebody_else_stays(tmp_path, write):
    (tmp_path / "theirs").write_text("x")
    write(one(tmp_path / "a", "x\n"))
    write()
    assert (tmp_path / "theirs").exists()


def test_once_means_once(tmp_path, write):
    file = one(tmp_path / "cache", "", once=True)
    write(file)
    (tmp_path / "cache").write_text("what RKE2 wrote")
    assert write(file).changed == []
    assert (tmp_path / "cache").read_text() == "what RKE2 wrote"


def test_without_its_secret_a_file_waits(tmp_path, write):
    assert write(one(tmp_path / "token", f"{MARK}\n")).changed == []
    assert not (tmp_path / "token").exists()


def test_no_secret_is_shown(tmp_path, write):
    file = one(tmp_path / "f", f"user: u\npassword: {MARK}\n")
    first = write(file, token="hunter2")
    second = write(one(tmp_path / "f", f"user: v\npassword: {MARK}\n"), token="hunter3")
    assert (tmp_path / "f").read_text() == "user: v\npassword: hunter3\n"
    shown = "".join([*first.before, *first.after, *second.before, *second.after])
    assert "hunter" not in shown
    assert "user: v" in shown


def test_a_secret_that_changes_alone_is_told(tmp_path, write):
    write(one(tmp_path / "f", f"{MARK}\n"), token="one")
    said = write(one(tmp_path / "f", f"{MARK}\n"), token="two")
    assert said.changed
    assert said.before != said.after
    assert "two" not in "".join(said.after)


def test_a_folder_in_the_way(tmp_path, write):
    (tmp_path / "f").mkdir()
    with pytest.raises(FileUnwritable, match="Cannot read"):
        write(one(tmp_path / "f", "x"))


def test_hide():
    secrets = {}
    hidden = hide({"a": [{"password": "x"}], "password": {"no": "secret"}}, frozenset({"password"}), secrets, "r")
    assert hidden == {"a": [{"password": mark_of("r-1")}], "password": {"no": "secret"}}
    assert secrets == {mark_of("r-1"): "x"}
