# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a restore, with folders for volumes; molecule/kolla_day2 has the real ones."""

from __future__ import annotations

import hashlib

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.database import (
    ATTEMPT,
    DatabaseFailed,
    Engine,
    attempt,
    begin,
    copy_back,
    finish,
    look,
    prepare,
    room,
    set_aside,
)

FILE = b"a backup"
SUM = hashlib.sha256(FILE).hexdigest()


class Folders(Engine):
    """Volumes are folders; a helper's script is only noted, and prepares."""

    __slots__ = ("broken", "folder", "scripts")

    def __init__(self, folder):
        super().__init__("none")
        for name, value in (("folder", folder), ("scripts", []), ("broken", False)):
            object.__setattr__(self, name, value)

    def run(self, *arguments):
        if arguments[:2] == ("volume", "create"):
            (self.folder / arguments[2] / "_data").mkdir(parents=True)
            return arguments[2]
        if arguments[:2] == ("volume", "inspect"):
            found = self.folder / arguments[-1] / "_data"
            if not found.parent.exists():
                raise DatabaseFailed("no such volume")
            return str(found)
        if arguments[:2] == ("volume", "ls"):
            return "\n".join(one.name for one in self.folder.iterdir())
        return "mariadbd  Ver 11.8.6-MariaDB-0+deb13u1 for debian-linux-gnu"

    def help(self, script, *volumes):
        self.scripts.append((script, volumes))
        if self.broken:
            raise DatabaseFailed("mariabackup: failed")
        if "--prepare" in script:
            (self.volume("mariadb_backup") / "vitro-restore/prepared").touch()


@pytest.fixture
def engine(tmp_path):
    made = Folders(tmp_path)
    made.run("volume", "create", "mariadb")
    (made.volume("mariadb") / "ibdata1").write_bytes(b"old" * 100)
    return made


def brought(engine):
    begun = begin(engine)
    (engine.volume("mariadb_backup") / "vitro-restore/backup.gz").write_bytes(FILE)
    return begun


def test_looking(engine):
    assert (look(engine)["path"], room(engine)["data_bytes"]) == ("", 300)
    engine.run("volume", "create", "mariadb_backup")
    backups = engine.volume("mariadb_backup")
    (backups / "full-1").mkdir()
    (backups / "full-1/mysqlbackup-1.gz").write_bytes(FILE)
    (backups / "last_full_file").write_text("/backup//full-1/mysqlbackup-1.gz\n")
    seen = look(engine)
    assert (seen["path"], seen["bytes"], seen["sha256"]) == (str(backups / "full-1/mysqlbackup-1.gz"), len(FILE), SUM)
    assert seen["mariadb"] == "11.8.6-MariaDB-0+deb13u1"
    (backups / "full-1/mysqlbackup-1.gz").unlink()
    assert look(engine)["path"] == ""


def test_bringing_goes_on(engine):
    assert brought(engine)["bytes"] == 0
    assert begin(engine)["sha256"] == SUM
    assert (engine.volume("mariadb_backup") / "vitro-restore").stat().st_mode & 0o777 == 0o700


def test_preparing_is_done_once_for_a_file(engine):
    brought(engine)
    assert [prepare(engine, SUM), prepare(engine, SUM)] == [True, False]
    with pytest.raises(DatabaseFailed, match="did not arrive whole"):
        prepare(engine, "0" * 64)


def test_preparing_that_failed_is_done_again(engine):
    brought(engine)
    object.__setattr__(engine, "broken", True)
    with pytest.raises(DatabaseFailed):
        prepare(engine, SUM)
    object.__setattr__(engine, "broken", False)
    assert prepare(engine, SUM) is True


def test_a_whole_restore_keeps_the_old_data(engine):
    brought(engine)
    prepare(engine, SUM)
    aside = set_aside(engine, "one", "20260101T000000Z")
    copy_back(engine)
    assert finish(engine) == aside
    assert sorted(one.name for one in engine.volume("mariadb").parent.iterdir()) == ["_data", "before-20260101T000000Z"]
    assert list(engine.volume("mariadb").iterdir()) == []
    assert not (engine.volume("mariadb_backup") / "vitro-restore").exists()
    assert engine.scripts[-1][1] == ("mariadb_backup:/backup", "mariadb:/var/lib/mysql")


def test_a_restore_that_is_repeated_never_takes_its_own_remains_for_the_old_data(engine):
    first = set_aside(engine, "one", "1")
    (engine.volume("mariadb") / "half").touch()
    assert set_aside(engine, "two", "2") == first
    assert attempt(engine) == {"backup": "two", "aside": first}
    assert list(engine.volume("mariadb").iterdir()) == []
    finish(engine)
    (engine.volume("mariadb") / "ibdata1").write_text("restored")
    second = set_aside(engine, "one", "3")
    assert second != first
    assert [(engine.folder / "mariadb" / name / "ibdata1").read_text() for name in ("before-1", "before-3")] == ["old" * 100, "restored"]


@pytest.mark.parametrize("cut", ["before the move", "after the move"])
def test_a_restore_that_was_cut_off_while_it_moved(engine, cut):
    data = engine.volume("mariadb")
    aside = data.parent / "before-1"
    (data.parent / ATTEMPT).write_text(f'{{"backup": "one", "aside": "{aside}"}}')
    if cut == "after the move":
        data.rename(aside)
    assert set_aside(engine, "one", "2") == str(aside)
    assert (aside / "ibdata1").exists()
    assert list(data.iterdir()) == []
