# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a restore does on a host with Kolla's MariaDB, in steps that may be repeated. It runs there, so only with the standard library."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..errors import VitroError

CONTAINER: Final = "mariadb"
HELPER: Final = "vitro-restore"
DATA, BACKUPS = "mariadb", "mariadb_backup"
WORK: Final = "vitro-restore"
FILE, TREE, READY = "backup.gz", "data", "prepared"
# Beside the folder of the volume: it is there from the moment that data are moved away until a restore has ended well.
ATTEMPT: Final = "vitro-restore.json"
LONGEST = 600
# What Kolla's own guide has: unpack, replay the log, and copy with the programs of the same image that serves the database.
PREPARE: Final = (
    "set -euo pipefail; cd /backup/{work}; rm -rf {tree} {ready}; mkdir {tree}; gunzip -c {file} | mbstream -x -C {tree}; "
    "mariabackup --prepare --target-dir={tree}; touch {ready}"
)
COPY: Final = "set -euo pipefail; mariabackup --copy-back --target-dir=/backup/{work}/{tree} --datadir=/var/lib/mysql"


class DatabaseFailed(VitroError):
    code = "kolla_database"
    cure = "Cure it and run the restore again: it goes on from there"


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    timeout: int = 86400

    def run(self, *arguments: str) -> str:
        try:
            done = subprocess.run(  # noqa: S603 - a list, and no shell
                [self.name, *arguments], capture_output=True, text=True, errors="replace", check=False, timeout=self.timeout
            )
        except (OSError, subprocess.TimeoutExpired) as exc:
            raise DatabaseFailed(f"{self.name} {arguments[0]} did not run: {exc}") from None
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip())[-LONGEST:]
            raise DatabaseFailed(f"{self.name} {arguments[0]} ended with {done.returncode}: {said}")
        return done.stdout.strip()

    def volume(self, name: str) -> Path:
        return Path(self.run("volume", "inspect", "--format", "{{.Mountpoint}}", name))

    def has(self, name: str) -> bool:
        return name in self.run("volume", "ls", "--format", "{{.Name}}").split()

    def image(self) -> str:
        """That of the container, also of one that is stopped, so that programs and data are of one version."""
        return self.run("inspect", "--format", "{{.Config.Image}}", CONTAINER)

    def help(self, script: str, *volumes: str) -> None:
        """Run a script in a container of its own. One that an interrupted run left is removed first."""
        subprocess.run([self.name, "rm", "--force", HELPER], capture_output=True, check=False)  # noqa: S603 - a list
        mounted = [part for volume in volumes for part in ("--volume", volume)]
        words = {"work": WORK, "tree": TREE, "ready": READY, "file": FILE}
        how = ["--rm", f"--name={HELPER}", "--network=none", "--user=root", "--entrypoint=/bin/bash", *mounted]
        self.run("run", *how, self.image(), "-c", script.format(**words))


def look(engine: Engine) -> dict[str, Any]:
    """The newest full backup that Kolla made here, the room there is, and the version that runs."""
    found: dict[str, Any] = {"path": "", "bytes": 0, "made": 0, "sha256": ""}
    backups = engine.volume(BACKUPS) if engine.has(BACKUPS) else Path("/nonexistent")
    last = backups / "last_full_file"
    if last.exists():
        # Kolla writes the path as its container sees it, with its volume at /backup.
        path = backups / last.read_text().strip().lstrip("/").removeprefix("backup").lstrip("/")
        if path.is_file():
            found = {"path": str(path), "bytes": path.stat().st_size, "made": int(path.stat().st_mtime), "sha256": _sum(path)}
    return {**found, **room(engine), "mariadb": _version(engine)}


def room(engine: Engine) -> dict[str, Any]:
    data = engine.volume(DATA)
    used = sum(one.stat().st_size for one in data.rglob("*") if one.is_file() and not one.is_symlink())
    return {"data_bytes": used, "free_bytes": shutil.disk_usage(data).free, "attempt": attempt(engine)}


def _version(engine: Engine) -> str:
    said = engine.run("exec", CONTAINER, "mariadbd", "--version")
    found = re.search(r"Ver (\S+)", said)
    return found[1] if found else said[:60]


def begin(engine: Engine) -> dict[str, Any]:
    """A folder that only root can read, and what of the file is there from a run before."""
    if not engine.has(BACKUPS):
        # Kolla makes it on the one host that makes backups.
        engine.run("volume", "create", BACKUPS)
    work = engine.volume(BACKUPS) / WORK
    work.mkdir(mode=0o700, exist_ok=True)
    file = work / FILE
    there = file.exists()
    return {"path": str(file), "bytes": file.stat().st_size if there else 0, "sha256": _sum(file) if there else ""}


def prepare(engine: Engine, sha256: str) -> bool:
    """Make the file a database that can be put into its place. What runs is not touched."""
    work = engine.volume(BACKUPS) / WORK
    ready = work / READY
    if ready.exists() and (work / "sha256").exists() and (work / "sha256").read_text() == sha256:
        return False
    if _sum(work / FILE) != sha256:
        raise DatabaseFailed(f"{work / FILE} did not arrive whole")
    (work / "sha256").write_text(sha256)
    ready.unlink(missing_ok=True)
    engine.help(PREPARE, f"{BACKUPS}:/backup")
    return True


def set_aside(engine: Engine, backup: str, stamp: str) -> str:
    """Move the data away, once for a restore that is repeated, and give an empty folder in their place."""
    data = engine.volume(DATA)
    marker = data.parent / ATTEMPT
    known = attempt(engine) or {"backup": backup, "aside": str(data.parent / f"before-{stamp}")}
    _write(marker, {**known, "backup": backup})
    aside = Path(known["aside"])
    if not aside.exists():
        data.rename(aside)
    shutil.rmtree(data, ignore_errors=True)
    was = aside.stat()
    data.mkdir(mode=was.st_mode & 0o7777)
    os.chown(data, was.st_uid, was.st_gid)
    return str(aside)


def copy_back(engine: Engine) -> None:
    engine.help(COPY, f"{BACKUPS}:/backup", f"{DATA}:/var/lib/mysql")


def finish(engine: Engine) -> str:
    """Forget the attempt and its files; what was set aside stays, and is named."""
    known = attempt(engine)
    if engine.has(BACKUPS) and (engine.volume(BACKUPS) / WORK).exists():
        shutil.rmtree(engine.volume(BACKUPS) / WORK)
    (engine.volume(DATA).parent / ATTEMPT).unlink(missing_ok=True)
    return str(known["aside"]) if known else ""


def attempt(engine: Engine) -> dict[str, str]:
    """A restore that was begun here and has not ended; empty if there is none."""
    marker = engine.volume(DATA).parent / ATTEMPT
    return dict(json.loads(marker.read_text())) if marker.exists() else {}


def _write(path: Path, content: dict[str, str]) -> None:
    new = path.with_suffix(".new")
    with new.open("w") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _sum(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            found.update(part)
    return found.hexdigest()
