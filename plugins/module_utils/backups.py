# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups of a site on the controller: one folder each, with a sealed file and a manifest, whole or not there."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from .errors import VitroError
from .sealed import CHUNK, MAGIC, SealBroken, seal, unseal

MANIFEST: Final = "manifest.json"
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


@dataclass(frozen=True, slots=True)
class Kept:
    """What a manifest tells of its file: `bytes` and `sha256` are those of the sealed file, `plain_*` of what it holds."""

    at: str
    bytes: int
    sha256: str
    plain_bytes: int
    plain_sha256: str


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


class _Nothing:
    def write(self, data: bytes) -> int:
        return len(data)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The backups of one kind: their folder, the name of the sealed file in each, and the playbook that makes them."""

    folder: Path
    sealed: str
    playbook: str

    def keep(
        self, stream: BinaryIO, whole: tuple[str, int, str], secret: bytes, manifest: Callable[[Kept], str], now: datetime | None = None
    ) -> Path:
        """Seal what a host sends. It appears under its name only when all of it is there and is `whole`: of which host, bytes and sum."""
        host, size, total = whole
        at = now or datetime.now(UTC)
        final = self.folder / at.strftime(STAMP)
        made = self.folder / f"{PARTS}{final.name}"
        try:
            self._clear()
            made.mkdir(parents=True, mode=0o700)
            self.folder.chmod(0o700)
            with _created(made / self.sealed) as file:
                plain, sealed = _Hashed(stream), _Hashed(file)
                seal(plain, sealed, secret)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            if (plain.bytes, plain.sha256) != (size, total):
                raise BackupFailed(
                    f"The backup of {host} did not arrive whole: {plain.bytes} of {size} bytes, or others than it has",
                    cure="Nothing was kept of it. Look at the connection to the host and at its disk, and make the backup again",
                )
            kept = Kept(at.strftime("%Y-%m-%dT%H:%M:%SZ"), sealed.bytes, sealed.sha256, plain.bytes, plain.sha256)
            with _created(made / MANIFEST) as file:
                file.write(manifest(kept).encode())
                file.flush()
                os.fsync(file.fileno())
            made.rename(final)
        except OSError as exc:
            raise BackupFailed(
                f"Cannot keep the backup in {self.folder}: {exc.strerror}", cure="Make room or correct the rights there"
            ) from exc
        finally:
            shutil.rmtree(made, ignore_errors=True)
        return final

    def _clear(self) -> None:
        """What a run left that was cut off."""
        for one in self.folder.glob(f"{PARTS}*"):
            shutil.rmtree(one, ignore_errors=True)

    @property
    def all(self) -> list[Path]:
        """Those that have all their parts, the oldest first; whether their contents are whole is not asked here."""
        found = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(one for one in found if not one.name.startswith(".") and (one / MANIFEST).is_file() and (one / self.sealed).is_file())

    def chosen(self, wanted: str) -> Path:
        """The backup of that name or path; the newest for `latest`."""
        known = self.all
        if wanted == "latest":
            if not known:
                raise BackupRefused(f"There is no backup in {self.folder}", cure=f"Make one with {self.playbook}")
            return known[-1]
        for place in (self.folder / wanted, Path(wanted)):
            if place.is_dir():
                return place
        names = ", ".join(one.name for one in known) or "none"
        raise BackupRefused(f"There is no backup {wanted} in {self.folder}; there are: {names}")

    def rotate(self, kept: int, good: Path) -> list[str]:
        """Remove the oldest beyond those to keep, and say which."""
        removed = plan_removal(self.all, kept, good)
        for one in removed:
            shutil.rmtree(one)
        return [one.name for one in removed]

    def damage(self, backup: Path, kept: Kept, secrets: Sequence[bytes]) -> str:
        """What is wrong with the sealed file of a backup; empty if all of it can be opened and is what its manifest says."""
        path = backup / self.sealed
        try:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != kept.sha256:
                    return f"{path.name} is damaged: it has {path.stat().st_size} bytes of {kept.bytes}, or others than its manifest says"
            held = _Hashed(_Nothing())  # type: ignore[arg-type]
            self.open_to(backup, held, secrets)
        except OSError as exc:
            return f"{path} cannot be read: {exc.strerror}"
        except SealBroken as exc:
            return f"{exc.text[0].lower()}{exc.text[1:]}"
        return "" if held.sha256 == kept.plain_sha256 else f"{path.name} holds something else than its manifest says"

    def open_to(self, backup: Path, target: Any, secrets: Sequence[bytes]) -> None:
        """Unseal a backup into what has `write`, with the secret that fits. A wrong one fails before anything is written."""
        for number, secret in enumerate(secrets, 1):
            with (backup / self.sealed).open("rb") as file:
                try:
                    return unseal(file, target, secret)
                except SealBroken:
                    if number == len(secrets) or file.tell() > 2 * CHUNK + len(MAGIC) + 64:
                        raise
        raise SealBroken("A sealed file does not open: this run has no vault password")


def plan_removal(backups: Sequence[Path], kept: int, good: Path) -> list[Path]:
    """The oldest beyond those to keep; never the one that was just seen to be good."""
    return [one for one in backups[: max(0, len(backups) - max(1, kept))] if one != good]


def _created(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
