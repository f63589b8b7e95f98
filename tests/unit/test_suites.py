# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which engine suites a change touches."""

from __future__ import annotations

import importlib.util
import re
import subprocess

import pytest

from tests.unit.tree import ROOT, files

spec = importlib.util.spec_from_file_location("suites", ROOT / ".ci/suites.py")
suites = importlib.util.module_from_spec(spec)
spec.loader.exec_module(suites)

TEXT = """\
# comment
roles/rke2/*      molecule SCENARIO=rke2
plugins/*/ovn/*   test-ovn

roles/common/*    molecule SCENARIO=rke2
roles/common/*    test-ovn
"""


@pytest.mark.parametrize(
    ("changed", "touched"),
    [
        ([], []),
        (["README.md"], []),
        (["roles/rke2/tasks/main.yml"], ["molecule SCENARIO=rke2"]),
        (["plugins/module_utils/ovn/raft.py"], ["test-ovn"]),
        (["roles/rke2_extra/tasks/main.yml"], []),
        (["roles/common/tasks/main.yml"], ["molecule SCENARIO=rke2", "test-ovn"]),
        (["plugins/module_utils/ovn/raft.py", "roles/rke2/meta/main.yml"], ["molecule SCENARIO=rke2", "test-ovn"]),
    ],
    ids=str,
)
def test_touched(changed, touched):
    assert suites.touched(suites.parse(TEXT), changed) == touched


def test_line_without_suite_is_refused():
    with pytest.raises(ValueError, match=r"roles/rke2/\* has no suite"):
        suites.parse("roles/rke2/*\n")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A function that commits a file, in a repository of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI_BASE", raising=False)

    def git(*arguments):
        settings = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *settings, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    def commit(file):
        (tmp_path / file).write_text(file)
        git("add", file)
        git("commit", "--quiet", "--message", file)
        return git("rev-parse", "HEAD")

    git("init", "--quiet", "--initial-branch", "main")
    commit.git = git
    return commit


def changed():
    return sorted(suites.changed_since(suites.base()))


def test_first_commit_changes_everything(repository, tmp_path):
    (tmp_path / "new").write_text("")
    assert changed() == ["new"]
    repository("a")
    assert changed() == ["a", "new"]


def test_last_commit_and_the_working_tree_are_the_change(repository, tmp_path):
    repository("a")
    repository("b")
    (tmp_path / "c").write_text("")
    assert changed() == ["b", "c"]


def test_branch_starts_where_it_left_main(repository):
    fork = repository("a")
    repository.git("update-ref", "refs/remotes/origin/main", fork)
    repository("b")
    repository("c")
    assert changed() == ["b", "c"]


def test_given_base_counts(repository, monkeypatch):
    monkeypatch.setenv("CI_BASE", repository("a"))
    repository("b")
    repository("c")
    assert changed() == ["b", "c"]
    monkeypatch.setenv("CI_BASE", "nowhere")
    with pytest.raises(ValueError, match="Git does not know it"):
        changed()


def test_map_is_true():
    """Every suite can be made, every glob matches something, and every scenario is in the map."""
    pairs = suites.parse((ROOT / ".ci/suites").read_text())
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    scenarios = {path.parent.name for path in files("molecule/*/molecule.yml")}
    assert [suite for suite in suites.suites(pairs) if suite.split()[0] not in targets] == []
    assert [glob for glob, _ in pairs if not files(glob)] == []
    assert {suite.partition("SCENARIO=")[2] for _, suite in pairs if suite.startswith("molecule ")} == scenarios
