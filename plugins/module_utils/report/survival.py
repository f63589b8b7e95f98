# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens if something dies."""

from __future__ import annotations

from .elements import Markup, tag
from .site import Site
from .tables import Column, lines, section, simple

COLUMNS: tuple[Column, ...] = (("If this dies", "what"), ("Kind", None), ("Then", "nw"), ("What happens", "wide"))


def survival(site: Site) -> Markup:
    losses = sorted(site.plan.losses, key=lambda one: one.ok)
    if not losses:
        return section("losses", "If something dies", tag("p", "The plan could not be tried against losses."))
    bad = sum(not one.ok for one in losses)
    verdict = f"{bad} of these {len(losses)} stop a service or cost data." if bad else "Every service and all data outlive each of these."
    rows = (
        (
            site.links(one.what),
            one.kind,
            tag("span", "✓ goes on", class_="ok") if one.ok else tag("span", "✗ does not go on", class_="no"),
            lines(one.effects) if one.effects else "nothing",
        )
        for one in losses
    )
    said = tag("p", "One loss at a time, each tried on the plan by taking it away. ", verdict)
    return section("losses", "If something dies", said, simple("Losses, those that the site does not outlive first", COLUMNS, rows))
