# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hardware document on disk."""

from __future__ import annotations

from ..documents import Document
from .hardware import SCHEMA, Hardware

DOCUMENT = Document(
    "hardware document", Hardware, SCHEMA, cure="Correct it, or move it away and run frontier.vitro.discover to write it anew"
)
