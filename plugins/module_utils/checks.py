# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks on the way to becoming evidence. Standard library only: hosts ask themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone


@dataclass(frozen=True, slots=True)
class Check:
    """One question to the running system: what the plan wants, what was seen, and whether that is good."""

    check: str
    target: str
    wanted: str
    seen: str
    ok: bool


def evidence(checks: Iterable[Check], stage: str) -> list[dict[str, object]]:
    """The checks as records of evidence, all of now."""
    # Python 3.10, which some hosts have, knows no datetime.UTC.
    shared = {"stage": stage, "time": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}  # noqa: UP017
    return [{**asdict(one), **shared} for one in checks]


def wrong(checks: Iterable[Check]) -> list[str]:
    return [f"{one.target}: {one.check}: {one.seen}, wanted {one.wanted}" for one in checks if not one.ok]
