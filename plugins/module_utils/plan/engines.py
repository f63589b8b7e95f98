# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan says of engines that follow the intent as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from .intent import Intent
from .objections import Found, Kind
from .ports import ingress_ports
from .types import FmcPlan, OpenstackPlan
from .wishes import FmcWish, OpenstackWish

FMC_CHANGED = Kind(
    code="fmc_network_would_move",
    title="The networks of the FMC would change",
    rank=20,
    why="RKE2 cannot change its pod and service networks or its network plugin while it runs; a cluster that is made anew loses the fleet.",
    cure="Set fmc.pods, fmc.services and fmc.cni back; or add `addresses` to allow_moves if nothing is deployed yet",
)


def check_fmc(before: FmcPlan | None, intent: Intent) -> Iterator[Found]:
    """What was decided once for the life of the cluster."""
    for key in ("pods", "services", "cni"):
        old, new = getattr(before, key, None), getattr(intent.fmc, key)
        if before and old != new and "addresses" not in intent.allow_moves:
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
