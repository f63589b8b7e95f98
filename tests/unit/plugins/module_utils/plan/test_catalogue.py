# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import re

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan.catalogue import kinds
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind, sorted_out

from tests.unit.tree import ROOT, files

FEWEST_KINDS = 60
HERE = "tests/unit/plugins/module_utils/plan/*.py"


def declared():
    return [code for path in files("plugins/module_utils/plan/*.py") for code in re.findall(r'\bcode="(\w+)"', path.read_text())]


def test_there_are_enough_and_each_is_declared_once():
    assert len(kinds()) >= FEWEST_KINDS
    assert sorted(kinds()) == sorted(declared())


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.code)
def test_kind(kind):
    assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", kind.code)
    assert not kind.title.endswith(".")
    assert kind.title
    assert kind.why.endswith((".", "?"))
    assert not kind.cure.endswith(".")


def test_every_kind_is_raised_by_a_test():
    told = "".join(path.read_text() for path in files(HERE))
    assert [code for code in kinds() if f'"{code}"' not in told] == []


def test_every_kind_is_documented():
    page = (ROOT / "docs" / "objections.md").read_text()
    assert re.findall(r"^### (\w+)$", page, re.MULTILINE) == [
        code for severity in ("error", "warning") for code, kind in kinds().items() if kind.severity == severity
    ]


WORSE = Kind(code="b_worse", title="B", why="B.", cure="B", rank=1)
BAD = Kind(code="a_bad", title="A", why="A.", cure="A")
MILD = Kind(code="c_mild", title="C", why="C.", cure="C", severity="warning", rank=0)


def test_the_worst_first_and_the_same_once():
    told = [("s2", "same"), ("s1", "same"), ("s1", "same"), ("s1", "other")]
    found = [*(BAD.of(*one) for one in told), MILD.of("s1", "x"), WORSE.of("s9", "y")]
    objections, warnings = sorted_out(found)
    assert [(one.code, one.subject, one.text) for one in objections] == [
        ("b_worse", "s9", "y"),
        ("a_bad", "s1", "other"),
        ("a_bad", "s1, s2", "same"),
    ]
    assert [one.code for one in warnings] == ["c_mild"]


def test_what_only_follows_is_not_told():
    echo = Kind(code="d_echo", title="D", why="D.", cure="D", follows=("a_bad",))
    assert [one.code for one in sorted_out([echo.of("s", "x"), BAD.of("s", "y")])[0]] == ["a_bad"]
    assert [one.code for one in sorted_out([echo.of("s", "x")])[0]] == ["d_echo"]


def test_many_subjects_are_not_all_named():
    objections, _ = sorted_out(BAD.of(f"s{n}", "same") for n in range(200))
    assert objections[0].subject.endswith(" and 195 more")
