# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of servers, and why each has its roles."""

from __future__ import annotations

from .elements import Child, Markup, tag
from .site import Shown, Site, chip
from .tables import Column, body, folded, lines, row, section, simple, table
from .wording import place

COLUMNS: tuple[Column, ...] = (("Server", "nw"), ("Id", "nw"), ("Model", None), ("Roles", "wide"), ("Place", "nw"), ("Addresses", "nw"))
REASONS: tuple[Column, ...] = (("Server", None), ("Reasons", "wide"))


def servers(site: Site) -> Markup:
    columns = (*COLUMNS[:-1], ("Addresses", "wide flow")) if site.large else COLUMNS
    rows = body(row(columns, _cells(one), anchor=one.anchor) for one in site.servers)
    return section("servers", "Servers", table("Servers in the order of the plan", columns, (rows,)), _reasons(site))


def _cells(one: Shown) -> tuple[Child, ...]:
    server = one.server
    name = (server.name, tag("br"), tag("small", server.fqdn))
    absent = tag("strong", server.state, " ", class_="no") if server.state != "present" else None
    serial = (tag("br"), tag("small", "serial ", server.serial)) if server.serial and server.serial != server.id else None
    return (
        name,
        (tag("code", server.id), serial),
        server.model or "unknown",
        (absent, [chip(role) for role in server.roles] or "none"),
        place(server.location),
        _addresses(one),
    )


def _addresses(one: Shown) -> Markup:
    found: list[Child] = [
        (tag("code", address.cidr), tag("small", f" {address.network}"))
        for interface in one.server.interfaces
        for address in interface.addresses
    ]
    return lines((*found, (tag("code", one.server.bmc), tag("small", " BMC"))))


def _reasons(site: Site) -> Child:
    """Servers that have their roles for the same reasons share a row."""
    rows = [(site.who(alike), lines(alike.first.reasons)) for alike in site.alike(lambda one: one.reasons) if alike.first.reasons]
    if not rows:
        return None
    return folded("Why each server has its roles", simple("Reasons by server", REASONS, rows), opened=not site.large)
