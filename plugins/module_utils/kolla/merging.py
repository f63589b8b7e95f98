# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator's own files laid over ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import counted, numbered
from .inputs import SETTINGS, InputsRefused
from .tree import File, Tree

SECTION = re.compile(r"^\[(.+)\]\s*$")
SETTING = re.compile(r"^([^\s#;=:][^=:]*?)\s*[=:]")


def merged(ours: Tree, operator: Tree) -> dict[str, File]:
    """Settings of one file are merged, the operator's winning; any other file has one author."""
    both = [path for path in operator if path in ours and operator[path] != ours[path]]
    clashes = [path for path in both if not path.endswith(SETTINGS) or path.endswith("ceph.conf")]
    if clashes:
        said = [f"{path} is among your own files, and is made from what Ceph handed over" for path in clashes]
        cure = "Remove one of the two"
        raise InputsRefused(f"Cannot render Kolla's configuration, {counted(len(said), 'mistake')}: {numbered(said)}", cure=cure)
    return {**ours, **operator, **{path: File(merged_settings(ours[path].text, operator[path].text)) for path in both}}


def merged_settings(ours: str, theirs: str) -> str:
    """Theirs as they wrote it, then ours without what they set: two values of one key in one file would both count."""
    taken = set(_settings(theirs))
    kept, section = [], ""
    for line in ours.splitlines(keepends=True):
        section = found[1] if (found := SECTION.match(line)) else section
        setting = SETTING.match(line)
        if not setting or (section, setting[1]) not in taken:
            kept.append(line)
    # Theirs may begin without a section, and must not get into one of ours.
    return f"# The operator's own settings.\n{theirs.rstrip()}\n\n{''.join(kept)}"


def _settings(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in text.splitlines():
        section = found[1] if (found := SECTION.match(line)) else section
        if setting := SETTING.match(line):
            yield section, setting[1]
