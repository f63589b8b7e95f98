# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups of a site on the controller: one folder each, with a sealed file and a manifest, whole or not there."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from ..documents import Document
from ..errors import DocumentRefused, VitroError, numbered
from ..records import record
from ..sealed import CHUNK, MAGIC, SealBroken, seal, unseal

SCHEMA: Final = "vitro/backup/1"
MANIFEST: Final = "manifest.json"
SEALED: Final = "mariadb.sealed"
STAMP: Final = "%Y%m%dT%H%M%SZ"
PARTS: Final = ".making-"


class BackupRefused(VitroError):
    code = "backup_refused"
    cure = "Nothing was stopped or changed. Name another backup, or correct what is said and try again"


class BackupFailed(VitroError):
    code = "backup_failed"


class StreamBroken(VitroError):
    code = "stream_broken"
    cure = "Look at the connection to the host, and try again"


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


class _Hashed:
    """Passes on what it is given, and counts and sums it up."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._sum, self.bytes = file, hashlib.sha256(), 0

    def write(self, data: bytes) -> int:
        self._sum.update(data)
        self.bytes += len(data)
        return self._file.write(data)

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._sum.update(data)
        self.bytes += len(data)
        return data

    @property
    def sha256(self) -> str:
        return self._sum.hexdigest()


def store(stream: BinaryIO, source: Source, folder: Path, secret: bytes, now: datetime | None = None) -> Path:
    """Seal what a host sends. The folder appears under its name only when all of it is there and is what the host has."""
    at = now or datetime.now(UTC)
    final = folder / at.strftime(STAMP)
    made = folder / f"{PARTS}{final.name}"
    try:
        _cleared(folder)
        made.mkdir(parents=True, mode=0o700)
        folder.chmod(0o700)
        with _created(made / SEALED) as file:
            plain, sealed = _Hashed(stream), _Hashed(file)
            seal(plain, sealed, secret)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        if (plain.bytes, plain.sha256) != (source.bytes, source.sha256):
            raise BackupFailed(
                f"The backup of {source.host} did not arrive whole: {plain.bytes} of {source.bytes} bytes, or others than it has",
                cure="Nothing was kept of it. Look at the connection to the host and at its disk, and make the backup again",
            )
        manifest = Backup(
            site=source.site, at=at.strftime("%Y-%m-%dT%H:%M:%SZ"), host=source.host, release=source.release, mariadb=source.mariadb,
            bytes=sealed.bytes, sha256=sealed.sha256, plain_bytes=plain.bytes, plain_sha256=plain.sha256, data_bytes=source.data_bytes,
        )  # fmt: skip
        DOCUMENT.write(manifest, made / MANIFEST)
        (made / MANIFEST).chmod(0o600)
        made.rename(final)
    except OSError as exc:
        raise BackupFailed(f"Cannot keep the backup in {folder}: {exc.strerror}", cure="Make room or correct the rights there") from exc
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return final


def _created(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _cleared(folder: Path) -> None:
    """What a run left that was cut off."""
    for one in folder.glob(f"{PARTS}*"):
        shutil.rmtree(one, ignore_errors=True)


def backups_in(folder: Path) -> list[Path]:
    """Those that have all their parts, the oldest first; whether their contents are whole is not asked here."""
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(one for one in found if not one.name.startswith(".") and (one / MANIFEST).is_file() and (one / SEALED).is_file())


def plan_removal(backups: Sequence[Path], kept: int, good: Path) -> list[Path]:
    """The oldest beyond those to keep; never the one that was just seen to be good."""
    return [one for one in backups[: max(0, len(backups) - max(1, kept))] if one != good]


def chosen(folder: Path, wanted: str) -> Path:
    """The backup of that name or path; the newest for `latest`."""
    known = backups_in(folder)
    if wanted == "latest":
        if not known:
            raise BackupRefused(f"There is no backup in {folder}", cure="Make one with frontier.vitro.openstack_backup")
        return known[-1]
    for place in (folder / wanted, Path(wanted)):
        if place.is_dir():
            return place
    names = ", ".join(one.name for one in known) or "none"
    raise BackupRefused(f"There is no backup {wanted} in {folder}; there are: {names}")


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
    damage = _damage(folder / SEALED, manifest, secrets)
    if reasons or damage:
        raise BackupRefused(f"Cannot restore {folder}: {numbered([*reasons, *([damage] if damage else [])])}")
    return manifest


def _damage(path: Path, manifest: Backup, secrets: Sequence[bytes]) -> str:
    """What is wrong with the file; empty if it can be restored."""
    try:
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != manifest.sha256:
                return f"{path.name} is damaged: it has {path.stat().st_size} bytes of {manifest.bytes}, or others than its manifest says"
        held = _Hashed(_Nothing())  # type: ignore[arg-type]
        open_to(path.parent, held, secrets)
    except OSError as exc:
        return f"{path} cannot be read: {exc.strerror}"
    except SealBroken as exc:
        return f"{exc.text[0].lower()}{exc.text[1:]}"
    return "" if held.sha256 == manifest.plain_sha256 else f"{path.name} holds something else than its manifest says"


class _Nothing:
    def write(self, data: bytes) -> int:
        return len(data)


def open_to(folder: Path, target: Any, secrets: Sequence[bytes]) -> None:
    """Unseal a backup into what has `write`, with the secret that fits. A wrong one fails before anything is written."""
    for number, secret in enumerate(secrets, 1):
        with (folder / SEALED).open("rb") as file:
            try:
                return unseal(file, target, secret)
            except SealBroken:
                if number == len(secrets) or file.tell() > 2 * CHUNK + len(MAGIC) + 64:
                    raise
    raise SealBroken("A sealed file does not open: this run has no vault password")


def needed_bytes(manifest: Backup) -> int:
    """On the host that it is brought to: the file, the database unpacked and made ready, and the database in its place."""
    return manifest.plain_bytes + 2 * int(manifest.data_bytes * 1.1) + CHUNK
