# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kolla's directory as values."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.directory import (
    ForeignDirectory,
    mark_first,
    read_directory,
    sentences,
)
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.needs import SCHEMA
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import (
    Change,
    File,
    NoVaultPassword,
    SecretLocked,
    nearest,
    plan_tree,
    read_tree,
    write_changes,
)

from tests.unit.plugins.module_utils.kolla.sites import Box

NEEDS = File(f"---\nschema: {SCHEMA}\n")
AFTER = {"needs.yml": NEEDS, "globals.yml": File("a: 1\n"), "passwords.yml": File("p: x\n", secret=True), "config/a/b.conf": File("[c]\n")}


def written(folder, tree):
    write_changes(plan_tree({}, tree), folder, Box())
    return folder


def test_what_was_written_is_read_again(tmp_path):
    assert read_tree(written(tmp_path, AFTER), Box()) == AFTER
    assert b"p: x" not in (tmp_path / "passwords.yml").read_bytes()
    assert (tmp_path / "passwords.yml").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "globals.yml").stat().st_mode & 0o777 == 0o644


def test_secrets_keep_their_bytes(tmp_path):
    written(tmp_path, AFTER)
    before = (tmp_path / "passwords.yml").read_bytes()
    changes = plan_tree(read_tree(tmp_path, Box()), {**AFTER, "globals.yml": File("a: 2\n")})
    assert [change.path for change in changes] == ["globals.yml"]
    write_changes(changes, tmp_path, Box())
    assert (tmp_path / "passwords.yml").read_bytes() == before


def test_bytes_that_are_no_text_stay(tmp_path):
    (tmp_path / "logo").write_bytes(b"\xff\xfe\x00")
    tree = read_tree(tmp_path, Box())
    assert (written(tmp_path / "to", tree) / "logo").read_bytes() == b"\xff\xfe\x00"


def test_a_secret_that_was_plain_is_encrypted(tmp_path):
    plain = {**AFTER, "passwords.yml": File("p: x\n")}
    written(tmp_path, plain)
    write_changes(plan_tree(read_tree(tmp_path, Box()), AFTER), tmp_path, Box())
    assert b"p: x" not in (tmp_path / "passwords.yml").read_bytes()


def test_files_that_go_take_their_folders_along(tmp_path):
    written(tmp_path, AFTER)
    write_changes([Change("config/a/b.conf", AFTER["config/a/b.conf"], None)], tmp_path, Box())
    assert not (tmp_path / "config").exists()
    assert tmp_path.exists()


def test_nothing_is_written_if_a_secret_cannot_be(tmp_path):
    class Empty(Box):
        def lock(self, text):
            raise NoVaultPassword("Cannot write a secret")

    with pytest.raises(NoVaultPassword, match="--vault-password-file"):
        write_changes(plan_tree({}, AFTER), tmp_path, Empty())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (None, File("new\n"), ("", "new\n")),
        (File("old\n"), None, ("old\n", "")),
        (File("old\n", secret=True), File("new\n", secret=True), ("(secret)\n", "(secret, changed)\n")),
        (None, File("new\n", secret=True), ("", "(secret)\n")),
        (File("old\n", secret=True), None, ("(secret)\n", "")),
        (File("was plain\n"), File("new\n", secret=True), ("(secret)\n", "(secret, changed)\n")),
    ],
)
def test_diff(before, after, shown):
    diff = Change("x", before, after).diff
    assert (diff["before"], diff["after"]) == shown


@pytest.mark.parametrize(("name", "near"), [("neutron_plugin_agnet", "neutron_plugin_agent"), ("nothing_like_it", None)])
def test_nearest(name, near):
    assert nearest(name, ["neutron_plugin_agent", "enable_ovn"]) == near


def test_directory_of_ours(tmp_path):
    written(tmp_path, AFTER)
    (tmp_path / "clouds.yaml").write_text("Kolla's own\n")
    (tmp_path / "config/stale.conf").write_text("[x]\n")
    assert read_directory(tmp_path, Box()) == {**AFTER, "config/stale.conf": File("[x]\n")}
    assert read_directory(tmp_path / "none", Box()) == {}


def test_directory_with_another_vault_password(tmp_path):
    with pytest.raises(SecretLocked, match="vault password"):
        read_directory(written(tmp_path, AFTER), Box(locked=True))


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: (folder / "globals.yml").write_text("a: 1\n"),
        lambda folder: (folder / "needs.yml").write_text("schema: other/1\n"),
        lambda folder: (folder / "needs.yml").mkdir(),
        lambda folder: (folder.rmdir(), folder.write_text("a file")),
    ],
    ids=["files", "needs of another", "needs no file", "no folder"],
)
def test_foreign_directory(tmp_path, make):
    folder = tmp_path / "kolla"
    folder.mkdir()
    make(folder)
    with pytest.raises(ForeignDirectory, match="empty or not there yet"):
        read_directory(folder, Box())


def test_interrupted_writing_leaves_a_directory_of_ours(tmp_path):
    write_changes(mark_first(plan_tree({}, AFTER))[:1], tmp_path, Box())
    assert read_directory(tmp_path, Box()) == {"needs.yml": NEEDS}


def test_sentences():
    many = {f"inventory/host_vars/{n}.yml": File("") for n in range(4)}
    changes = plan_tree({"a": File("1"), "b": File("1", secret=True)}, {"a": File("2"), "c": File("", secret=True), **many})
    assert list(sentences(changes)) == [
        "a: changed",
        "b (secret): removed, for nothing of the site asks for it",
        "c (secret): new",
        "inventory/host_vars/: 4 files new",
    ]
