# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that run their module again, with a module that answers from a list."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from ansible.plugins.action import ActionBase
from ansible_collections.frontier.vitro.plugins.plugin_utils import again

WAITS = {"changed": True, "changes": ["begun"], "awaited": ["osd.1"], "progress": "osd.1 left"}
DONE = {"changed": False, "changes": [], "awaited": [], "progress": ""}
SILENT = {"failed": True, "code": "ceph_silent", "msg": "nobody answers"}
REFUSED = {"failed": True, "code": "ceph_osd", "msg": "it cannot go"}


class Telling(again.Again):
    _tells_begun = True


@pytest.fixture
def play(monkeypatch):
    """Runs an action over the answers; gives its result, and what the module was told each time."""
    monkeypatch.setattr(ActionBase, "run", lambda *_: {})
    monkeypatch.setattr(again.time, "sleep", lambda _: None)

    def run(*answers, action=again.Again, check_mode=False, **args):
        left, told = list(answers), []

        def execute(module_args, task_vars):
            told.append(module_args.get("begun"))
            return dict(left.pop(0) if len(left) > 1 else left[0])

        one = object.__new__(action)
        one._task = SimpleNamespace(args=args, check_mode=check_mode)
        one._execute_module = execute
        return one.run(task_vars={}), told

    return run


def test_it_runs_until_nothing_is_awaited(play):
    more = {**WAITS, "changes": ["begun", "gone on with"]}
    said, told = play(WAITS, more, DONE)
    assert (said["changed"], said["changes"], len(told)) == (True, ["begun", "gone on with"], 3)
    assert "progress" not in said


def test_only_a_module_that_knows_the_word_is_told_that_it_has_begun(play):
    assert play(WAITS, WAITS, DONE)[1] == [None, None, None]
    assert play(WAITS, WAITS, DONE, action=Telling)[1] == [False, True, True]


def test_nothing_is_awaited_in_check_mode(play):
    assert len(play(WAITS, check_mode=True)[1]) == 1


def test_silence_passes_once_it_has_begun(play):
    said, told = play(WAITS, SILENT, DONE)
    assert ("failed" in said, len(told)) == (False, 3)
    said, told = play(SILENT, DONE)
    assert (said["msg"], len(told)) == ("nobody answers", 1)


def test_silence_does_not_pass_for_ever(play, monkeypatch):
    monkeypatch.setattr(again, "PASSING_SECONDS", -1)
    assert play(WAITS, SILENT)[0]["msg"] == "nobody answers"


def test_what_is_refused_ends_it(play):
    said, told = play(WAITS, REFUSED)
    assert (said["failed"], said["msg"], said["changed"], len(told)) == (True, "it cannot go", True, 2)


def test_what_stands_still_ends_it(play):
    said, _ = play(WAITS, patience=-1)
    assert (said["code"], said["failed"]) == ("ceph_stuck", True)
    assert "osd.1 left" in said["msg"]
