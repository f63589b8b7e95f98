# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan says of engines that follow the intent as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .intent import Intent
from .objections import Found, Kind
from .ports import ingress_ports
from .types import FmcPlan, OpenstackPlan, PlannedNetwork
from .wishes import FmcWish, OpenstackWish

FMC_CHANGED = Kind(
    code="fmc_network_would_move",
    title="The networks of the FMC would change",
    rank=20,
    why="RKE2 cannot change its pod and service networks or its network plugin while it runs; a cluster that is made anew loses the fleet.",
    cure="Set fmc.pods, fmc.services and fmc.cni back; or add `addresses` to allow_moves if nothing is deployed yet",
)


TRAFFIC_MOVED = Kind(
    code="traffic_would_move",
    title="Traffic would go over another network",
    rank=30,
    why="Monitors, OSDs, tunnels and APIs are known by their addresses in the network that they use; in another one they are strangers.",
    cure="Give or take the network as it was; or add `addresses` to allow_moves if nothing is deployed yet",
)


def check_carriers(before: Sequence[PlannedNetwork], after: Sequence[PlannedNetwork], intent: Intent) -> Iterator[Found]:
    """A network that gets addresses of its own, or loses them."""
    was = {one.name: one.carried_by for one in before}
    for one in after:
        old = was.get(one.name, one.carried_by)
        if old != one.carried_by and "addresses" not in intent.allow_moves:
            said = f"{one.name} goes over {old}, and would go over {one.carried_by}"
            yield TRAFFIC_MOVED.of(f"networks.{one.name}", said, path=f"networks.{one.name}")


def check_fmc(before: FmcPlan, intent: Intent) -> Iterator[Found]:
    """What was decided once for the life of the cluster."""
    for key in ("pods", "services", "cni"):
        old, new = getattr(before, key), getattr(intent.fmc, key)
        if old != new and "addresses" not in intent.allow_moves:
            yield FMC_CHANGED.of(f"fmc.{key}", f"fmc.{key} is {old}, and would be {new}", path=f"fmc.{key}")


def plan_fmc(wish: FmcWish, servers: tuple[str, ...]) -> FmcPlan:
    http, https = ingress_ports(wish)
    return FmcPlan(
        mode=wish.mode,
        servers=servers,
        cni=wish.cni,
        pods=wish.pods,
        services=wish.services,
        ingress=wish.ingress,
        http_port=http,
        https_port=https,
        cis=wish.cis,
        fips=wish.fips,
    )


def plan_openstack(wish: OpenstackWish, tenant_mtu: int) -> OpenstackPlan:
    return OpenstackPlan(
        distribution=wish.distribution,
        engine=wish.engine,
        coordination=wish.coordination,
        tls=wish.tls,
        octavia=wish.octavia,
        monitoring=wish.monitoring,
        logging=wish.logging,
        masakari=wish.masakari,
        tenant_mtu=tenant_mtu,
        guest_memory_ratio=wish.guest_memory_ratio,
        guest_cpu_ratio=wish.guest_cpu_ratio,
    )
