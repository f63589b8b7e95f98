# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where OVN's databases and gateways stand, and how patient its parts are with one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .identity import Identity
from .intent import Intent
from .placement import some_of
from .servers import Role
from .types import Choice, OvnPlan, OvnTimers, Plan

# Kolla starts the relay by default; without Kolla it pays from here on, when every chassis would hold a connection to each member.
CHASSIS_FOR_RELAY: Final = 64
# One relay for each so many, as Kolla has it.
CHASSIS_PER_RELAY: Final = 50
# Up to how many chassis: milliseconds for Raft's elections, for probes of connections, and between BFD's packets. A database with more
# rows is away for longer while it writes a snapshot or answers a chassis that comes back; an election then would only make it worse.
# OVN's own values, 1000 and 5000, are for a handful. At the end: what ovn-kubernetes and Kolla have for large clusters.
TIMERS: Final = (
    (16, OvnTimers(election_ms=2000, probe_ms=10000, bfd_ms=1000)),
    (64, OvnTimers(election_ms=4000, probe_ms=30000, bfd_ms=1000)),
    (250, OvnTimers(election_ms=8000, probe_ms=60000, bfd_ms=1000)),
)
LARGEST: Final = OvnTimers(election_ms=16000, probe_ms=180000, bfd_ms=2000)


def plan_ovn(identity: Identity, intent: Intent, roles: Mapping[str, tuple[Role, ...]], previous: Plan | None) -> OvnPlan:
    """Databases with the control servers, as Kolla has them; gateways on network servers, spread over racks; the rest are chassis."""
    by_role = {role: [one for one in identity.machines if role in roles[one.id]] for role in ("control", "network", "compute")}
    absent = [one.name for one in identity.absent if "control" in one.roles]
    held = previous.ovn.gateways if previous else ()
    every = len(by_role["network"]) + sum("network" in one.roles for one in identity.absent)
    gateways = some_of(identity, by_role["network"], intent.ovn.gateways or every, held, grows=True)
    chassis = {one.id for role in ("network", "compute") for one in by_role[role]}
    wish = intent.ovn.relay
    relay = wish if wish is not None else intent.ovn.manager == "kolla" or len(chassis) > CHASSIS_FOR_RELAY
    return OvnPlan(
        manager=intent.ovn.manager,
        databases=tuple(sorted([*(one.name for one in by_role["control"]), *absent])),
        gateways=gateways,
        chassis=len(chassis),
        relay=relay,
        relays=-(-len(chassis) // CHASSIS_PER_RELAY) if relay else 0,
        timers=timers_for(len(chassis)),
    )


def timers_for(chassis: int) -> OvnTimers:
    return next((timers for most, timers in TIMERS if chassis <= most), LARGEST)


def why_timers(ovn: OvnPlan) -> Choice:
    """The reason, for the report."""
    timers = ovn.timers
    chosen = f"election {timers.election_ms} ms, probes {timers.probe_ms} ms, BFD {timers.bfd_ms} ms"
    return Choice(what="OVN's timers", chosen=chosen, why=f"{ovn.chassis} chassis; each connection and each election costs the databases")
