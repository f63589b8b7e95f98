# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""No test fails for being slow: machines are busy now and then."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("vitro", deadline=None)
settings.load_profile("vitro")
