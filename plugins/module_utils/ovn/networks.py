# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What in the Northbound database is Neutron's, by the ids that Neutron knows it by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .database import Row

# Neutron tells its own rows by these keys. Ports to a physical network (provnet-*), and what others made, have none of them.
TABLES: Final = {
    "Logical_Switch": ["name", "external_ids"],
    "Logical_Switch_Port": ["name", "external_ids"],
    "Logical_Router": ["name", "external_ids"],
    "NAT": ["external_ip", "external_ids"],
}
NAME: Final = {
    "Logical_Switch": "neutron:network_name",
    "Logical_Switch_Port": "neutron:port_name",
    "Logical_Router": "neutron:router_name",
}
FLOATING: Final = "neutron:fip_id"
PREFIX: Final = "neutron-"


def of_neutron(live: Mapping[str, Sequence[Row]]) -> dict[str, dict[str, str]]:
    """What people call each, by its id, by kind."""
    found = {
        kind: {
            row["name"].removeprefix(PREFIX): row["external_ids"][NAME[table]] for row in live[table] if NAME[table] in row["external_ids"]
        }
        for kind, table in (("networks", "Logical_Switch"), ("ports", "Logical_Switch_Port"), ("routers", "Logical_Router"))
    }
    floating = {row["external_ids"][FLOATING]: row["external_ip"] for row in live["NAT"] if FLOATING in row["external_ids"]}
    return {**found, "floating addresses": floating}
