# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan in a few lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from ..columns import columns
from ..errors import counted
from .amounts import GIB, size
from .changes import summary
from .servers import PlannedServer
from .types import Objection, Plan

HEAD = ("server", "serial", "place", "management", "roles", "OSDs", "guests")
MOST_ROWS = 64


def lines(plan: Plan) -> list[str]:
    shown = plan.servers[:MOST_ROWS]
    rows = columns([HEAD, *(_row(one) for one in shown)]) if shown else []
    if len(plan.servers) > MOST_ROWS:
        rows.append(f"… and {len(plan.servers) - MOST_ROWS} more servers")
    return [*rows, *_numbers(plan), *objection_lines(plan.objections, "objection"), *objection_lines(plan.warnings, "warning")]


def _row(server: PlannedServer) -> tuple[str, ...]:
    at = server.location
    management = [one.cidr for interface in server.interfaces for one in interface.addresses if one.network == "management"]
    return (
        server.name,
        server.id,
        f"{at.rack or '?'} U{at.unit if at.unit is not None else '?'}",
        next(iter(management), "none"),
        "absent" if server.state == "absent" else ",".join(server.roles) or "none",
        str(len(server.osds)),
        f"{server.memory.guests // GIB} GiB, {counted(server.cpu.guests, 'core')}",
    )


def _numbers(plan: Plan) -> Iterator[str]:
    numbers = summary(plan)
    guests = f"{numbers['guest_memory_bytes'] // GIB} GiB and {numbers['guest_cores']} cores for guests"
    stored = f"{size(plan.ceph.usable_bytes)} usable of {size(plan.ceph.raw_bytes)} on {counted(plan.ceph.osds, 'OSD')}"
    yield f"{counted(numbers['servers'], 'server')}: {guests}; {stored}; failure domain {plan.ceph.failure_domain}"
    if plan.vips:
        yield "VIPs: " + ", ".join(f"{one.name} {one.address} ({one.fqdn})" for one in plan.vips)
    for kind in ("server", "rack", "site", "disk", "adapter", "port"):
        losses = [one for one in plan.losses if one.kind == kind]
        fatal = sum(len(one.what) for one in losses if not one.ok)
        if losses:
            yield f"loss of one {kind}: " + (
                f"{fatal} of {sum(len(one.what) for one in losses)} stop something" if fatal else "all survived"
            )


def objection_lines(objections: tuple[Objection, ...], what: str) -> Iterator[str]:
    for number, one in enumerate(objections, 1):
        where = f", vitro_site.{one.path}" if one.path else ""
        yield f"{what} {number} of {len(objections)} ({one.code}{where}): {one.subject}: {one.text}"
        yield f"    {one.why}"
        yield f"    → {one.cure}"
