# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real conversation, with a library in the place of librados that answers from a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import ClusterSilent, Command, CommandRefused, Session

RADOS = """
import json, os
class Error(Exception):
    errno = 1
class Rados:
    DEFAULT_CONF_FILES = -1
    def __init__(self, conffile, conf):
        self.conf = conf
    def connect(self, timeout):
        if os.environ.get("LAB_LOST"):
            raise Error("error connecting to the cluster")
    def mon_command(self, text, data, timeout):
        return self._answer("mon", text, data)
    def mgr_command(self, text, data, timeout):
        return self._answer("mgr", text, data)
    def shutdown(self):
        if os.environ.get("LAB_FALL"):
            import atexit
            atexit.register(os.abort)
    def _answer(self, who, text, data):
        asked = json.loads(text)
        with open(os.environ["LAB_LOG"], "a") as log:
            log.write(json.dumps([who, asked, data.decode()]) + "\\n")
        if asked["prefix"] == "refuse":
            return -22, b"", "invalid command"
        if asked["prefix"] == "orch osd rm status":
            return 0, b"No OSD remove/replace operations reported\\n", ""
        if asked["prefix"] == "late":
            return -110, b"", ""
        if asked["prefix"] == "break":
            raise Error("timed out")
        return 0, json.dumps({"asked": asked["prefix"]}).encode(), ""
"""

# Runs the script as the container would, with its folder for the answer at another place.
CEPHADM = """
import os, sys
with open(LOG, "a") as log:
    log.write(" ".join(sys.argv) + "\\n")
folder = sys.argv[sys.argv.index("--mount") + 1].removesuffix(":/answer")
assert os.stat(folder).st_mode & 0o777 == 0o700
os.execv(sys.executable, [sys.executable, "-c", sys.argv[-1].replace("/answer/", folder + "/")])
"""


@pytest.fixture
def session(tmp_path, monkeypatch):
    (tmp_path / "rados.py").write_text(RADOS)
    program = tmp_path / "cephadm"
    program.write_text(f"#!{sys.executable}\nLOG = {str(tmp_path / 'argv')!r}\n{CEPHADM}")
    program.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("LAB_LOG", str(tmp_path / "log"))
    return Session("an-id", str(program), 5)


def asked(tmp_path: Path) -> list[list[object]]:
    return [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]


def test_one_process_for_all_questions(session, tmp_path):
    assert session.read(one=Command("status"), two=Command("orch ls", {"export": True}, manager=True)) == {
        "one": {"asked": "status"},
        "two": {"asked": "orch ls"},
    }
    assert [(who, one["prefix"]) for who, one, _ in asked(tmp_path)] == [("mon", "status"), ("mgr", "orch ls")]
    assert (tmp_path / "argv").read_text().count("shell --fsid an-id") == 1


def test_data_goes_by_standard_input_only(session, tmp_path):
    session.ask([Command("orch apply", {"who": "s3cret-name"}, data="s3cret-data", manager=True)])
    assert asked(tmp_path)[0][2] == "s3cret-data"
    assert "s3cret" not in (tmp_path / "argv").read_text()


def test_the_first_refusal_ends_it_and_says_how_far_it_came(session, tmp_path):
    with pytest.raises(CommandRefused, match=r"refused `refuse` \(1 of 3 were carried out before\): invalid command"):
        session.ask([Command("first"), Command("refuse"), Command("third")])
    assert [one["prefix"] for _, one, _ in asked(tmp_path)] == ["first", "refuse"]


def test_a_refusal_without_words_gets_some(session):
    with pytest.raises(CommandRefused, match="refused `late`: Connection timed out"):
        session.ask([Command("late")])


def test_a_sentence_in_the_place_of_an_empty_list(session):
    assert session.read(removals=Command("orch osd rm status", manager=True)) == {"removals": None}


@pytest.mark.parametrize("prefix", ["refuse", "break"])
def test_what_may_fail_ends_nothing(session, prefix):
    first, last = session.ask([Command(prefix, may_fail=True), Command("last")])
    assert first.code != 0
    assert last.code == 0
    assert session.read(gone=Command(prefix, may_fail=True))["gone"] is None


def test_no_quorum_is_said(session, monkeypatch):
    monkeypatch.setenv("LAB_LOST", "1")
    with pytest.raises(ClusterSilent, match="No monitor of the cluster an-id answered within 5 s"):
        session.read(status=Command("status"))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 3", "ended with 3: it said nothing"),
        ("echo no such image >&2; exit 1", "ended with 1: no such image"),
        ("exit 0", "ended with 0"),
    ],
)
def test_a_shell_that_fails_is_said(session, script, words):
    Path(session.cephadm).write_text(f"#!/bin/sh\n{script}\n")
    with pytest.raises(ClusterSilent, match=words):
        session.read(status=Command("status"))


def test_no_program_is_said():
    with pytest.raises(ClusterSilent, match="Cannot run /nowhere/cephadm: No such file"):
        Session("an-id", "/nowhere/cephadm").read(status=Command("status"))


def test_before_the_first_run_check_mode_sees_an_empty_cluster(session):
    assert session.read_if_there({"one": Command("status")}, {"one": "empty"}, check_mode=True) == {"one": "empty"}
    assert session.read_if_there({"one": Command("status")}, {"one": "empty"}, check_mode=False) == {"one": {"asked": "status"}}


def test_a_program_that_falls_over_at_its_end_has_answered(session, monkeypatch):
    monkeypatch.setenv("LAB_FALL", "1")
    assert session.read(status=Command("status")) == {"status": {"asked": "status"}}
