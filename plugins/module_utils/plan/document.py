# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan on disk."""

from __future__ import annotations

from pathlib import Path

from ..documents import Document
from ..errors import VitroError, counted
from .types import SCHEMA, Plan

DOCUMENT = Document(
    "site plan",
    Plan,
    SCHEMA,
    cure="Bring it back from your backup or from Git: it holds the names and addresses that were given. "
    "Only if nothing is deployed yet, move it away and run frontier.vitro.plan to write it anew",
)


class PlanRefused(VitroError):
    code = "plan_refused"
    cure = "Cure what it objects to and run frontier.vitro.plan again"


def read_plan(path: Path) -> Plan:
    """A plan to work by. One with objections is only for reading."""
    plan = DOCUMENT.read(path)
    if not plan.applicable:
        raise PlanRefused(f"Cannot use the site plan {path}: it has {counted(len(plan.objections), 'objection')} and is not applicable")
    return plan
