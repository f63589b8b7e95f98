# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks Kolla's configuration against the plan and the installed kolla-ansible: every problem at once, and no host asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime

from ..errors import counted
from ..plan.types import Plan
from .check_ceph import check_ceph
from .check_certificates import check_certificates
from .check_interfaces import check_interfaces
from .check_inventory import check_inventory
from .check_keys import check_keys
from .check_mtus import check_mtus
from .check_passwords import check_passwords
from .check_ports import check_ports
from .check_read import read_site
from .check_services import check_services
from .check_values import check_values
from .check_vips import check_vips
from .findings import Finding, Kind
from .package import Package
from .tree import Tree

CHECKS = (
    check_inventory,
    check_vips,
    check_interfaces,
    check_mtus,
    check_keys,
    check_values,
    check_services,
    check_ports,
    check_passwords,
    check_certificates,
    check_ceph,
)
WEIGHTS = ("problem", "awaited", "warning")
MOST_HOSTS = 6


def check(plan: Plan, tree: Tree, package: Package, now: datetime) -> list[Finding]:
    """What is wrong with a directory that Kolla is to work with; `now` is aware of its time zone."""
    site = read_site(plan, tree, package, now)
    found = [*site.findings, *(finding for one in CHECKS for finding in one(site))]
    return sorted(dict.fromkeys(found), key=_order)


def _order(one: Finding) -> tuple[int, str, str, str, str]:
    return WEIGHTS.index(one.weight), one.code, one.file, one.key or "", one.host or ""


def kinds() -> dict[str, Kind]:
    """Every kind there is, by code, gathered from the modules that declare them."""
    package = __name__.rpartition(".")[0]
    found = [
        value
        for name, module in sorted(sys.modules.items())
        if name.startswith(f"{package}.check")
        for value in vars(module).values()
        if isinstance(value, Kind)
    ]
    return {kind.code: kind for kind in sorted(found, key=lambda kind: kind.code)}


def lines(findings: Sequence[Finding]) -> list[str]:
    """For people: what differs only by the host stands once."""
    return [line for weight in WEIGHTS for line in _part([one for one in findings if one.weight == weight])] + [summary_line(findings)]


def _part(findings: Sequence[Finding]) -> Iterator[str]:
    groups: dict[tuple[str | None, ...], list[Finding]] = {}
    for one in findings:
        groups.setdefault(_alike(one), []).append(one)
    for number, group in enumerate(groups.values(), 1):
        yield f"{group[0].weight} {number} of {len(groups)} ({group[0].code}): {_where(group)}"
        yield f"    {group[0].text}{_others(group)}"
        yield f"    → {group[0].cure}"


def _alike(one: Finding) -> tuple[str | None, ...]:
    """What two findings have in common that are told together: all but the host, or all but the file that is awaited."""
    if one.weight == "awaited":
        return one.code, one.cure
    file, text = (word.replace(one.host, "…") if one.host else word for word in (one.file, one.text))
    return one.code, one.key, one.value, file, text


def _where(group: Sequence[Finding]) -> str:
    first = group[0]
    if not first.key or first.weight == "awaited":
        return first.file
    return f"{first.file}: {first.key}" + (f" = {first.value}" if first.value is not None else "")


def _others(group: Sequence[Finding]) -> str:
    if group[0].weight == "awaited":
        names = list(dict.fromkeys(one.file for one in group))
        return f"; nor {', '.join(names[1:])}" if len(names) > 1 else ""
    hosts = [one.host for one in group if one.host][1:]
    more = f" and {len(hosts) - MOST_HOSTS} more" if len(hosts) > MOST_HOSTS else ""
    return f"; so on {', '.join(hosts[:MOST_HOSTS])}{more}" if hosts else ""


def summary(findings: Sequence[Finding]) -> dict[str, int]:
    return {f"{weight}s" if weight != "awaited" else weight: sum(one.weight == weight for one in findings) for weight in WEIGHTS}


def summary_line(findings: Sequence[Finding]) -> str:
    numbers = summary(findings)
    said = f"{counted(numbers['problems'], 'problem')}, {numbers['awaited']} awaited, {counted(numbers['warnings'], 'warning')}"
    return f"Kolla's configuration: {said}"
