# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of objections. Each stage of the planner declares its own beside the check that raises it; catalogue.py gathers them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from ..records import record
from .amounts import listed
from .types import Objection

Severity = Literal["error", "warning"]


@record
class Kind:
    """What is always true of an objection: why it matters and, unless the case knows better, what cures it.

    The lowest `rank` comes first. It is not told where one of the codes in `follows` is: it would only say the same again.
    """

    code: str
    title: str
    why: str
    cure: str
    severity: Severity = "error"
    rank: int = 50
    follows: tuple[str, ...] = ()

    def of(self, subject: str, text: str, *, cure: str | None = None, path: str | None = None) -> Found:
        objection = Objection(code=self.code, subject=subject, text=text, why=self.why, cure=cure or self.cure, path=path)
        return Found(kind=self, objection=objection)


@record
class Found:
    """An objection together with its kind, which tells how bad it is."""

    kind: Kind
    objection: Objection


def sorted_out(found: Iterable[Found]) -> tuple[tuple[Objection, ...], tuple[Objection, ...]]:
    """Objections and warnings, the worst first. The same words about several subjects are one objection about all of them."""
    groups: dict[tuple[str, ...], list[Found]] = {}
    told = list(found)
    codes = {one.kind.code for one in told}
    for one in (one for one in told if not codes & set(one.kind.follows)):
        groups.setdefault((one.objection.code, one.objection.text, one.objection.cure, one.objection.path or ""), []).append(one)
    ordered = sorted(groups.values(), key=lambda group: (group[0].kind.rank, group[0].kind.code, group[0].objection.subject))
    sides: dict[Severity, list[Objection]] = {"error": [], "warning": []}
    for group in ordered:
        subjects = sorted({one.objection.subject for one in group})
        sides[group[0].kind.severity].append(replace(group[0].objection, subject=listed(subjects)))
    return tuple(sides["error"]), tuple(sides["warning"])
