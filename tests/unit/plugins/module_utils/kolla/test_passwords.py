# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords by Kolla's own tools."""

from __future__ import annotations

import subprocess

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.kolla import passwords, secrets
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.passwords import PasswordsRefused, complete, is_complete, missing

from tests.unit.plugins.module_utils.kolla.sites import installed


@pytest.fixture(scope="module")
def made():
    return complete(None, installed(), {})


def test_all_are_made(made):
    content = yaml.safe_load(made)
    assert set(content) == set(installed().passwords)
    assert [key for key, value in content.items() if not value] == ["docker_registry_password"]
    assert is_complete(made, installed(), {})


def test_nothing_runs_when_complete(made, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    assert complete(made, installed(), {}) == made


def test_missing_ones_are_made_and_the_others_stay(made):
    old = yaml.safe_load(made)
    gone = {"rbd_secret_uuid": None, "keystone_admin_password": ""}
    some = {key: gone.get(key, value) for key, value in old.items() if key != "nova_ssh_key"} | {"mine": "kept"}
    assert missing(some, installed()) == ["keystone_admin_password", "nova_ssh_key", "rbd_secret_uuid"]
    new = yaml.safe_load(complete(yaml.safe_dump(some), installed(), {}))
    changed = {key for key in new if new[key] != some.get(key)}
    assert changed == {*gone, "nova_ssh_key"}
    assert all(new[key] for key in changed)


def test_given_ones_win(made):
    given = {"docker_registry_password": "chosen", "mine": "too"}
    text = complete(made, installed(), given)
    assert yaml.safe_load(text) == yaml.safe_load(made) | given
    assert complete(text, installed(), given) == text


@pytest.mark.parametrize(("text", "words"), [("a: {secret-word", "no YAML from line 1 on"), ("[secret-word]", "no keys and values")])
def test_damaged(text, words):
    with pytest.raises(PasswordsRefused, match=words) as caught:
        complete(text, installed(), {})
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize("tool", ["kolla-genpwd", "kolla-mergepwd"])
def test_tool_that_fails(tool, monkeypatch):
    real = subprocess.run

    def fail(command, **settings):
        found = command[1].endswith(tool)
        return subprocess.CompletedProcess(command, 3, b"", b"secret-word") if found else real(command, **settings)

    monkeypatch.setattr(passwords.subprocess, "run", fail)
    with pytest.raises(PasswordsRefused, match=f"{tool} ended with 3") as caught:
        complete(None, installed(), {})
    assert "secret-word" not in str(caught.value)


def test_no_file_is_left(made, tmp_path, monkeypatch):
    monkeypatch.setattr(secrets, "MEMORY", tmp_path)
    seen = []
    real = subprocess.run

    def look(command, **settings):
        folder = next(tmp_path.iterdir())
        seen.append(folder.stat().st_mode & 0o777)
        assert not any(value in " ".join(command) for value in yaml.safe_load(made).values() if isinstance(value, str))
        return real(command, **settings)

    monkeypatch.setattr(passwords.subprocess, "run", look)
    complete(made, installed(), {"rbd_secret_uuid": None})
    assert seen == [0o700, 0o700]
    assert list(tmp_path.iterdir()) == []
