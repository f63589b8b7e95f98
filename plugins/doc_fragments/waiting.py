# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of everything that waits as long as something moves."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  pause:
    description: How many seconds lie between two questions while it waits.
    type: int
    default: 15
  patience:
    description: For how many seconds nothing may move.
    type: int
    default: 1800
"""
