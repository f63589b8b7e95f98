# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups of RKE2 on the controller: a snapshot with all that is needed to use it."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, Literal

from ..backups import MANIFEST, BackupRefused, Kept, Shelf
from ..documents import Document
from ..errors import DocumentRefused, numbered
from ..records import record

SCHEMA: Final = "vitro/rke2-backup/1"
SEALED: Final = "rke2.sealed"
# Tokens stand before the snapshot.
BEGINNING: Final = 4 << 20


@record
class Backup:
    """`bytes` and `sha256` are those of the sealed file, `plain_*` of what it holds. `ca` is the hash of the CA, as tokens have it."""

    site: str
    kind: Literal["rke2"] = "rke2"
    at: str
    host: str
    version: str
    ca: str
    servers: tuple[str, ...]
    snapshot_bytes: int
    snapshot_sha256: str
    revision: int
    bytes: int
    sha256: str
    plain_bytes: int
    plain_sha256: str
    schema: Literal["vitro/rke2-backup/1"] = SCHEMA


DOCUMENT = Document("manifest of a backup", Backup, SCHEMA, cure="Name another backup; this one cannot be trusted")


@dataclass(frozen=True, slots=True)
class Source:
    """What a server brings: what it is of, and what the file must be when it is here."""

    site: str
    host: str
    version: str
    ca: str
    servers: tuple[str, ...]
    snapshot_bytes: int
    snapshot_sha256: str
    revision: int


def shelf(folder: Path) -> Shelf:
    return Shelf(folder, SEALED, "frontier.vitro.rke2_backup")


def store(
    stream: BinaryIO, source: Source, folder: Path, whole: tuple[int, str], secret: bytes, now: datetime | None = None
) -> tuple[Path, Backup]:
    """Seal what a server sends; `whole` are the bytes and the sum that it has there."""

    def manifest(kept: Kept) -> str:
        return DOCUMENT.checked_text(Backup(**asdict(source) | {"servers": source.servers}, **asdict(kept)))

    made = shelf(folder).keep(stream, (source.host, *whole), secret, manifest, now)
    return made, DOCUMENT.read(made / MANIFEST)


def read_manifest(backup: Path) -> Backup:
    return DOCUMENT.read(backup / MANIFEST)


def refuse(backup: Path, site: str, version: str, confirm: str, secrets: Sequence[bytes]) -> Backup:
    """The manifest of a backup that may be restored; else every reason why not, at once. The whole file is read and opened."""
    reasons = []
    if confirm != site:
        said = f", not confirm={confirm}" if confirm else ""
        reasons.append(f"a restore throws away what the cluster was told since; to want that, say -e confirm={site}{said}")
    try:
        manifest = read_manifest(backup)
    except DocumentRefused as exc:
        raise BackupRefused(f"Cannot restore {backup}: {numbered([*reasons, exc.text])}") from None
    if manifest.site != site:
        reasons.append(f"it is of the site {manifest.site}, and this is {site}")
    if minor(manifest.version) != minor(version):
        reasons.append(
            f"it was made at {manifest.version}, and {version} is wanted: a snapshot is restored at its own minor "
            f"(-e rke2_version={manifest.version})"
        )
    kept = Kept(manifest.at, manifest.bytes, manifest.sha256, manifest.plain_bytes, manifest.plain_sha256)
    if damage := shelf(backup.parent).damage(backup, kept, secrets):
        reasons.append(damage)
    if reasons:
        raise BackupRefused(f"Cannot restore {backup}: {numbered(reasons)}")
    return manifest


def minor(version: str) -> str:
    return ".".join(version.lstrip("v").split(".")[:2])


class _Beginning:
    """Keeps the beginning of what it is given."""

    def __init__(self) -> None:
        self.content = bytearray()

    def write(self, data: bytes) -> int:
        self.content += data[: max(0, BEGINNING - len(self.content))]
        return len(data)


def tokens_of(backup: Path, secrets: Sequence[bytes]) -> dict[str, str]:
    """The tokens that the snapshot needs, by the names that they have in the site's secrets."""
    begun = _Beginning()
    shelf(backup.parent).open_to(backup, begun, secrets)
    found = {}
    with tarfile.open(fileobj=io.BytesIO(bytes(begun.content)), mode="r|") as tar:
        for info in tar:
            if info.name not in ("token", "agent-token"):
                break
            content = tar.extractfile(info)
            found[info.name.replace("-", "_")] = secret_of(content.read().decode() if content else "")
    return found


def secret_of(token: str) -> str:
    """A whole token is K10, the hash of the CA, and the account with its password; the last is what was chosen."""
    return token.strip().rpartition("::")[2].rpartition(":")[2] if token.startswith("K10") else token.strip()
