# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A planned server as a host of an inventory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ABSENT = "absent"


def groups_of(server: Mapping[str, Any]) -> list[str]:
    """Its roles and its rack; an absent server is in no group that a playbook works on."""
    if server["state"] == ABSENT:
        return [ABSENT]
    rack = server["location"]["rack"]
    return [*server["roles"], *([f"rack_{re.sub(r'[^A-Za-z0-9]', '_', rack)}"] if rack else [])]


def management_address(server: Mapping[str, Any]) -> str | None:
    """Where the host is reached, without the length of the prefix."""
    addresses = [one for interface in server["interfaces"] for one in interface["addresses"]]
    return next((str(one["cidr"]).partition("/")[0] for one in addresses if one["network"] == "management"), None)
