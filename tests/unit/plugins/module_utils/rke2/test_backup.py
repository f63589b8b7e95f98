# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import io
import tarfile
from datetime import UTC, datetime

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.backups import BackupRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.backup import (
    SEALED,
    Source,
    minor,
    refuse,
    secret_of,
    shelf,
    store,
    tokens_of,
)

SECRET = b"correct horse"
NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
MEMBERS = {"token": b"K10abc::server:mine\n", "agent-token": b"theirs\n", "plan.json": b"{}", "snapshot": bytes(5 << 20)}


def tarred(members):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


def kept(folder, **members):
    content = tarred(members or MEMBERS)
    source = Source("lab", "lab-01", "v1.34.1+rke2r1", "abc", ("lab-01", "lab-02", "lab-03"), 5, "0" * 64, 41)
    return store(io.BytesIO(content), source, folder, (len(content), hashlib.sha256(content).hexdigest()), SECRET, NOON)


def test_a_backup_tells_what_it_is_of(tmp_path):
    made, manifest = kept(tmp_path)
    assert (made.name, manifest.site, manifest.servers, manifest.revision) == (
        "20260102T120000Z",
        "lab",
        ("lab-01", "lab-02", "lab-03"),
        41,
    )
    assert refuse(made, "lab", "v1.34.9+rke2r2", "lab", [b"another", SECRET]) == manifest
    assert b"mine" not in (made / SEALED).read_bytes()


def test_its_tokens_are_those_that_were_chosen(tmp_path):
    assert tokens_of(kept(tmp_path)[0], [SECRET]) == {"token": "mine", "agent_token": "theirs"}


def test_a_cluster_without_agents_token_has_one(tmp_path):
    made, _ = kept(tmp_path, token=b"mine\n", snapshot=b"x")
    assert tokens_of(made, [SECRET]) == {"token": "mine"}


def damaged(made):
    content = bytearray((made / SEALED).read_bytes())
    content[len(content) // 2] ^= 1
    (made / SEALED).write_bytes(content)


@pytest.mark.parametrize(
    ("broken", "asked", "words"),
    [
        (None, {"confirm": ""}, ["to want that, say -e confirm=lab"]),
        (None, {"confirm": "east"}, ["say -e confirm=lab, not confirm=east"]),
        (None, {"site": "east", "confirm": "east"}, ["it is of the site lab, and this is east"]),
        (None, {"version": "v1.35.1+rke2r1"}, ["it was made at v1.34.1+rke2r1, and v1.35.1+rke2r1 is wanted", "-e rke2_version=v1.34.1"]),
        (None, {"secrets": [b"another"]}, ["the secret is another one"]),
        (damaged, {}, ["rke2.sealed is damaged"]),
        (damaged, {"site": "east", "version": "v1.33.1+rke2r1", "confirm": ""}, ["confirm=east", "site lab", "is wanted", "is damaged"]),
    ],
    ids=["not confirmed", "confirmed another", "another site", "another minor", "another secret", "damaged", "all of it"],
)
def test_every_reason_is_told(tmp_path, broken, asked, words):
    made, _ = kept(tmp_path)
    if broken:
        broken(made)
    given = {"site": "lab", "version": "v1.34.2+rke2r1", "confirm": "lab", "secrets": [SECRET], **asked}
    with pytest.raises(BackupRefused) as caught:
        refuse(made, **given)
    assert [one for one in words if one not in caught.value.text] == []


def test_the_newest_backup_is_the_latest_and_rotation_keeps_it(tmp_path):
    made, _ = kept(tmp_path)
    assert shelf(tmp_path).chosen("latest") == made
    assert shelf(tmp_path).rotate(0, made) == []


@pytest.mark.parametrize(
    ("token", "secret"),
    [("plain\n", "plain"), ("K10abc::server:mine", "mine"), ("K10abc::node:theirs\n", "theirs"), ("with::colons:in", "with::colons:in")],
)
def test_secret_of(token, secret):
    assert secret_of(token) == secret


@pytest.mark.parametrize(("version", "line"), [("v1.34.1+rke2r1", "1.34"), ("v1.35.10+rke2r2", "1.35")])
def test_minor(version, line):
    assert minor(version) == line
