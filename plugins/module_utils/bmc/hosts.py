# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names for servers in an inventory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import NamesClash


def host_name(identity: str) -> str:
    """A record's id as a host name."""
    return re.sub("[^a-z0-9.-]+", "-", identity.lower()).strip("-.")


def check_names(named: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Refuse two servers with one name, and say which."""
    servers: dict[str, list[str]] = {}
    for name, server in named:
        servers.setdefault(name, []).append(f"{server['id']} behind {server['bmc']['address']}")
    twice = [f"`{name}` for {' and '.join(who)}" for name, who in servers.items() if len(who) > 1 or not name]
    if twice:
        raise NamesClash(f"Cannot name the servers: {'; '.join(twice)}")
