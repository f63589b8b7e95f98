# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Neutron and OVN have the same networks, ports, routers and floating addresses. Both sides are given as names by id, by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..checks import Check
from .client import Cloud

Sides = Mapping[str, Mapping[str, str]]

SYNC: Final = "neutron-ovn-db-sync-util --ovn-neutron_sync_mode repair"
MAKES: Final = f"{SYNC} makes what is missing"
REMOVES: Final = f"bring Neutron's database back if it lost them, else {SYNC} removes them"
SHOWN: Final = 5
ASKED: Final = {
    "networks": ("/networks", "networks", ["id", "name"]),
    "ports": ("/ports", "ports", ["id", "name", "device_owner"]),
    "routers": ("/routers", "routers", ["id", "name", "flavor_id"]),
    "floating addresses": ("/floatingips", "floatingips", ["id", "floating_ip_address", "fixed_ip_address", "router_id"]),
}


def read_networks(cloud: Cloud) -> dict[str, list[dict[str, Any]]]:
    """Of all projects, as Neutron gives them."""
    return {kind: [*cloud.pages("network", path, key, fields=fields)] for kind, (path, key, fields) in ASKED.items()}


def in_ovn(said: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, dict[str, str]]:
    """What of it Neutron keeps in OVN. It does not keep the ports that hold floating addresses, routers of a flavour, which something else
    may carry, and floating addresses that lead to no guest."""
    networks = {str(one["id"]): str(one["name"]) for one in said["networks"]}
    ports = {str(one["id"]): str(one["name"]) for one in said["ports"] if one["device_owner"] != "network:floatingip"}
    routers = {str(one["id"]): str(one["name"]) for one in said["routers"] if not one.get("flavor_id")}
    floating = {
        str(one["id"]): str(one["floating_ip_address"])
        for one in said["floating addresses"]
        if one["fixed_ip_address"] and one["router_id"] in routers
    }
    return {"networks": networks, "ports": ports, "routers": routers, "floating addresses": floating}


def judge_networks(neutron: Sides, before: Sides, after: Sides) -> Iterator[Check]:
    """OVN was asked before and after Neutron, so that what is made or removed meanwhile is on neither list: missing is what neither answer
    has, and left over what both have."""
    for kind in ASKED:
        wanted, made, left = neutron[kind], {**before[kind], **after[kind]}, before[kind].keys() & after[kind].keys()
        missing = {one: name for one, name in wanted.items() if one not in made}
        unknown = {one: made[one] for one in left if one not in wanted}
        yield _check(f"{kind} of Neutron are in OVN", len(wanted), missing, MAKES)
        yield _check(f"{kind} of OVN are in Neutron", len(left), unknown, REMOVES)


def _check(what: str, count: int, astray: Mapping[str, str], cure: str) -> Check:
    named = sorted(f"{name} ({one})" if name else one for one, name in astray.items())
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    seen = f"all but {len(named)}: {', '.join(named[:SHOWN])}{more}; {cure}" if named else f"all {count}"
    return Check(what, "Neutron and OVN", f"all {count}", seen, not named)
