# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which chassis carries the gateway of which router, and who takes over: spread over chassis, and from rack to rack."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .database import Operation, Row, by_uuid, insert, many, named, to_set, update

# As many as Neutron gives a router: OVN watches each of them by BFD.
MOST: Final = 5
TABLES: Final = {
    "Logical_Router": ["name", "ports", "external_ids"],
    "Logical_Router_Port": ["name", "gateway_chassis", "external_ids"],
    "Gateway_Chassis": ["name", "chassis_name", "priority"],
}


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


def rankings(live: Mapping[str, Sequence[Row]], routers: Sequence[str] = ()) -> dict[str, list[str]]:
    """The chassis of each router port that has any, by falling priority. `routers`: only ports of these, and all of theirs."""
    chassis = {row["_uuid"]: row for row in live["Gateway_Chassis"]}
    chosen = {port for row in live["Logical_Router"] if row["name"] in routers for port in many(row["ports"])}
    found = {}
    for row in live["Logical_Router_Port"]:
        rows = sorted((chassis[one] for one in many(row["gateway_chassis"]) if one in chassis), key=lambda one: -int(one["priority"]))
        if (rows and not routers) or row["_uuid"] in chosen:
            found[row["name"]] = [one["chassis_name"] for one in rows]
    return found


def plan_rows(live: Mapping[str, Sequence[Row]], wanted: Mapping[str, Sequence[str]]) -> list[Operation]:
    """The operations that bring the ports that differ to their ranking. Rows of chassis that stay are changed, not made anew."""
    rows = {row["_uuid"]: row for row in live["Gateway_Chassis"]}
    work: list[Operation] = []
    for number, port in enumerate(one for one in live["Logical_Router_Port"] if one["name"] in wanted):
        have = {rows[one]["chassis_name"]: rows[one] for one in many(port["gateway_chassis"]) if one in rows}
        target = {name: len(wanted[port["name"]]) - index for index, name in enumerate(wanted[port["name"]])}
        if {name: row["priority"] for name, row in have.items()} == target:
            continue
        kept = [["uuid", have[name]["_uuid"]] for name in target if name in have]
        work += [update("Gateway_Chassis", {"priority": target[name]}, by_uuid(have[name]["_uuid"])) for name in target if name in have]
        fresh = [name for name in target if name not in have]
        for index, name in enumerate(fresh):
            row = {"name": f"{port['name']}_{name}", "chassis_name": name, "priority": target[name]}
            work.append(insert("Gateway_Chassis", row, f"row{number}_{index}"))
        made = [named(f"row{number}_{index}") for index in range(len(fresh))]
        work.append(update("Logical_Router_Port", {"gateway_chassis": to_set([*kept, *made])}, by_uuid(port["_uuid"])))
    return work


def summary(spread: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """How many gateways each chassis carries."""
    return dict(Counter(names[0] for names in spread.values() if names))
