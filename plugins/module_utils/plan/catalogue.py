# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of objection there is, gathered from the stages that declare them."""

from __future__ import annotations

import sys

from . import planner
from .objections import Kind


def kinds() -> dict[str, Kind]:
    """By code, in the order of the codes. The planner imports every stage, so all of them are loaded."""
    package = planner.__name__.rpartition(".")[0]
    found = [
        value
        for name, module in sorted(sys.modules.items())
        if name.startswith(f"{package}.")
        for value in vars(module).values()
        if isinstance(value, Kind)
    ]
    return {kind.code: kind for kind in sorted(found, key=lambda kind: kind.code)}
