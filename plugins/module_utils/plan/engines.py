# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan says of engines that follow the intent as it stands."""

from __future__ import annotations

from .ports import ingress_ports
from .types import FmcPlan, OpenstackPlan
from .wishes import FmcWish, OpenstackWish


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
