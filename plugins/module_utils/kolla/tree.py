# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kolla's configuration directory as values: what it shall hold, what it holds, and the smallest change between the two."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..documents import write_whole
from ..errors import VitroError

VAULT_HEADER = b"$ANSIBLE_VAULT;"


class SecretLocked(VitroError):
    code = "kolla_secret_locked"
    cure = "Give the vault password with which it was encrypted: --vault-password-file, or ANSIBLE_VAULT_PASSWORD_FILE"


class NoVaultPassword(VitroError):
    code = "vault_password_missing"
    cure = (
        "Secrets are kept encrypted only. Give a vault password: --vault-password-file FILE, --ask-vault-pass, or "
        "ANSIBLE_VAULT_PASSWORD_FILE in the environment"
    )


class Safe(Protocol):
    """What encrypts secrets at rest."""

    def lock(self, text: str) -> bytes: ...

    def unlock(self, content: bytes, path: Path) -> str: ...


@dataclass(frozen=True, slots=True)
class File:
    """`secret` files are encrypted at rest and never shown."""

    text: str
    secret: bool = False


Tree = Mapping[str, File]
"""Files by their path within the directory, with slashes."""


@dataclass(frozen=True, slots=True)
class Change:
    """`before` and `after` are None where there is no file; secrets show neither."""

    path: str
    before: File | None
    after: File | None

    @property
    def diff(self) -> dict[str, str]:
        secret = any(file and file.secret for file in (self.before, self.after))
        shown = [("(secret)\n" if secret else file.text) if file else "" for file in (self.before, self.after)]
        if secret and self.before and self.after:
            shown = ["(secret)\n", "(secret, changed)\n"]
        return {"before_header": self.path, "after_header": self.path, "before": shown[0], "after": shown[1]}


def read_tree(folder: Path, safe: Safe) -> dict[str, File]:
    """All files of the directory, secrets in the clear."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): read_file(path, safe) for path in files}


def read_file(path: Path, safe: Safe) -> File:
    content = path.read_bytes()
    if content.startswith(VAULT_HEADER):
        return File(safe.unlock(content, path), secret=True)
    return File(content.decode(errors="surrogateescape"))


def plan_tree(before: Tree, after: Tree) -> list[Change]:
    """What must change, files that nobody wants any more included: Kolla merges whatever override it finds."""
    paths = sorted({*before, *after})
    return [Change(path, before.get(path), after.get(path)) for path in paths if before.get(path) != after.get(path)]


def write_changes(changes: list[Change], folder: Path, safe: Safe) -> None:
    """Write each file in one step, remove those that go, and the folders that they leave empty; nothing, if one cannot be encrypted."""
    contents = [_content(change.after, safe) for change in changes]
    for change, content in zip(changes, contents, strict=True):
        path = folder / change.path
        if change.after is None or content is None:
            path.unlink(missing_ok=True)
            _remove_empty(path.parent, folder)
        else:
            write_whole(content, path, "file of Kolla's configuration")
            path.chmod(0o600 if change.after.secret else 0o644)


def _content(file: File | None, safe: Safe) -> bytes | None:
    if file is None:
        return None
    return safe.lock(file.text) if file.secret else file.text.encode(errors="surrogateescape")


def lock_what_leaks(folder: Path, safe: Safe, redact: Callable[[str], str]) -> list[str]:
    """Encrypt every file of the folder that has a secret in the clear, such as the clouds.yaml that Kolla writes; which they are."""
    locked = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        content = path.read_bytes()
        text = content.decode(errors="surrogateescape")
        if not content.startswith(VAULT_HEADER) and redact(text) != text:
            write_whole(safe.lock(text), path, "file of Kolla's configuration")
            path.chmod(0o600)
            locked.append(path.relative_to(folder).as_posix())
    return locked


def nearest(name: str, known: list[str]) -> str | None:
    """The known name that somebody may have meant."""
    return next(iter(difflib.get_close_matches(name, known, 1, cutoff=0.75)), None)


def _remove_empty(folder: Path, top: Path) -> None:
    while folder != top and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
