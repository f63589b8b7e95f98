# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings the files of a node to what they are to be, and says what that changes without its secrets."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..errors import VitroError
from .marks import fill

# Which files the role has written, so that one that is no longer wanted goes.
KEPT_NAME: Final = "files.json"
KEPT: Final = Path("/var/lib/vitro/rke2") / KEPT_NAME


class FileUnwritable(VitroError):
    code = "rke2_file"
    cure = "Make room, or correct the rights there; the old file is whole. Then run again"


@dataclass(slots=True)
class Written:
    """`then` is what the changes need; `before` and `after` are a diff that shows no secret."""

    changed: list[str] = field(default_factory=list)
    then: set[str] = field(default_factory=set)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def note(self, path: str, before: str, after: str, then: str) -> None:
        self.changed.append(path)
        self.then |= {then} - {""}
        self.before.append(before)
        self.after.append(after)


def ensure_files(files: Sequence[Mapping[str, Any]], secrets: Mapping[str, str], *, check_mode: bool, kept: Path = KEPT) -> Written:
    """Files with all of their secrets only: what has a mark without a secret is left for later."""
    written = Written()
    for one in files:
        content, whole = fill(one["content"], secrets)
        if whole:
            _ensure(one, content, secrets, written, check_mode=check_mode)
    wanted = {one["path"]: one["then"] for one in files}
    before = _before(kept)
    for path, then in before.items():
        if path not in wanted and Path(path).exists():
            written.note(path, f"{path}: was there\n", f"{path}: is gone\n", then)
            if not check_mode:
                _remove(Path(path), [one for one, other in wanted.items() if then and other == then])
    if not check_mode and before != wanted:
        _write(kept, json.dumps(wanted), 0o600)
    return written


def _ensure(one: Mapping[str, Any], content: str, secrets: Mapping[str, str], written: Written, *, check_mode: bool) -> None:
    path = Path(one["path"])
    there = _read(path)
    if there is not None and one.get("once"):
        return
    mode = path.stat().st_mode & 0o777 if there is not None else None
    if there == content and mode == one["mode"]:
        return
    secret = content != one["content"]
    before = _shown(path, there, mode, secrets, one["content"], secret=secret)
    after = _shown(path, content, one["mode"], secrets, one["content"], secret=secret)
    if before == after:
        after += "  (its secrets change)\n"
    written.note(str(path), before, after, one["then"])
    if check_mode:
        return
    if there == content:
        path.chmod(one["mode"])
    else:
        _write(path, content, one["mode"])


def _shown(path: Path, content: str | None, mode: int | None, secrets: Mapping[str, str], marked: str, *, secret: bool) -> str:
    """What may be shown of it. An old file could have any secret, so of one that has secrets only lines are shown that are in the new
    one, with marks."""
    if content is None:
        return f"{path}: is not there\n"
    lines = content.splitlines()
    if secret:
        known = set(marked.splitlines())
        for mark, value in secrets.items():
            lines = [line.replace(value, mark) if value else line for line in lines]
        lines = [line if line in known else f"{line.partition(':')[0]}: (not shown)" if ":" in line else "(not shown)" for line in lines]
    return f"{path} ({mode or 0:04o})\n" + "".join(f"  {line}\n" for line in lines)


def _read(path: Path) -> str | None:
    try:
        return path.read_text()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as exc:
        raise FileUnwritable(f"Cannot read {path}: {exc}") from None


def _before(kept: Path) -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        told = json.loads(kept.read_text())
        return told if isinstance(told, dict) else {}
    return {}


def _remove(path: Path, others: list[str]) -> None:
    """A file that is gone has no time by which a later run could tell that a restart is due, so another of its kind takes it over."""
    for other in others[:1]:
        with contextlib.suppress(FileNotFoundError):
            os.utime(other)
    path.unlink()


def _write(path: Path, content: str, mode: int) -> None:
    """In one step, and never with more rights than it is to have."""
    made = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        made = Path(name)
        with os.fdopen(handle, "w") as file:
            file.write(content)
            os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    except OSError as exc:
        raise FileUnwritable(f"Cannot write {path}: {exc.strerror}") from None
    finally:
        if made:
            made.unlink(missing_ok=True)
