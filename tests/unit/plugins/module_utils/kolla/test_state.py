# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.state import (
    DOCUMENT,
    Phase,
    ReleaseRefused,
    State,
    begun,
    digest_of,
    done,
    ended,
    read_state,
    refuse,
)
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import File

NEW = State(phases={})
AT_OLD = State(release="2025.2", phases={})
UPGRADING = State(release="2025.2", upgrading="2026.1", phases={})


def phase(digest="a", release="2026.1"):
    return Phase(digest=digest, ended="2026-11-18T10:00:00Z", seconds=3.5, release=release)


@pytest.mark.parametrize(
    ("state", "command", "words"),
    [
        pytest.param(NEW, "deploy", None, id="first deployment"),
        pytest.param(NEW, "prechecks", None, id="first look"),
        pytest.param(NEW, "upgrade", "nothing is deployed", id="upgrade of nothing"),
        pytest.param(State(release="2026.1", phases={}), "deploy", None, id="deploy again"),
        pytest.param(State(release="2026.1", phases={}), "upgrade", "at 2026.1 already", id="second upgrade"),
        pytest.param(AT_OLD, "upgrade", None, id="upgrade"),
        pytest.param(UPGRADING, "upgrade", None, id="upgrade that was cut off goes on"),
        pytest.param(AT_OLD, "deploy", "the cloud is at 2025.2", id="deploy of another release"),
        pytest.param(AT_OLD, "reconfigure", "the cloud is at 2025.2", id="reconfigure with another release"),
        pytest.param(UPGRADING, "deploy", "an upgrade to 2026.1 was begun", id="deploy within an upgrade"),
        pytest.param(AT_OLD, "mariadb-backup", None, id="a backup fits any release"),
    ],
)
def test_what_fits_the_release(state, command, words):
    if words is None:
        refuse(state, command, "2026.1")
    else:
        with pytest.raises(ReleaseRefused, match=words):
            refuse(state, command, "2026.1")


def test_a_phase_is_done_once_with_the_same_files():
    state = ended(NEW, "pull", phase("a"))
    assert done(state, "pull", "a") == phase("a")
    assert done(state, "pull", "b") is None
    assert done(state, "deploy", "a") is None
    assert state.release is None


def test_deployment_sets_the_release_and_upgrade_ends():
    assert ended(NEW, "deploy", phase()).release == "2026.1"
    going = begun(AT_OLD, "upgrade", "2026.1")
    assert (going.release, going.upgrading) == ("2025.2", "2026.1")
    over = ended(going, "upgrade", phase())
    assert (over.release, over.upgrading) == ("2026.1", None)


def test_it_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "state/kolla.json"
    assert read_state(path) == NEW
    DOCUMENT.write(ended(NEW, "deploy", phase()), path)
    assert read_state(path) == ended(NEW, "deploy", phase())


FILES = {"globals.yml": File("a: 1\n"), "passwords.yml": File("b: 2\n", secret=True), "needs.yml": File("c")}


@pytest.mark.parametrize(
    ("change", "same"),
    [
        pytest.param({}, True, id="nothing"),
        pytest.param({"needs.yml": File("d")}, True, id="what the site must bring, which Kolla does not read"),
        pytest.param({"globals.yml": File("a: 2\n")}, False, id="content"),
        pytest.param({"passwords.yml": File("b: 3\n", secret=True)}, False, id="secret"),
        pytest.param({"globals.d/50-site.yml": File("")}, False, id="one more"),
    ],
)
def test_what_kolla_reads_makes_the_digest(change, same):
    assert (digest_of({**FILES, **change}) == digest_of(FILES)) is same


def test_one_less_changes_the_digest():
    assert digest_of({path: file for path, file in FILES.items() if path != "globals.yml"}) != digest_of(FILES)
