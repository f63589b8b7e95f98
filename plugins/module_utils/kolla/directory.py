# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The directory that is rendered: whose it is, and what in it is ours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..errors import VitroError
from .needs import PATH as NEEDS
from .needs import is_ours
from .passwords import PATH as PASSWORDS
from .tree import Change, File, Safe, read_file, read_tree

# Everything that Kolla reads is ours to the last file. What Kolla itself writes beside them (clouds.yaml, openrc files) is not.
FOLDERS: Final = ("certificates", "config", "globals.d", "inventory")
FILES: Final = ("globals.yml", NEEDS, PASSWORDS)
# More files than this of one folder are counted, not listed.
MANY: Final = 3


class ForeignDirectory(VitroError):
    code = "kolla_foreign_directory"
    cure = "Files there that are not rendered would be removed. Point kolla_topology_dest at a folder that is empty or not there yet"


def read_directory(dest: Path, safe: Safe) -> dict[str, File]:
    """What of ours is there, secrets in the clear; refused if somebody else wrote it."""
    if dest.exists() and not dest.is_dir():
        raise ForeignDirectory(f"Cannot render to {dest}: it is no folder")
    mark = dest / NEEDS
    if dest.is_dir() and any(dest.iterdir()) and not (mark.is_file() and is_ours(mark.read_text(errors="replace"))):
        raise ForeignDirectory(f"Cannot render to {dest}: there are files in it that frontier.vitro.render did not write")
    found = {name: read_file(dest / name, safe) for name in FILES if (dest / name).is_file()}
    return found | {f"{folder}/{path}": file for folder in FOLDERS for path, file in read_tree(dest / folder, safe).items()}


def mark_first(changes: list[Change]) -> list[Change]:
    """So that a directory is known as ours even if writing it was interrupted."""
    return sorted(changes, key=lambda change: change.path != NEEDS)


def sentences(changes: list[Change]) -> Iterator[str]:
    """What changes; many files of one kind in one sentence."""
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in changes:
        secret = " (secret)" if any(file and file.secret for file in (one.before, one.after)) else ""
        what = "new" if one.before is None else "changed" if one.after else "removed, for nothing of the site asks for it"
        kinds["/".join(one.path.split("/")[:-1][:2]), what].append(f"{one.path}{secret}")
    for (folder, what), paths in kinds.items():
        if len(paths) > MANY and folder:
            yield f"{folder}/: {len(paths)} files {what}"
        else:
            yield from (f"{path}: {what}" for path in paths)
