# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2 import rotating
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import RotationRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.rotating import plan_secrets_key, rotate_token


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ({"enable": True, "stage": "start", "hashmatch": True}, ""),
        ({"enable": True, "stage": "reencrypt_finished", "hashmatch": True}, ""),
        ({"enable": False, "stage": "start", "hashmatch": True}, "not encrypted"),
        ({"stage": ""}, "not encrypted"),
        ({"enable": True, "stage": "reencrypt_active", "hashmatch": True}, "at the stage reencrypt_active"),
        ({"enable": True, "stage": "start", "hasherror": "node b differs"}, "node b differs"),
    ],
)
def test_when_the_key_of_secrets_may_be_changed(status, words):
    refused = plan_secrets_key(status)
    assert words in refused if words else refused == ""


class Supervisor:
    """Knows one token, and takes another one from who shows it."""

    def __init__(self, token):
        self.token, self.told = token, 0

    def shown(self, _data, token, _timeout=0):
        return _Shown(self, token)


class _Shown:
    def __init__(self, server, token):
        self.server, self.token = server, token

    def ask(self, method, path, body=None):
        if self.token != self.server.token:
            return 401, b""
        if method == "PUT":
            self.server.token, self.server.told = body["newToken"], self.server.told + 1
        return 200, b"{}"


@pytest.mark.parametrize(
    ("has", "check", "changed", "then"),
    [("old", False, True, "new"), ("old", True, True, "old"), ("new", False, False, "new")],
    ids=["changed", "in check mode", "a run before had told it"],
)
def test_a_token_is_changed_once(monkeypatch, tmp_path, has, check, changed, then):
    server = Supervisor(has)
    monkeypatch.setattr(rotating, "supervisor", server.shown)
    assert rotate_token(tmp_path, "old", "new", check_mode=check) is changed
    assert server.token == then


def test_a_token_that_nobody_knows_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(rotating, "supervisor", Supervisor("third").shown)
    with pytest.raises(RotationRefused, match="takes neither the token that the site has nor the one that would follow it"):
        rotate_token(tmp_path, "old", "new", check_mode=False)
