# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cluster that a plan wants, as one document: hosts, services, settings, pools and clients. Disks stand in it by their serials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from ..plan.servers import NetworkName, Osd, PlannedServer
from ..plan.types import Plan, Pool

Method = Literal["lvm", "raw"]

FILESYSTEM: Final = "cephfs"
# What Ceph aims at for each OSD; the autoscaler goes on from there.
GROUPS_PER_OSD: Final = 100
FEWEST_GROUPS: Final = 8
# What each client of OpenStack's may do: `rbd` pools to write, `read` pools to clone from.
CLIENTS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "glance": (("images",), ()),
    "cinder": (("volumes", "vms"), ("images",)),
    "cinder-backup": (("backups",), ()),
    "nova": (("vms",), ("images",)),
}


def wanted_cluster(plan: Plan, method: Method = "lvm") -> dict[str, Any]:
    servers = [one for one in plan.servers if one.state == "present" and _labels(plan, one)]
    return {
        "release": plan.versions.ceph,
        "conf": initial_conf(plan),
        "hosts": [_host(plan, one) for one in servers],
        "services": [*_daemons(plan), *(service for one in servers for service in _osds(one, method))],
        "disks": {one.name: [*_disks(one)] for one in servers},
        "ports": {one.name: [*_ports(plan, one)] for one in servers},
        "config": [*_settings(servers)],
        "modules": ["prometheus"] if plan.openstack.monitoring else [],
        "domain": "host" if plan.ceph.failure_domain == "server" else "rack",
        "pools": [_pool(one, plan) for one in plan.ceph.pools],
        "filesystem": FILESYSTEM if plan.ceph.metadata_servers else None,
        "clients": dict(_clients({one.name for one in plan.ceph.pools})),
    }


def initial_conf(plan: Plan) -> str:
    """What the first monitor is started with; settings that can change later stand in the cluster's own configuration."""
    networks = {one.name: one for one in plan.networks}
    lines = ["[global]", f"public_network = {_cidr(plan, 'storage')}"]
    if "cluster" in networks and networks["cluster"].carried_by == "cluster":
        lines.append(f"cluster_network = {_cidr(plan, 'cluster')}")
    return "\n".join([*lines, "mon_allow_pool_delete = false", ""])


def _cidr(plan: Plan, name: NetworkName) -> str:
    networks = {one.name: one for one in plan.networks}
    carrier = networks[networks[name].carried_by]
    if carrier.cidr is None:
        raise ValueError(f"the network {name} has no addresses")
    return carrier.cidr


def _labels(plan: Plan, server: PlannedServer) -> list[str]:
    ceph = plan.ceph
    roles = {
        "mon": ceph.monitors,
        "mgr": ceph.managers,
        "rgw": ceph.object_gateways,
        "mds": ceph.metadata_servers,
        "osd": [server.name] if server.osds else [],
    }
    ours = [label for label, names in roles.items() if server.name in names]
    return ["_admin", *ours] if "mon" in ours else ours


def _host(plan: Plan, server: PlannedServer) -> dict[str, Any]:
    addresses = {one.network: one.cidr.partition("/")[0] for interface in server.interfaces for one in interface.addresses}
    host: dict[str, Any] = {
        "service_type": "host",
        "hostname": server.name,
        "addr": addresses["management"],
        "labels": _labels(plan, server),
    }
    if plan.ceph.failure_domain == "rack" and server.location.rack:
        host["location"] = {"root": "default", "rack": server.location.rack}
    return host


def _daemons(plan: Plan) -> Iterator[dict[str, Any]]:
    yield {"service_type": "mon", "placement": {"label": "mon"}}
    yield {"service_type": "mgr", "placement": {"label": "mgr"}}
    if plan.ceph.object_gateways:
        yield {
            "service_type": "rgw",
            "service_id": plan.site,
            "placement": {"label": "rgw"},
            "networks": [_cidr(plan, "storage")],
            "spec": {"rgw_frontend_port": plan.ceph.object_gateway_port},
        }
    if plan.ceph.metadata_servers:
        yield {"service_type": "mds", "service_id": FILESYSTEM, "placement": {"label": "mds"}}


def _osds(server: PlannedServer, method: Method) -> Iterator[dict[str, Any]]:
    """A service for each kind of disk and each database disk: cephadm spreads the data disks of a service over all its database disks."""
    kinds: dict[tuple[str, str | None], list[Osd]] = {}
    for osd in server.osds:
        kinds.setdefault((osd.device_class, osd.database), []).append(osd)
    for (device_class, database), osds in sorted(kinds.items(), key=lambda one: (one[0][0], one[0][1] or "")):
        spec: dict[str, Any] = {
            "method": method,
            "crush_device_class": device_class,
            "data_devices": {"serials": [one.serial for one in osds]},
        }
        if database:
            spec |= {"db_devices": {"serials": [database]}, "block_db_size": osds[0].database_bytes}
        name = "-".join(part for part in (server.name, device_class, (database or "").lower()) if part)
        yield {"service_type": "osd", "service_id": name, "placement": {"hosts": [server.name]}, "spec": spec}


def _ports(plan: Plan, server: PlannedServer) -> Iterator[dict[str, Any]]:
    """Those that stand in the plan one by one. Of a range a daemon takes what is free."""
    addresses = {one.network: one.cidr.partition("/")[0] for interface in server.interfaces for one in interface.addresses}
    carriers = {one.name: one.carried_by for one in plan.networks}
    for one in plan.ports:
        if one.engine == "ceph" and one.protocol == "tcp" and one.last is None and one.role in server.roles:
            address = addresses.get(carriers[one.bind]) if one.bind in carriers else None
            yield {"port": one.port, "service": one.service, **({"address": address} if address else {})}


def _disks(server: PlannedServer) -> Iterator[dict[str, Any]]:
    for osd in server.osds:
        yield {"serial": osd.serial, "wwn": osd.wwn, "bytes": osd.bytes, "wipe": osd.wipe}
    for serial, osd in {one.database: one for one in server.osds if one.database}.items():
        yield {"serial": serial, "wipe": osd.database_wipe}


def _settings(servers: list[PlannedServer]) -> Iterator[dict[str, str]]:
    yield {"who": "osd", "name": "osd_memory_target_autotune", "value": "false"}
    for server in servers:
        if server.osds:
            yield {"who": f"osd/host:{server.name}", "name": "osd_memory_target", "value": str(server.memory.osd_target)}


def _pool(pool: Pool, plan: Plan) -> dict[str, Any]:
    width = pool.copies or (pool.data_chunks or 0) + (pool.coding_chunks or 0)
    groups = plan.ceph.osds * GROUPS_PER_OSD * pool.share // 100 // width
    wishes = {
        "name": pool.name,
        "application": pool.application,
        "copies": pool.copies,
        "minimum": pool.minimum,
        "data_chunks": pool.data_chunks,
        "coding_chunks": pool.coding_chunks,
        "share": pool.share,
        "placement_groups": max(FEWEST_GROUPS, 1 << max(groups.bit_length() - 1, 0)),
    }
    return {name: value for name, value in wishes.items() if value is not None}


def _clients(pools: set[str]) -> Iterator[tuple[str, dict[str, str]]]:
    for name, (writes, reads) in CLIENTS.items():
        write = [f"profile rbd pool={one}" for one in writes if one in pools]
        read = [f"profile rbd-read-only pool={one}" for one in reads if one in pools]
        if write:
            yield name, {"mgr": ", ".join(write), "mon": "profile rbd", "osd": ", ".join([*write, *read])}
