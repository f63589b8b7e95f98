# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OVN as the plan has it, in one document: members, chassis, gateways, where everybody connects to, and how patient they are."""

from __future__ import annotations

from typing import Any, Final

from ..plan.servers import NetworkName, PlannedServer
from ..plan.types import Plan
from .members import RAFT_PORTS, TABLE_PORTS, url

BRIDGE: Final = "br-ex"
NETWORK: Final = "physnet1"
RELAY_PORT: Final = 16640


def wanted_ovn(plan: Plan, protocol: str = "ssl") -> dict[str, Any]:
    """Kolla speaks plain TCP to its databases, the role `ovn` TLS."""
    there = {one.name: one for one in plan.servers if one.state == "present"}
    members = {name: _address(plan, there[name], "api") for name in plan.ovn.databases if name in there}
    tunnel = next(one for one in plan.networks if one.name == "tunnel")
    carrier = next(one for one in plan.networks if one.name == tunnel.carried_by)
    chassis = {name: one for name, one in there.items() if {"compute", "network"} & set(one.roles)}
    remotes = {kind: [url(address, TABLE_PORTS[kind], protocol) for address in members.values()] for kind in TABLE_PORTS}
    return {
        "manager": plan.ovn.manager,
        "planned_members": list(plan.ovn.databases),
        "members": members,
        "raft": {kind: {name: url(address, port, protocol) for name, address in members.items()} for kind, port in RAFT_PORTS.items()},
        "remotes": remotes,
        "relays": {str(number): RELAY_PORT + number for number in range(1, plan.ovn.relays + 1)} if plan.ovn.manager == "packages" else {},
        "chassis": {
            name: _chassis(plan, one, number, members, remotes["sb"], protocol) for number, (name, one) in enumerate(chassis.items())
        },
        "gateways": {name: there[name].location.rack for name in plan.ovn.gateways if name in there},
        "network": carrier.cidr,
        "mtu": tunnel.mtu,
        "tenant_mtu": plan.openstack.tenant_mtu,
        "timers": {"election_ms": plan.ovn.timers.election_ms, "probe_ms": plan.ovn.timers.probe_ms, "bfd_ms": plan.ovn.timers.bfd_ms},
        "options": _options(plan),
    }


def _chassis(
    plan: Plan, server: PlannedServer, number: int, members: dict[str, str], databases: list[str], protocol: str
) -> dict[str, Any]:
    relays = plan.ovn.relays if plan.ovn.manager == "packages" else 0
    relay = RELAY_PORT + 1 + number % relays if relays else 0
    external = server.traffic.get("external", "")
    gateway = server.name in plan.ovn.gateways
    mtu = next((one.mtu for one in plan.networks if one.name == "external"), None)
    mapping = {"network": NETWORK, "bridge": BRIDGE, "interface": external, "mtu": mtu}
    return {
        "encap_ip": _address(plan, server, "tunnel"),
        "remotes": [url(address, relay, protocol) for address in members.values()] if relay else databases,
        "gateway": gateway,
        # Floating addresses are distributed: every server with guests leads outside itself.
        "mappings": [mapping] if external else [],
    }


def _options(plan: Plan) -> dict[str, dict[str, str]]:
    timers = plan.ovn.timers
    bfd = {"bfd-min-rx": str(timers.bfd_ms), "bfd-min-tx": str(timers.bfd_ms), "bfd-mult": "3"}
    return {"nb": {"northd_probe_interval": str(timers.probe_ms), **bfd}, "sb": {}}


def _address(plan: Plan, server: PlannedServer, network: NetworkName) -> str:
    carrier = next(one.carried_by for one in plan.networks if one.name == network)
    return next(at.cidr.partition("/")[0] for face in server.interfaces for at in face.addresses if at.network == carrier)
