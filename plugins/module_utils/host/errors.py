# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong on a host."""

from __future__ import annotations

from ..errors import VitroError


class HostRefused(VitroError):
    """Nothing was written."""

    code = "host_refused"


class NetworkRolledBack(VitroError):
    code = "network_rolled_back"
    cure = "Correct the plan or the switch and run frontier.vitro.hosts again"


class NetworkNotApplied(VitroError):
    code = "network_not_applied"


class HostCommandFailed(VitroError):
    code = "host_command"
