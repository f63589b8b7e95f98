# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned sites to take something away from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import (
    CpuShares,
    Interface,
    MemoryShares,
    Osd,
    OsDisk,
    PlannedServer,
)
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import CephPlan, FmcPlan, OvnPlan, Pool

from tests.unit.plugins.module_utils.plan.racks import GIB, TB

Site = tuple[list[PlannedServer], CephPlan, OvnPlan, FmcPlan]
THREE = Pool(name="volumes", application="rbd", copies=3, minimum=2, share=100)
CODED = Pool(name="cold", application="rgw", data_chunks=2, coding_chunks=2, minimum=3, share=0)


def osd(serial: str, amount: int = 4 * TB, database: str | None = None) -> Osd:
    return Osd(serial=serial, wwn=None, bytes=amount, device_class="nvme", database=database)


def port(name: str, link: str, adapter: str | None) -> Interface:
    return Interface(name=name, kind="physical", link=link, mtu=1500, adapter=adapter)


def server(number: int, **changes: Any) -> PlannedServer:
    """A converged server with a mirror, four OSDs and two bonds over two adapters."""
    name = f"lab-{number:02d}"
    given: dict[str, Any] = {
        "id": name,
        "name": name,
        "fqdn": name,
        "state": "present",
        "roles": ("control", "network", "compute", "storage"),
        "location": Location(rack=f"R{number % 3}"),
        "bmc": "",
        "interfaces": (
            port("main0", "main", "a"),
            port("main1", "main", "b"),
            port("data0", "data", "a"),
            port("data1", "data", "b"),
            Interface(name="bond0", kind="bond", link="main", mtu=1500),
            Interface(name="bond1", kind="bond", link="data", mtu=9000),
        ),
        "traffic": {"management": "bond0", "api": "bond0", "storage": "bond1"},
        "os_disk": OsDisk(kind="mirror", serials=("B0", "B1"), bytes=TB),
        "osds": tuple(osd(f"D{index}") for index in range(4)),
        "memory": MemoryShares(total=512 * GIB, guests=256 * GIB),
        "cpu": CpuShares(total=64),
    }
    return PlannedServer(**{**given, **changes})


def site(servers: Sequence[PlannedServer], **ceph: Any) -> Site:
    names = tuple(one.name for one in servers)
    given: dict[str, Any] = {"failure_domain": "server", "monitors": names[:3], "managers": names[:2], "object_gateways": names[:2]}
    given |= {"metadata_servers": names[:2], "pools": (THREE,), "osds": 0, "raw_bytes": 0, "usable_bytes": 0, "safe_bytes": 0}
    fmc = FmcPlan(
        mode="shared", servers=names[:3], cni="canal", pods="", services="", ingress="none", http_port=None, https_port=None, cis=True,
        fips=False,
    )  # fmt: skip
    ovn = OvnPlan(manager="kolla", databases=names[:3], gateways=names[:3], chassis=len(names), relay=True)
    return list(servers), CephPlan(**{**given, "full_percent": 85, **ceph}), ovn, fmc
