# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the planner says amounts and lists, and how one fault of many servers becomes one sentence."""

from __future__ import annotations

from collections.abc import Sequence

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
