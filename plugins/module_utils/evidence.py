# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Evidence: what a stage asked the running system, and what it saw. One document per stage."""

from __future__ import annotations

from typing import Final, Literal

from .documents import Document
from .records import record

SCHEMA: Final = "vitro/evidence/1"


@record
class Evidence:
    """One check. `target` is whom it asked about; `time` is UTC."""

    stage: str
    check: str
    target: str
    wanted: str
    seen: str
    ok: bool
    time: str


@record
class EvidenceDocument:
    checks: tuple[Evidence, ...]
    schema: Literal["vitro/evidence/1"] = SCHEMA


DOCUMENT = Document("evidence", EvidenceDocument, SCHEMA, cure="Remove it and verify the stage again; it is written anew")
