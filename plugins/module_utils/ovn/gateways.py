# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which chassis carries the gateway of which router, and who takes over: spread over chassis, and from rack to rack."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .database import Operation, Row, by_uuid, insert, many, named, one_of, to_set, update

# As many as Neutron gives a router: OVN watches each of them by BFD.
MOST: Final = 5
TABLES: Final = {
    "Logical_Router": ["name", "ports", "external_ids"],
    "Logical_Router_Port": ["name", "gateway_chassis", "ha_chassis_group", "external_ids"],
    "Gateway_Chassis": ["name", "chassis_name", "priority"],
    "HA_Chassis_Group": ["name", "ha_chassis", "external_ids"],
    "HA_Chassis": ["chassis_name", "priority"],
}


# The router that a group belongs to, or is linked to.
ROUTER: Final = "neutron:router_id"


@dataclass(frozen=True, slots=True)
class Carried:
    """What has a ranking of chassis: the row whose `column` has the rows of `kind`. It is to have the ranking of the router port `port`.

    Up to 2026.1 Neutron gives a port chassis of its own, since then a group, which all gateway ports of a router share.
    If there are both, OVN takes the group. The group of a network that is linked to a router follows the router's."""

    name: str
    port: str
    table: str
    column: str
    owner: str
    kind: str
    rows: Sequence[Row]

    @property
    def ranking(self) -> list[str]:
        return [row["chassis_name"] for row in sorted(self.rows, key=lambda row: -int(row["priority"]))]


def ring(racks: Mapping[str, str | None]) -> list[str]:
    """The gateways in an order in which neighbours stand in different racks, as far as there are several."""
    by_rack: dict[str, list[str]] = {}
    for name in sorted(racks):
        by_rack.setdefault(racks[name] or "", []).append(name)
    order = []
    while any(by_rack.values()):
        order += [by_rack[rack].pop(0) for rack in sorted(by_rack) if by_rack[rack]]
    return order


def ranking(order: Sequence[str], first: str) -> list[str]:
    """Who carries a gateway whose first choice is given: round the ring from there, so that a rack's loss is spread too."""
    start = list(order).index(first)
    return [*order[start:], *order[:start]][:MOST]


def plan_spread(current: Mapping[str, Sequence[str]], order: Sequence[str]) -> dict[str, list[str]]:
    """The wanted ranking of each router port. `current` has its chassis by falling priority. A first choice stays where it is as long as
    that chassis is planned and has no more than its share: a move is an interruption."""
    if not order:
        return {}
    share = math.ceil(len(current) / len(order))
    load: Counter[str] = Counter()
    kept, homeless = {}, []
    for port in sorted(current):
        first = current[port][0] if current[port] else ""
        if first in order and load[first] < share:
            load[first] += 1
            kept[port] = first
        else:
            homeless.append(port)
    for port in homeless:
        first = min(order, key=lambda name: (load[name], order.index(name)))
        load[first] += 1
        kept[port] = first
    return {port: ranking(order, kept[port]) for port in sorted(kept)}


def carried(live: Mapping[str, Sequence[Row]]) -> list[Carried]:
    """By the names of ports; of those that share a group the first stands for all. Then the groups that follow."""
    chassis = {row["_uuid"]: row for row in live["Gateway_Chassis"]}
    members = {row["_uuid"]: row for row in live["HA_Chassis"]}
    groups = {row["_uuid"]: row for row in live["HA_Chassis_Group"]}
    found: dict[str, Carried] = {}
    for port in sorted(live["Logical_Router_Port"], key=lambda row: str(row["name"])):
        group, name = groups.get(one_of(port["ha_chassis_group"]) or ""), port["name"]
        if group is None:
            rows = [chassis[one] for one in many(port["gateway_chassis"]) if one in chassis]
            found[port["_uuid"]] = Carried(name, name, "Logical_Router_Port", "gateway_chassis", port["_uuid"], "Gateway_Chassis", rows)
        elif group["_uuid"] not in found:
            found[group["_uuid"]] = _group(members, group, name, name)
    routers = {groups[owner]["external_ids"].get(ROUTER): one.port for owner, one in found.items() if owner in groups}
    linked = [row for row in live["HA_Chassis_Group"] if row["_uuid"] not in found and row["external_ids"].get(ROUTER, "") in routers]
    return [*found.values(), *(_group(members, row, row["name"], routers[row["external_ids"][ROUTER]]) for row in linked)]


def _group(members: Mapping[str, Row], group: Row, name: str, port: str) -> Carried:
    rows = [members[one] for one in many(group["ha_chassis"]) if one in members]
    return Carried(name, port, "HA_Chassis_Group", "ha_chassis", group["_uuid"], "HA_Chassis", rows)


def rankings(live: Mapping[str, Sequence[Row]], routers: Sequence[str] = ()) -> dict[str, list[str]]:
    """The chassis of each router port that has any, by falling priority. `routers`: only ports of these, and all of theirs."""
    chosen = {port for row in live["Logical_Router"] if row["name"] in routers for port in many(row["ports"])}
    wanted = {row["name"] for row in live["Logical_Router_Port"] if row["_uuid"] in chosen}
    return {one.port: one.ranking for one in carried(live) if one.name == one.port and ((one.rows and not routers) or one.port in wanted)}


def plan_gateways(
    live: Mapping[str, Sequence[Row]], order: Sequence[str], routers: Sequence[str] = ()
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What router ports, and the groups that follow them, have and are to have."""
    current = rankings(live, routers)
    planned = plan_spread(current, order) or current
    both = [one for one in carried(live) if one.port in planned]
    return {one.name: one.ranking for one in both}, {one.name: planned[one.port] for one in both}


def plan_rows(live: Mapping[str, Sequence[Row]], wanted: Mapping[str, Sequence[str]]) -> list[Operation]:
    """The operations that bring what differs to its ranking. Rows of chassis that stay are changed, not made anew."""
    work: list[Operation] = []
    for number, one in enumerate(each for each in carried(live) if each.name in wanted):
        have = {row["chassis_name"]: row for row in one.rows}
        target = {name: len(wanted[one.name]) - index for index, name in enumerate(wanted[one.name])}
        # Neutron has other numbers for the same order.
        if one.ranking == list(wanted[one.name]) and len({row["priority"] for row in one.rows}) == len(one.rows):
            continue
        kept = [name for name in target if name in have]
        fresh = [name for name in target if name not in have]
        work += [update(one.kind, {"priority": target[name]}, by_uuid(have[name]["_uuid"])) for name in kept]
        for index, name in enumerate(fresh):
            own = {"name": f"{one.port}_{name}"} if one.kind == "Gateway_Chassis" else {}
            work.append(insert(one.kind, {**own, "chassis_name": name, "priority": target[name]}, f"row{number}_{index}"))
        rows = [*(["uuid", have[name]["_uuid"]] for name in kept), *(named(f"row{number}_{index}") for index in range(len(fresh)))]
        work.append(update(one.table, {one.column: to_set(rows)}, by_uuid(one.owner)))
    return work


def summary(spread: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """How many gateways each chassis carries."""
    return dict(Counter(names[0] for names in spread.values() if names))
