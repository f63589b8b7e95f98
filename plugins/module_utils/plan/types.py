# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The site plan: the one document that crosses stages. Sizes are bytes, `server` is always a planned name, None is "not known"."""

from __future__ import annotations

from typing import Final, Literal

from ..records import record
from .servers import NetworkName, PlannedServer, Role

SCHEMA: Final = "vitro/plan/1"

FailureDomain = Literal["server", "rack"]


@record
class Objection:
    """`subject` is a server, a part of one, or a key of the intent; `path` is that key, where one is to blame."""

    code: str
    subject: str
    text: str
    why: str
    cure: str
    path: str | None = None


@record
class Choice:
    what: str
    chosen: str
    why: str


@record
class PlannedNetwork:
    """`carried_by` is the network whose addresses and interface it uses, itself where it has its own."""

    name: NetworkName
    carried_by: NetworkName
    link: str
    cidr: str | None
    vlan: int | None
    mtu: int
    gateway: str | None = None


@record
class PlannedLink:
    name: str
    networks: tuple[NetworkName, ...]
    ports: int
    bond: Literal["802.3ad", "active-backup"] | None


@record
class Vip:
    name: Literal["internal", "external", "fmc"]
    address: str
    prefix: int
    network: NetworkName
    fqdn: str
    vrid: int
    servers: tuple[str, ...]


@record
class Port:
    """Something that listens on every server with the role. `bind` is a network, a VIP (`vip:internal`), `loopback`, or `all`;
    `last` ends a range of ports."""

    port: int
    protocol: Literal["tcp", "udp"]
    service: str
    engine: Literal["kolla", "ceph", "rke2", "ovn", "host"]
    role: Role
    bind: str
    last: int | None = None


@record
class Pool:
    name: str
    application: Literal["rbd", "rgw", "cephfs"]
    copies: int | None = None
    minimum: int | None = None
    data_chunks: int | None = None
    coding_chunks: int | None = None
    share: int = 0


@record
class CephPlan:
    """`usable_bytes` is what may be stored when everything is well, `safe_bytes` what still fits after the loss of the largest domain."""

    failure_domain: FailureDomain
    monitors: tuple[str, ...]
    managers: tuple[str, ...]
    object_gateways: tuple[str, ...] = ()
    object_gateway_port: int | None = None
    metadata_servers: tuple[str, ...] = ()
    pools: tuple[Pool, ...]
    osds: int
    raw_bytes: int
    usable_bytes: int
    safe_bytes: int
    full_percent: int
    monitoring: bool = False
    dashboard: bool = False
    stretch_sites: tuple[str, ...] = ()
    arbiter: str | None = None


@record
class OpenstackPlan:
    distribution: str
    engine: Literal["docker", "podman"]
    coordination: Literal["valkey", "etcd"]
    tls: Literal["both", "external", "none"]
    octavia: bool
    monitoring: bool
    logging: bool
    masakari: bool
    tenant_mtu: int
    guest_memory_ratio: float
    guest_cpu_ratio: float


@record
class OvnTimers:
    """How long Raft waits before it elects, how long a silent connection lives, and how often BFD asks."""

    election_ms: int = 2000
    probe_ms: int = 10000
    bfd_ms: int = 1000


@record
class OvnPlan:
    manager: Literal["kolla", "packages"]
    databases: tuple[str, ...]
    gateways: tuple[str, ...]
    chassis: int
    relay: bool
    relays: int = 0
    timers: OvnTimers = OvnTimers()


@record
class FmcPlan:
    mode: Literal["shared", "dedicated"]
    servers: tuple[str, ...]
    cni: str
    pods: str
    services: str
    ingress: str
    http_port: int | None
    https_port: int | None
    cis: bool
    fips: bool


@record
class Loss:
    """What one loss does; `what` are all elements whose loss does the same. `ok` says that every service and all data stay."""

    kind: Literal["server", "rack", "site", "disk", "port", "adapter"]
    what: tuple[str, ...]
    ok: bool
    effects: tuple[str, ...]


@record
class Versions:
    """One exact version of each engine; versions_table.py says which go together."""

    os: str = "debian-13"
    """The operating system of the servers."""
    openstack: str = "2026.1"
    """OpenStack."""
    kolla_ansible: str = "22.2.0"
    """kolla-ansible, which deploys it."""
    ceph: str = "tentacle"
    """Ceph, by the name of its release."""
    ovn: str = "26.03"
    """OVN."""
    rke2: str = "v1.35.7+rke2r1"
    """RKE2, in the FMC and in workload clusters."""
    capi: str = "v1.13.5"
    """Cluster API."""
    caprke2: str = "v0.25.0"
    """Its provider for RKE2."""
    capo: str = "v0.14.7"
    """Its provider for OpenStack."""
    korc: str = "v2.6.0"
    """K-ORC."""
    cloud_provider: str = "v1.35.0"
    """OpenStack's cloud controller and Cinder CSI in workload clusters."""
    argocd: str = "v3.5.1"
    """Argo CD."""


@record
class Plan:
    """`objections` is empty in a plan that may be applied; `warnings` hinder nothing."""

    site: str
    domain: str
    applicable: bool
    layout: Literal["hci", "split", "mixed"]
    servers: tuple[PlannedServer, ...]
    networks: tuple[PlannedNetwork, ...]
    links: tuple[PlannedLink, ...]
    vips: tuple[Vip, ...]
    ports: tuple[Port, ...]
    ceph: CephPlan
    openstack: OpenstackPlan
    ovn: OvnPlan
    fmc: FmcPlan
    losses: tuple[Loss, ...]
    versions: Versions
    registry: str | None
    ntp: tuple[str, ...]
    dns: tuple[str, ...]
    choices: tuple[Choice, ...]
    objections: tuple[Objection, ...]
    warnings: tuple[Objection, ...]
    schema: Literal["vitro/plan/1"] = SCHEMA
