# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests of large files, kept as long as a file is the same by size, time and inode, so that no run reads gigabytes again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Final

CHUNK: Final = 1 << 20


class Digests:
    """`kept` is the file in which they are remembered; one that cannot be used costs time and nothing else."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._known: dict[str, list[str]] = {}
        self._new = False
        with contextlib.suppress(OSError, ValueError):
            told = json.loads(kept.read_text())
            self._known = told if isinstance(told, dict) else {}

    def of(self, path: Path) -> str:
        seen = path.stat()
        mark = f"{seen.st_size} {seen.st_mtime_ns} {seen.st_ino}"
        known = self._known.get(str(path))
        if not known or known[0] != mark:
            known = [mark, digest_of(path)]
            self._known[str(path)], self._new = known, True
        return known[1]

    def save(self) -> None:
        """Whole or not at all; a folder that cannot be written is none of our business."""
        if not self._new:
            return
        there = {path: value for path, value in self._known.items() if os.path.exists(path)}  # noqa: PTH110 - a string
        with contextlib.suppress(OSError):
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            partial = self._kept.with_name(f"{self._kept.name}.{os.getpid()}")
            partial.write_text(json.dumps(there))
            partial.replace(self._kept)


def digest_of(path: Path) -> str:
    made = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            made.update(chunk)
    return made.hexdigest()
