# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers in version strings."""

from __future__ import annotations

import re

NUMBERS = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?")
RKE2 = re.compile(r"v1\.(\d+)\.(\d+)\+rke2r(\d+)")


def rke2_of(version: str) -> tuple[int, int, int] | None:
    """Minor, patch and RKE2's own number; None if it is no release."""
    found = RKE2.fullmatch(version)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def numbers_of(version: str) -> tuple[int, int, int] | None:
    found = NUMBERS.fullmatch(version)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None
