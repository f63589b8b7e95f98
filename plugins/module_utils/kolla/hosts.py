# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The servers of the plan as Kolla sees them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ..plan.servers import NetworkName, PlannedServer, Role
from ..plan.types import Plan

# Kolla's host groups, which are called as the roles of the plan are.
GROUPS: Final[tuple[Role, ...]] = ("control", "network", "compute", "storage", "monitoring")


def kolla_servers(plan: Plan) -> list[PlannedServer]:
    """Those that Kolla works on: present, and with one of its roles."""
    return [one for one in plan.servers if one.state == "present" and set(GROUPS) & set(one.roles)]


def members(plan: Plan, role: Role) -> list[str]:
    return [one.name for one in kolla_servers(plan) if role in one.roles]


def named(plan: Plan, names: Collection[str]) -> list[PlannedServer]:
    """Those of some servers that are there, in the order of the plan."""
    return [one for one in plan.servers if one.state == "present" and one.name in names]


def address(plan: Plan, server: PlannedServer, network: NetworkName) -> str:
    """A server's address for some traffic, without the prefix length."""
    carrier = next(one.carried_by for one in plan.networks if one.name == network)
    return next(at.cidr.partition("/")[0] for face in server.interfaces for at in face.addresses if at.network == carrier)


def in_url(text: str) -> str:
    return f"[{text}]" if ":" in text else text


def version(plan: Plan, network: NetworkName) -> int:
    """4 or 6."""
    cidr = next(one.cidr for one in plan.networks if one.name == network)
    return 6 if cidr and ":" in cidr else 4
