# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import io
import json
import stat
from datetime import UTC, datetime, timedelta

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.backups import MANIFEST, BackupFailed, BackupRefused, plan_removal
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.backup import (
    DOCUMENT,
    SEALED,
    Source,
    needed_bytes,
    read_manifest,
    refuse,
    shelf,
    store,
)
from hypothesis import given
from hypothesis import strategies as st

SECRET = b"correct horse"
NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
CONTENT = b"rows of a database " * 200_000


def source(content=CONTENT, **more):
    known = {"site": "lab", "host": "lab-01", "release": "2026.1", "mariadb": "11.8.6", "data_bytes": 5000}
    return Source(**{**known, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more})


def kept(folder, content=CONTENT, at=NOON, **more):
    return store(io.BytesIO(content), source(content, **more), folder, SECRET, at)


def test_whole_and_sealed(tmp_path):
    made = kept(tmp_path)
    assert (made.name, sorted(one.name for one in made.iterdir())) == ("20260102T120000Z", [MANIFEST, SEALED])
    assert [stat.S_IMODE((made / name).stat().st_mode) for name in (MANIFEST, SEALED)] == [0o600, 0o600]
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    assert CONTENT[:64] not in (made / SEALED).read_bytes()
    manifest = refuse(made, "lab", "2026.1", "lab", [b"another", SECRET])
    assert (manifest.at, manifest.bytes) == ("2026-01-02T12:00:00Z", (made / SEALED).stat().st_size)
    opened = io.BytesIO()
    shelf(tmp_path).open_to(made, opened, [b"another", SECRET])
    assert opened.getvalue() == CONTENT
    assert needed_bytes(manifest) > len(CONTENT) + 2 * 5000


@pytest.mark.parametrize("wrong", [{"bytes": 1}, {"sha256": "0" * 64}], ids=["too short", "altered on the way"])
def test_what_did_not_arrive_whole_is_not_kept(tmp_path, wrong):
    with pytest.raises(BackupFailed, match="did not arrive whole"):
        kept(tmp_path, **wrong)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_leaves_nothing_behind(tmp_path):
    class Cut:
        def read(self, size=-1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store(Cut(), source(), tmp_path, SECRET, NOON)
    (tmp_path / ".making-20260101T000000Z").mkdir()
    assert shelf(tmp_path).all == []
    kept(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["20260102T120000Z"]


def damaged(made):
    content = bytearray((made / SEALED).read_bytes())
    content[len(content) // 2] ^= 1
    (made / SEALED).write_bytes(content)


def cut_off(made):
    (made / SEALED).write_bytes((made / SEALED).read_bytes()[:-100])


def resealed(made):
    """Somebody makes the sum in the manifest fit what is damaged."""
    damaged(made)
    told = json.loads((made / MANIFEST).read_text())
    (made / MANIFEST).write_text(json.dumps({**told, "sha256": hashlib.sha256((made / SEALED).read_bytes()).hexdigest()}))


def without_file(made):
    (made / SEALED).unlink()


def newer_schema(made):
    (made / MANIFEST).write_text((made / MANIFEST).read_text().replace("vitro/backup/1", "vitro/backup/2"))


@pytest.mark.parametrize(
    ("broken", "asked", "words"),
    [
        (None, {"confirm": ""}, ["to want that, say -e confirm=lab"]),
        (None, {"confirm": "other"}, ["say -e confirm=lab, not confirm=other"]),
        (None, {"site": "east", "confirm": "east"}, ["it is of the site lab, and this is east"]),
        (None, {"release": "2026.2"}, ["it was made at release 2026.1, and the cloud is at 2026.2"]),
        (None, {"secrets": [b"another"]}, ["the secret is another one"]),
        (None, {"secrets": []}, ["no vault password"]),
        (damaged, {}, ["mariadb.sealed is damaged"]),
        (cut_off, {}, ["mariadb.sealed is damaged"]),
        (resealed, {}, ["a sealed file does not open"]),
        (without_file, {}, ["cannot be read: No such file"]),
        (newer_schema, {"confirm": ""}, ["confirm=lab", "its schema is `vitro/backup/2`"]),
        (damaged, {"site": "east", "release": "1", "confirm": ""}, ["confirm=east", "of the site lab", "at release 2026.1", "is damaged"]),
    ],
)
def test_a_restore_is_refused_with_every_reason(tmp_path, broken, asked, words):
    made = kept(tmp_path)
    if broken:
        broken(made)
    with pytest.raises(BackupRefused) as caught:
        refuse(made, **{"site": "lab", "release": "2026.1", "confirm": "lab", "secrets": [SECRET], **asked})
    assert [word for word in words if word not in str(caught.value)] == []
    assert "Nothing was stopped" in str(caught.value)


def test_choosing(tmp_path):
    with pytest.raises(BackupRefused, match="There is no backup in"):
        shelf(tmp_path).chosen("latest")
    made = [kept(tmp_path, b"x", NOON + timedelta(hours=hours)) for hours in (0, 2, 1)]
    assert shelf(tmp_path).chosen("latest") == made[1]
    assert shelf(tmp_path).chosen(made[0].name) == shelf(tmp_path).chosen(str(made[0])) == made[0]
    with pytest.raises(BackupRefused, match="there are: 20260102T120000Z, 20260102T130000Z"):
        shelf(tmp_path).chosen("20250101T000000Z")


@given(total=st.integers(1, 12), most=st.integers(-3, 14), good=st.integers(0, 11))
def test_removal_keeps_the_newest_and_the_good_one(tmp_path_factory, total, most, good):
    backups = [tmp_path_factory.getbasetemp() / f"{number:02d}" for number in range(total)]
    good_one = backups[min(good, total - 1)]
    removed = plan_removal(backups, most, good_one)
    left = [one for one in backups if one not in removed]
    assert good_one in left
    assert backups[-1] in left
    assert len(left) in (min(total, max(1, most)), min(total, max(1, most)) + 1)
    assert removed == [one for one in backups[: len(removed) + 1] if one in removed]


def test_no_secret_in_the_manifest(tmp_path):
    made = kept(tmp_path)
    assert "horse" not in (made / MANIFEST).read_text()
    assert DOCUMENT.to_data(read_manifest(made))["kind"] == "mariadb"
