# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the intent names servers, and who may have a role."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..records import record


@record
class Selector:
    """Servers that match all that is given. Each is a pattern as a shell has them, and case does not matter."""

    serial: str | None = None
    """The serial number, or the id in the hardware document."""
    name: str | None = None
    """The planned name."""
    rack: str | None = None
    """The rack."""
    model: str | None = None
    """The model."""
    site: str | None = None
    """The site, where the hardware document tells one."""


@record
class RoleRule:
    """Who has a role."""

    count: Annotated[int, Field(ge=0)] | None = None
    """How many servers."""
    only: tuple[Selector, ...] = ()
    """Which servers may have it. Without it: all."""
    pin: tuple[Selector, ...] = ()
    """Which servers must have it."""
    never: tuple[Selector, ...] = ()
    """Which servers must not have it."""


@record
class Roles:
    """Rules for the roles."""

    control: RoleRule = RoleRule()
    """APIs, databases, queues, OVN's databases. 3 servers unless count says otherwise."""
    network: RoleRule = RoleRule()
    """Load balancers and gateways. Without a rule: with control."""
    compute: RoleRule = RoleRule()
    """Guests. Without a rule: as the layout says."""
    storage: RoleRule = RoleRule()
    """OSDs. Without a rule: as the layout says."""
    monitoring: RoleRule = RoleRule()
    """Prometheus, Grafana, logs. Without a rule: with control."""
    spare: RoleRule = RoleRule()
    """Kept out of use, ready to replace another. Without a rule: none."""
