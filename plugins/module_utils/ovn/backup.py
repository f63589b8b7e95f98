# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups of both databases: as `ovsdb-client backup` writes them, with what is needed to tell a whole one from a damaged one."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from .errors import BackupRefused
from .raft import DATABASES

MANIFEST: Final = "manifest.json"
SCHEMA: Final = "vitro/ovn-backup/1"
NAME: Final = re.compile(r"\d{8}T\d{6}Z")
RECORD: Final = re.compile(rb"OVSDB JSON (\d+) ([0-9a-f]{40})\n")
LATEST: Final = "latest"


def check_file(content: bytes, database: str, where: str) -> dict[str, Any]:
    """Every record of a file has its length and sum; the first is the schema. What is told: version, rows by table."""
    at, number, schema = 0, 0, {}
    rows: dict[str, int] = {}
    while at < len(content):
        head = RECORD.match(content, at)
        if head is None:
            raise BackupRefused(f"{where} is damaged: record {number + 1} has no head")
        record = content[head.end() : head.end() + int(head[1])]
        if len(record) != int(head[1]):
            raise BackupRefused(f"{where} is cut off in record {number + 1}")
        if hashlib.sha1(record, usedforsecurity=False).hexdigest().encode() != head[2]:
            raise BackupRefused(f"{where} is damaged: record {number + 1} has another sum than its head says")
        said = json.loads(record)
        if number == 0:
            schema = said
        else:
            rows |= {table: rows.get(table, 0) + len(changes) for table, changes in said.items() if not table.startswith("_")}
        at, number = head.end() + int(head[1]), number + 1
    if schema.get("name") != database:
        raise BackupRefused(f"{where} is of {schema.get('name') or 'no database'}, and not of {database}")
    return {"version": schema["version"], "rows": dict(sorted(rows.items()))}


def manifest_of(site: str, at: str, host: str, files: Mapping[str, bytes], clusters: Mapping[str, str]) -> dict[str, Any]:
    parts = {}
    for kind, content in files.items():
        told = check_file(content, DATABASES[kind], f"the backup of {DATABASES[kind]}")
        parts[kind] = {
            "file": f"{kind}.db",
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
            "cluster": clusters[kind],
            **told,
        }
    return {"schema": SCHEMA, "site": site, "at": at, "host": host, "databases": parts}


def chosen(folder: Path, name: str) -> Path:
    """One by its name, or the latest."""
    there = sorted(one.name for one in folder.iterdir() if NAME.fullmatch(one.name)) if folder.is_dir() else []
    wanted = there[-1] if name == LATEST and there else name
    if wanted not in there:
        raise BackupRefused(
            f"There is no backup {name} in {folder}; there are {', '.join(there) or 'none'}", cure="Name one of them: -e backup=NAME"
        )
    return folder / wanted


def read_backup(path: Path, site: str, confirm: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the files of a backup that may be restored: whole, of this site, and wanted."""
    try:
        manifest = json.loads((path / MANIFEST).read_text())
        files = {kind: (path / one["file"]).read_bytes() for kind, one in manifest["databases"].items()}
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise BackupRefused(f"Cannot use the backup {path}: {exc}") from None
    mistakes = []
    if manifest.get("schema") != SCHEMA:
        mistakes.append(f"its manifest is {manifest.get('schema')}, and this version reads {SCHEMA}")
    if manifest.get("site") != site:
        mistakes.append(f"it is of the site {manifest.get('site')}, and this is {site}")
    for kind, one in manifest["databases"].items():
        if hashlib.sha256(files[kind]).hexdigest() != one["sha256"]:
            mistakes.append(f"{one['file']} has another sum than when it was made")
    if confirm != site:
        mistakes.append(f"it replaces all networks of {site} as they are now, and that was not confirmed (-e confirm={site})")
    if mistakes:
        raise BackupRefused(f"Cannot restore {path}: {'; '.join(mistakes)}", cure="Nothing was changed")
    for kind, content in files.items():
        check_file(content, DATABASES[kind], str(path / manifest["databases"][kind]["file"]))
    return manifest, files


def surplus(names: Iterable[str], kept: int) -> list[str]:
    """The oldest, beyond those that are kept."""
    there = sorted(one for one in names if NAME.fullmatch(one))
    return there[: max(0, len(there) - kept)]


def rotate(folder: Path, kept: int) -> list[str]:
    gone = surplus((one.name for one in folder.iterdir()), kept)
    for name in gone:
        shutil.rmtree(folder / name)
    return gone


def plan_restore(have: str, brought: str) -> None:
    """The server refuses what is of another schema; it is better said before anything is stopped."""
    if have.partition(".")[0] != brought.partition(".")[0]:
        raise BackupRefused(
            f"The backup has version {brought} of the schema, and the server {have}",
            cure="Restore with the packages of the time of the backup",
        )
