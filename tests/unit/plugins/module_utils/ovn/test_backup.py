# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.backup import (
    check_file,
    chosen,
    manifest_of,
    plan_restore,
    read_backup,
    rotate,
    surplus,
)
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import BackupRefused

DATES = ["20260101T000000Z", "20260102T000000Z", "20260103T000000Z"]


def record(content):
    text = f"{json.dumps(content)}\n".encode()
    return b"OVSDB JSON %d %s\n%s" % (len(text), hashlib.sha1(text, usedforsecurity=False).hexdigest().encode(), text)


def database(name):
    return record({"name": name, "version": "7.0.0"}) + record({"_date": 1, "Logical_Switch": {"u1": {}, "u2": {}}})


NORTH, SOUTH = database("OVN_Northbound"), database("OVN_Southbound")


def write(folder, name=DATES[0], site="example", **changed):
    files = {"nb": NORTH, "sb": SOUTH}
    manifest = manifest_of(site, "2026-01-01T00:00:00Z", "cloud-01", files, {"nb": "n", "sb": "s"})
    path = folder / name
    path.mkdir()
    for kind, content in (files | changed).items():
        (path / f"{kind}.db").write_bytes(content)
    (path / "manifest.json").write_text(json.dumps(manifest))
    return path


def test_whole():
    assert check_file(NORTH, "OVN_Northbound", "it") == {"version": "7.0.0", "rows": {"Logical_Switch": 2}}


DAMAGED = {
    "cut off": (NORTH[:-5], "it is cut off in record 2"),
    "altered": (NORTH.replace(b'"u1"', b'"u9"'), "it is damaged: record 2 has another sum"),
    "no head": (NORTH + b"rubbish", "it is damaged: record 3 has no head"),
    "the other database": (SOUTH, "it is of OVN_Southbound, and not of OVN_Northbound"),
    "empty": (b"", "it is of no database"),
}


@pytest.mark.parametrize(("content", "said"), DAMAGED.values(), ids=DAMAGED)
def test_damaged(content, said):
    with pytest.raises(BackupRefused) as refused:
        check_file(content, "OVN_Northbound", "it")
    assert said in str(refused.value)


def test_read(tmp_path):
    manifest, files = read_backup(write(tmp_path), "example", "example")
    assert (files["nb"], manifest["databases"]["nb"]["rows"]) == (NORTH, {"Logical_Switch": 2})


def test_all_mistakes_at_once(tmp_path):
    path = write(tmp_path, site="other", nb=NORTH.replace(b'"u1"', b'"u9"'))
    with pytest.raises(BackupRefused) as refused:
        read_backup(path, "example", "")
    for said in ("it is of the site other, and this is example", "nb.db has another sum than when it was made", "-e confirm=example"):
        assert said in str(refused.value)


@pytest.mark.parametrize("text", ["", "{}", '{"databases": {"nb": {"file": "gone"}}}', "[]"])
def test_manifest_that_is_none(tmp_path, text):
    path = write(tmp_path)
    (path / "manifest.json").write_text(text)
    with pytest.raises(BackupRefused, match="Cannot use the backup"):
        read_backup(path, "example", "example")


def test_chosen(tmp_path):
    for name in DATES:
        (tmp_path / name).mkdir()
    (tmp_path / ".20260104T000000Z.new").mkdir()
    assert chosen(tmp_path, "latest").name == DATES[-1]
    assert chosen(tmp_path, DATES[0]).name == DATES[0]
    with pytest.raises(BackupRefused, match=r"There is no backup yesterday in .*; there are 20260101T000000Z, "):
        chosen(tmp_path, "yesterday")
    with pytest.raises(BackupRefused, match="there are none"):
        chosen(tmp_path / "nowhere", "latest")


def test_rotation_leaves_what_is_not_ours(tmp_path):
    for name in [*DATES, "by-hand"]:
        (tmp_path / name).mkdir()
    assert rotate(tmp_path, 2) == DATES[:1]
    assert sorted(one.name for one in tmp_path.iterdir()) == [*DATES[1:], "by-hand"]
    assert surplus(DATES, 9) == []


def test_versions():
    plan_restore("7.1.0", "7.0.0")
    with pytest.raises(BackupRefused, match=r"version 6\.3\.0 of the schema, and the server 7\.0\.0"):
        plan_restore("7.0.0", "6.3.0")
