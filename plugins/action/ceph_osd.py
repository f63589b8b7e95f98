# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module ceph_osd, and again while data is given away; shows how far it is."""

from __future__ import annotations

from ..plugin_utils.again import Again


class ActionModule(Again):
    _tells_begun = True
