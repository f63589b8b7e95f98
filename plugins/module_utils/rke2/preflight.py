# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that speaks against a run, told at once before the first change; and who founds the cluster, and who joins."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import advice, counted
from .checks_host import check_host
from .checks_site import check_site
from .errors import PreflightRefused
from .kinds import Objection
from .site import Site


@dataclass(frozen=True, slots=True)
class Decision:
    """`founder` makes the cluster, and is empty where there is one. Of the others that do not run, servers that are `back` have data of
    the cluster and need nobody to start; `servers` are to join, together; then `agents`. `nodes` are those that are in the cluster by
    what their data say, with their roles."""

    ca: str
    founder: str
    back: list[str]
    servers: list[str]
    agents: list[str]
    nodes: dict[str, str]

    def to_data(self) -> dict[str, Any]:
        return asdict(self)


def objections_to(site: Site, others: Iterable[Objection] = ()) -> list[Objection]:
    """All of them, in the order of hosts; `others` are those that were found before."""
    found = [*others, *check_site(site), *(one for host in site.hosts for one in check_host(site, host))]
    order = ["", *(host.name for host in site.hosts)]
    return sorted(dict.fromkeys(found), key=lambda one: order.index(one.host) if one.host in order else 0)


def told(objections: Iterable[Objection]) -> list[str]:
    """As sentences; what several hosts have in common is said once."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for one in objections:
        groups.setdefault((one.code, one.text, one.cure), []).append(one.host)
    return [
        f"{code}{' on ' if any(hosts) else ''}{', '.join(filter(None, hosts))}: {advice(text, cure)}"
        for (code, text, cure), hosts in groups.items()
    ]


def refuse(objections: Iterable[Objection], ignored: Collection[str] = ()) -> None:
    if left := told(one for one in objections if one.code not in ignored):
        listed = "\n".join(f"  {number}. {one}" for number, one in enumerate(left, 1))
        raise PreflightRefused(f"Cannot bring RKE2 to these hosts, {counted(len(left), 'objection')}. Nothing was changed.\n{listed}")


def decide(site: Site) -> Decision:
    idle = [host for host in site.hosts if not host.running]
    founder = "" if site.home else next(iter(site.servers), "")
    return Decision(
        ca=site.home,
        founder=founder,
        back=[host.name for host in idle if host.server and host.joined],
        servers=[host.name for host in idle if host.server and not host.joined and host.name != founder],
        agents=[host.name for host in idle if not host.server],
        nodes={host.name: str(host.wanted["role"]) for host in site.hosts if host.joined and host.found["ca"] == site.home},
    )
