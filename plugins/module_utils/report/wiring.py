# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a server is wired: ports, what is made of them, and which networks run there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ..plan.servers import Interface, PlannedServer
from ..plan.types import Plan


@dataclass(frozen=True, slots=True)
class Line:
    """An interface that networks run on."""

    interface: Interface
    networks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trunk:
    """A bond with its ports, or a port by itself, and the lines over it."""

    top: Interface
    ports: tuple[Interface, ...]
    lines: tuple[Line, ...]


def lanes(plan: Plan) -> tuple[str, ...]:
    """Every network of the plan, in its order; then those that only a server names."""
    planned = [one.name for one in plan.networks]
    others = sorted({name for server in plan.servers for name in server.traffic} - set(planned))
    return tuple(dict.fromkeys((*planned, *others)))


def networks_by_interface(server: PlannedServer, order: Sequence[str]) -> dict[str, list[str]]:
    traffic: dict[str, str] = dict(server.traffic.items())
    found: dict[str, list[str]] = {}
    for network in order:
        if network in traffic:
            found.setdefault(traffic[network], []).append(network)
    return found


def trunks(server: PlannedServer, order: Sequence[str]) -> tuple[Trunk, ...]:
    by_name = {one.name: one for one in server.interfaces}
    networks = networks_by_interface(server, order)
    members = {name for one in server.interfaces for name in one.members}
    lines: dict[str, list[Line]] = {}
    for one in server.interfaces:
        if one.name in networks:
            below = one.parent if one.kind == "vlan" and one.parent in by_name else one.name
            lines.setdefault(below or one.name, []).append(Line(one, tuple(networks[one.name])))
    tops = [one for one in server.interfaces if one.name in lines or (one.kind != "vlan" and one.name not in members)]
    return tuple(
        Trunk(one, tuple(by_name[name] for name in one.members if name in by_name) or (one,), tuple(lines.get(one.name, ())))
        for one in tops
    )


def shape(server: PlannedServer) -> Hashable:
    """All that a drawing of the wiring shows but what is the server's own: MACs and addresses."""
    return (
        server.state,
        tuple(
            (
                (one.name, one.kind, one.link, one.mtu, one.adapter, one.port, one.speed_mbps),
                (one.members, one.mode, one.parent, one.vlan),
                tuple(address.network for address in one.addresses),
            )
            for one in server.interfaces
        ),
        tuple(sorted(server.traffic.items())),
    )
