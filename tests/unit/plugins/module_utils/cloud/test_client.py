# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What clouds.yaml gives, and how a request that failed is told. No secret gets into a message."""

from __future__ import annotations

from json import loads
from types import SimpleNamespace

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.client import Cloud, connect, read_login
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.compute import read_orphans
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.errors import CloudLogin, CloudRequest, CloudUnreachable

GOOD = "clouds: {kolla-admin: {auth: {auth_url: 'https://192.0.2.10:5000', password: hidden-word}}}"


def test_login():
    assert read_login(GOOD, "clouds.yaml", "kolla-admin")["auth"]["password"] == "hidden-word"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1, 2]",
        "clouds: []",
        "clouds: {other: {auth: {password: hidden-word}}}",
        "clouds: {kolla-admin: hidden-word}",
        "a: b: hidden-word",
    ],
    ids=["empty", "list", "no map", "another cloud", "no auth", "no YAML"],
)
def test_a_file_that_cannot_be_used(text):
    with pytest.raises(CloudLogin) as refused:
        read_login(text, "clouds.yaml", "kolla-admin")
    assert "clouds.yaml" in str(refused.value)
    assert "hidden-word" not in str(refused.value)


def answer(status, content, **headers):
    def json():
        return loads(content) if isinstance(content, str) else content

    return SimpleNamespace(status_code=status, json=json, content=b"x", reason="Reason", headers=headers)


def cloud(*answers):
    given = iter(answers)
    proxy = SimpleNamespace(request=lambda *_, **__: next(given))
    return Cloud(SimpleNamespace(compute=proxy, placement=proxy), "here")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"conflictingRequest": {"code": 409, "message": "it is locked"}}, "it is locked"),
        ({"errors": [{"status": 409, "title": "Conflict", "detail": "has allocations"}]}, "has allocations"),
        ({"NeutronError": {"type": "X", "message": "no such agent", "detail": ""}}, "no such agent"),
        ("<html>", "Reason"),
        ({}, "{}"),
    ],
    ids=["Nova", "Placement", "Neutron", "HTML", "nothing"],
)
def test_a_refusal_is_told_in_the_words_of_the_service(content, said):
    with pytest.raises(CloudRequest) as refused:
        cloud(answer(409, content)).get("compute", "/x")
    assert refused.value.text == f"GET compute /x gave 409: {said}"
    assert refused.value.status == 409


def test_what_is_missing_may_be():
    assert cloud(answer(404, {})).send("GET", "compute", "/x", missing_ok=True)[0] is None
    with pytest.raises(CloudRequest):
        cloud(answer(404, {})).get("compute", "/x")


def test_long_lists_are_read_to_their_end():
    full = [{"id": str(number)} for number in range(500)]
    found = list(cloud(answer(200, {"servers": full}), answer(200, {"servers": [{"id": "last"}]})).pages("compute", "/servers", "servers"))
    assert len(found) == 501


@pytest.mark.parametrize(("ca", "used"), [(None, "its-own.pem"), ("given.pem", "given.pem")])
def test_the_ca_that_is_given_wins_and_verifying_cannot_be_turned_off(ca, used):
    login = {"auth": {"auth_url": "https://127.0.0.1:1"}, "cacert": "its-own.pem", "verify": False, "insecure": True}
    assert connect(login, ca=ca, timeout=5).ca == used


def test_a_cloud_that_is_not_there_is_told_with_the_innermost_reason():
    made = connect({"auth": {"auth_url": "https://127.0.0.1:1", "username": "a", "password": "hidden-word"}}, ca=None, timeout=5)
    with pytest.raises(CloudUnreachable) as refused:
        made.get("compute", "/x")
    assert "Connection refused" in str(refused.value)
    assert "hidden-word" not in str(refused.value)


@pytest.mark.parametrize(
    ("migration", "server", "orphan"),
    [
        (None, None, True),
        (None, "there", False),
        ("completed", "there", True),
        ("running", "there", False),
        ("running", None, True),
    ],
    ids=["a guest that is gone", "a guest", "a migration that is over", "a migration under way", "a migration without its guest"],
)
def test_orphans_are_neither_guest_nor_migration(migration, server, orphan):
    listed = [{"uuid": "c", "id": 1, "status": migration, "instance_uuid": "s"}] if migration else []
    shown = {"id": "s", "name": "s", "status": "ACTIVE", "OS-EXT-STS:task_state": None, "OS-EXT-SRV-ATTR:host": "b"}
    answers = [answer(200, {"allocations": {"c": {}}}), answer(200, {"migrations": listed})]
    answers.append(answer(200, {"server": shown}) if server else answer(404, {}))
    assert read_orphans(cloud(*answers), "p", "a") == (["c"] if orphan else [])
