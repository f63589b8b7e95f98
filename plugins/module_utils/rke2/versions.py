# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""RKE2's versions, and which step from one to another is allowed. The plan judges its own versions by the same facts."""

from __future__ import annotations

import re
from typing import Final

RELEASE = re.compile(r"v1\.(\d+)\.(\d+)\+rke2r(\d+)")
Version = tuple[int, int, int]

# Lines whose keys and archives this role knows.
LINES: Final = (33, 34, 35, 36)
# etcd 3.5 to 3.6 is safe from etcd 3.5.26 on only (rancher/rke2#9580, k3s-io/k3s#13485), which v1.33.7+rke2r3 has.
ETCD_DOOR: Final = (33, 7, 3)
ETCD_36: Final = (33, 11, 0)


def version_of(text: str) -> Version | None:
    """Minor, patch and RKE2's own number; None if it is no release."""
    found = RELEASE.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def step(before: str, after: str) -> str:
    """`same`, `up`, `back`, `skipped` or `door`; `unknown` where one of both is no release."""
    old, new = version_of(before), version_of(after)
    if old is None or new is None:
        return "unknown"
    if old == new:
        return "same"
    if new < old:
        return "back"
    if new[0] > old[0] + 1:
        return "skipped"
    # From 1.32 every etcd of 1.33 before the door is as old, so only what jumps over the door is refused.
    return "door" if old < ETCD_DOOR and new >= ETCD_36 else "up"


def image_tag(version: str) -> str:
    return version.replace("+", "-")
