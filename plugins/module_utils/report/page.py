# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report: a plan as one HTML file that needs nothing else, neither a network nor a script. The same plan gives the same bytes."""

from __future__ import annotations

from ..plan.types import Plan
from .bars import memory_and_cpu
from .elements import Child, Markup, document, tag
from .findings import header, objections, summary, warnings
from .networks import networks
from .racks_svg import racks
from .servers import servers
from .services import choices, evidence, services, versions
from .site import site_of
from .storage import storage
from .style import sheet
from .survival import survival

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(plan: Plan) -> str:
    site = site_of(plan)
    parts = (
        objections(site),
        warnings(site),
        summary(site),
        racks(site),
        servers(site),
        networks(site),
        storage(site),
        memory_and_cpu(site),
        survival(site),
        services(site),
        choices(plan),
        versions(plan),
        evidence(),
    )
    body = tag(
        "body",
        tag("a", "Skip to the plan", href="#plan", class_="skip"),
        _hatch(),
        tag("div", header(plan), _contents(plan), tag("main", parts, id="plan", tabindex=-1), _footer(plan), class_="page"),
    )
    return document(tag("html", _head(plan), body, lang="en"))


def _head(plan: Plan) -> Markup:
    state = "applicable" if plan.applicable else "NOT APPLICABLE"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"{plan.site}: site plan, {state}"),
        tag("style", sheet()),
    )


def _contents(plan: Plan) -> Markup:
    entries: tuple[tuple[str, str, int | None], ...] = (
        ("objections", "Objections", len(plan.objections)),
        ("warnings", "Warnings", len(plan.warnings)),
        ("summary", "Summary", None),
        ("racks", "Racks", None),
        ("servers", "Servers", len(plan.servers)),
        ("networks", "Networks", len(plan.networks)),
        ("storage", "Disks and OSDs", plan.ceph.osds),
        ("memory", "Memory and CPU", None),
        ("losses", "If something dies", None),
        ("ports", "Services and ports", None),
        ("choices", "Choices", len(plan.choices)),
        ("versions", "Versions", None),
        ("evidence", "Evidence", None),
    )
    items: list[Child] = [
        tag("li", tag("a", name, href=f"#{anchor}"), tag("small", number) if number is not None else None)
        for anchor, name, number in entries
    ]
    return tag("nav", tag("ul", items), aria_label="Contents")


def _hatch() -> Markup:
    """The pattern of absent servers, for all drawings."""
    pattern = tag(
        "pattern",
        tag("rect", width=10, height=10, class_="back"),
        tag("line", x1=0, x2=0, y1=0, y2=10, class_="hatch"),
        id="hatch",
        width=10,
        height=10,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    return tag("svg", tag("defs", pattern), width=0, height=0, class_="defs", aria_hidden="true")


def _footer(plan: Plan) -> Markup:
    return tag("footer", tag("p", "Made from a plan of the form ", tag("code", plan.schema), ". The same plan gives the same page."))
