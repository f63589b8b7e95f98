# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan on disk."""

from __future__ import annotations

from ..documents import Document
from .types import SCHEMA, Plan

DOCUMENT = Document(
    "site plan",
    Plan,
    SCHEMA,
    cure="Bring it back from your backup or from Git: it holds the names and addresses that were given. "
    "Only if nothing is deployed yet, move it away and run frontier.vitro.plan to write it anew",
)
