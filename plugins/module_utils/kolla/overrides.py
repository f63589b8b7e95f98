# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that Kolla has no key for, in the files that it merges into those of the services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..plan.servers import PlannedServer
from ..plan.types import Plan
from .hosts import kolla_servers, version
from .ovn import outside_files
from .words import HEADER, ini_text

MIB: Final = 1024**2
PHYSNET: Final = "physnet1"
# What a packet of a guest grows by in a tunnel: Kolla's max_header_size of Geneve, and the IP header around it. Neutron computes the same.
GENEVE: Final[Mapping[int, int]] = {4: 38 + 20, 6: 38 + 40}

Sections = Mapping[str, Mapping[str, str]]


def overrides(plan: Plan) -> dict[str, str]:
    """The files below config/ by their paths."""
    files = {"config/neutron.conf": neutron(plan), "config/neutron/ml2_conf.ini": ml2(plan)}
    for path, tls in outside_files(plan).items():
        sections = files.get(path, {})
        files[path] = {**sections, "ovn": {**sections.get("ovn", {}), **tls}}
    for one in kolla_servers(plan):
        if "compute" in one.roles:
            files[f"config/nova/{one.name}/nova-compute.conf"] = nova(plan, one)
    return {path: f"{HEADER}\n{ini_text(sections)}" for path, sections in files.items()}


def path_mtu(plan: Plan) -> int:
    """What a tunnel must carry so that guests get their MTU."""
    return plan.openstack.tenant_mtu + GENEVE[version(plan, "tunnel")]


def neutron(plan: Plan) -> Sections:
    """Neutron takes the smaller of this and that of the network, so it must not be the smaller one anywhere."""
    return {"DEFAULT": {"global_physnet_mtu": str(max(path_mtu(plan), _external_mtu(plan)))}}


def ml2(plan: Plan) -> Sections:
    sections = {"ml2": {"path_mtu": str(path_mtu(plan)), "physical_network_mtus": f"{PHYSNET}:{_external_mtu(plan)}"}}
    if next(one.vlan for one in plan.networks if one.name == "external") is None:
        # Guests' networks may then have VLANs of their own; Kolla allows none.
        sections["ml2_type_vlan"] = {"network_vlan_ranges": PHYSNET}
    if plan.dns:
        # For subnets that name no server. Without it guests ask whom the network server asks, which may be itself.
        sections["ovn"] = {"dns_servers": ",".join(plan.dns)}
    return sections


def nova(plan: Plan, server: PlannedServer) -> Sections:
    """What Nova must leave to the others on a server. It counts threads, and the plan cores."""
    memory, cpu = server.memory, server.cpu
    threads = f"{cpu.guests} * (ansible_facts.processor_threads_per_core | default(1))"
    return {
        "DEFAULT": {
            "reserved_host_memory_mb": str(-(-(memory.total - memory.guests) // MIB)),
            "reserved_host_cpus": f"{{{{ [0, ansible_facts.processor_vcpus - {threads}] | max }}}}",
            "ram_allocation_ratio": str(plan.openstack.guest_memory_ratio),
            "cpu_allocation_ratio": str(plan.openstack.guest_cpu_ratio),
        }
    }


def _external_mtu(plan: Plan) -> int:
    return next(one.mtu for one in plan.networks if one.name == "external")
