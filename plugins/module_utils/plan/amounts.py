# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the planner says amounts and lists, and how one fault of many servers becomes one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .objections import Found

GB, TB, GIB = 10**9, 10**12, 1024**3
NAMED = 5


def size(amount: int) -> str:
    """Disk space as it stands on the disk: decimal."""
    if amount >= TB:
        return f"{amount / TB:.2f}".rstrip("0").rstrip(".") + " TB"
    return f"{amount // GB} GB"


def gib(amount: int) -> str:
    """Memory, in the unit that it is bought in."""
    return f"{amount / GIB:.1f}".removesuffix(".0") + " GiB"


def listed(names: Sequence[str]) -> str:
    """The first five by name, and how many more there are."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def merged(found: Iterable[Found]) -> list[Found]:
    """Findings that differ only in their server as one, in the order in which the first of each came."""
    groups: dict[tuple[str, str, str, str | None], list[Found]] = {}
    for one in found:
        said = one.objection
        groups.setdefault((said.code, said.text, said.cure, said.path), []).append(one)
    return [same[0] if len(same) == 1 else _together(same) for same in groups.values()]


def _together(same: Sequence[Found]) -> Found:
    first = same[0]
    subjects = sorted({one.objection.subject for one in same})
    said = first.objection
    return first.kind.of(listed(subjects), said.text, cure=said.cure, path=said.path)
