# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real OpenStack control plane on loopback, as plain processes; see README.md."""

from __future__ import annotations

from .folder import LabError
from .lab import Lab

__all__ = ["Lab", "LabError"]
