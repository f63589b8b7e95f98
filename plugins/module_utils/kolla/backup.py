# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups of MariaDB on the controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, Literal

from ..backups import MANIFEST, BackupRefused, Kept, Shelf
from ..documents import Document
from ..errors import DocumentRefused, numbered
from ..records import record
from ..sealed import CHUNK

SCHEMA: Final = "vitro/backup/1"
SEALED: Final = "mariadb.sealed"


@record
class Backup:
    """`bytes` and `sha256` are those of the sealed file; `plain_bytes` what it holds, `data_bytes` what the database took on its host."""

    site: str
    kind: Literal["mariadb"] = "mariadb"
    at: str
    host: str
    release: str
    mariadb: str
    bytes: int
    sha256: str
    plain_bytes: int
    plain_sha256: str
    data_bytes: int
    schema: Literal["vitro/backup/1"] = SCHEMA


DOCUMENT = Document("manifest of a backup", Backup, SCHEMA, cure="Name another backup; this one cannot be trusted")


@dataclass(frozen=True, slots=True)
class Source:
    """What a host has to bring: where it comes from, and what it must be when it is here."""

    site: str
    host: str
    release: str
    mariadb: str
    bytes: int
    sha256: str
    data_bytes: int


def shelf(folder: Path) -> Shelf:
    return Shelf(folder, SEALED, "frontier.vitro.openstack_backup")


def store(stream: BinaryIO, source: Source, folder: Path, secret: bytes, now: datetime | None = None) -> Path:
    """Seal what a host sends. The folder appears under its name only when all of it is there and is what the host has."""

    def manifest(kept: Kept) -> str:
        told = Backup(
            site=source.site, at=kept.at, host=source.host, release=source.release, mariadb=source.mariadb, bytes=kept.bytes,
            sha256=kept.sha256, plain_bytes=kept.plain_bytes, plain_sha256=kept.plain_sha256, data_bytes=source.data_bytes,
        )  # fmt: skip
        return DOCUMENT.checked_text(told)

    return shelf(folder).keep(stream, (source.host, source.bytes, source.sha256), secret, manifest, now)


def read_manifest(folder: Path) -> Backup:
    return DOCUMENT.read(folder / MANIFEST)


def refuse(folder: Path, site: str, release: str, confirm: str, secrets: Sequence[bytes]) -> Backup:
    """The manifest of a backup that may be restored; else every reason why not, at once. The whole file is read and opened."""
    reasons = []
    if confirm != site:
        said = f", not confirm={confirm}" if confirm else ""
        reasons.append(f"a restore throws away what was written since; to want that, say -e confirm={site}{said}")
    try:
        manifest = read_manifest(folder)
    except DocumentRefused as exc:
        raise BackupRefused(f"Cannot restore {folder}: {numbered([*reasons, exc.text])}") from None
    if manifest.site != site:
        reasons.append(f"it is of the site {manifest.site}, and this is {site}")
    if manifest.release != release:
        reasons.append(f"it was made at release {manifest.release}, and the cloud is at {release}")
    kept = Kept(manifest.at, manifest.bytes, manifest.sha256, manifest.plain_bytes, manifest.plain_sha256)
    damage = shelf(folder.parent).damage(folder, kept, secrets)
    if reasons or damage:
        raise BackupRefused(f"Cannot restore {folder}: {numbered([*reasons, *([damage] if damage else [])])}")
    return manifest


def needed_bytes(manifest: Backup) -> int:
    """On the host that it is brought to: the file, the database unpacked and made ready, and the database in its place."""
    return manifest.plain_bytes + 2 * int(manifest.data_bytes * 1.1) + CHUNK
