# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands on top: whether the plan may be applied, what speaks against it, and the site in a few numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import counted
from ..plan.types import Objection, Plan
from .elements import Child, Markup, tag
from .site import Site
from .tables import section
from .wording import commas, disk_size, kept_safe, memory_size

LAYOUTS = {
    "hci": "converged: the servers compute, store and control together",
    "split": "split: control, compute and storage on servers of their own",
    "mixed": "mixed: some servers are converged, some have one task",
}


def header(plan: Plan) -> Markup:
    return tag(
        "header",
        tag("p", "Vitro site plan", class_="kicker"),
        tag("h1", plan.site),
        tag("p", tag("span", plan.domain, class_="mono"), " · ", LAYOUTS.get(plan.layout, plan.layout), class_="muted"),
        _state(plan),
        class_="top",
    )


def _state(plan: Plan) -> Markup:
    warnings = f" {counted(len(plan.warnings), 'warning')}." if plan.warnings else ""
    if plan.applicable:
        mark, said, kind = "✓ APPLICABLE", f"The planner has no objection. Every role accepts this plan.{warnings}", "good"
    else:
        reason = counted(len(plan.objections), "objection")
        mark, said, kind = "✗ NOT APPLICABLE", f"{reason}. This plan is for reading; no role accepts it.{warnings}", "bad"
    return tag("p", tag("strong", mark), tag("span", said), class_=f"state {kind}")


def objections(site: Site) -> Markup:
    plan = site.plan
    if not plan.objections:
        return section("objections", "Objections", tag("p", "There are none."), runs_on=True)
    said = tag("p", "Each must be cured, then the site is planned again. The worst come first.")
    return section("objections", "Objections", said, _list(site, plan.objections, "bad", "objection"), runs_on=True)


def warnings(site: Site) -> Markup:
    plan = site.plan
    if not plan.warnings:
        return section("warnings", "Warnings", tag("p", "There are none."), runs_on=True)
    said = tag("p", "They hinder nothing; read them before you apply the plan.")
    return section("warnings", "Warnings", said, _list(site, plan.warnings, "warn", "warning"), runs_on=True)


def _list(site: Site, found: Sequence[Objection], kind: str, word: str) -> Markup:
    return tag("ol", (tag("li", _finding(site, one), class_=f"finding {kind}", id=f"{word}-{n}") for n, one in enumerate(found, 1)))


def _finding(site: Site, one: Objection) -> tuple[Child, ...]:
    name, opening, rest = one.subject.partition(" (")
    facts: list[tuple[str, Child]] = [("Subject", (site.link(name), opening, rest)), ("Why", one.why), ("Cure", one.cure)]
    if one.path is not None:
        facts.append(("Key", tag("code", one.path)))
    return (
        tag("h3", one.text),
        tag("dl", ((tag("dt", name), tag("dd", value)) for name, value in (*facts, ("Code", tag("code", one.code, class_="code"))))),
    )


def summary(site: Site) -> Markup:
    plan = site.plan
    present = [one for one in plan.servers if one.state == "present"]
    absent = [one.name for one in plan.servers if one.state != "present"]
    racks = sorted({(one.location.site or "", one.location.rack) for one in plan.servers if one.location.rack})
    placed = sum(one.location.rack is not None for one in plan.servers)
    ceph = plan.ceph
    facts: tuple[tuple[str, str, str | None], ...] = (
        ("servers", str(len(present)), f"and {len(absent)} absent" if absent else None),
        ("racks", str(len(racks)), f"{len(plan.servers) - placed} servers of unknown place" if placed < len(plan.servers) else None),
        ("cores for guests", f"{sum(one.cpu.guests for one in present)}", f"before the ratio of {plan.openstack.guest_cpu_ratio:g}"),
        (
            "memory for guests",
            memory_size(sum(one.memory.guests for one in present)),
            f"at a ratio of {plan.openstack.guest_memory_ratio:g}",
        ),
        ("usable storage", disk_size(ceph.usable_bytes), f"{ceph.osds} OSDs, {disk_size(ceph.raw_bytes)} raw"),
        ("safe storage", disk_size(ceph.safe_bytes), kept_safe(ceph.safe_bytes, ceph.failure_domain)),
        ("VIPs", str(len(plan.vips)), commas(one.name for one in plan.vips) or None),
    )
    shown = (tag("div", tag("dt", name), tag("dd", value, note and tag("small", note))) for name, value, note in facts)
    return section("summary", "Summary", tag("dl", shown, class_="facts"), runs_on=True)
