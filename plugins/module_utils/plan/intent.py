# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The intent: what the operator wants of a site (`vitro_site`). What is not said has a default; what cannot have one is required."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from ..documents import mistakes
from ..errors import VitroError, counted, numbered
from ..records import record
from .types import NetworkName, Versions

GIB = 1024**3
Moves = Literal["addresses", "monitors", "names", "osds", "roles"]


@record
class Network:
    """`ranges` are the addresses that servers get, by default all; `reserved` belong to others: switches, DHCP, floating IPs."""

    cidr: str | None = None
    vlan: Annotated[int, Field(ge=1, le=4094)] | None = None
    mtu: Annotated[int, Field(ge=576, le=9216)] = 1500
    gateway: str | None = None
    ranges: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()


@record
class Networks:
    """A network that is not given is carried by another one: see `CARRIERS` in networks.py."""

    management: Network
    external: Network
    api: Network | None = None
    public: Network | None = None
    tunnel: Network | None = None
    storage: Network | None = None
    cluster: Network | None = None
    migration: Network | None = None
    fmc: Network | None = None


@record
class Link:
    """One or more ports of each server that carry the same networks. `adapter` and `speed_mbps` narrow down which ports."""

    networks: tuple[NetworkName, ...]
    ports: Annotated[int, Field(ge=1, le=4)] = 2
    bond: Literal["802.3ad", "active-backup"] = "802.3ad"
    speed_mbps: int | None = None
    adapter: str | None = None


@record
class Vips:
    """Addresses that move between servers. One that is not given is taken from the end of its network's ranges."""

    internal: str | None = None
    external: str | None = None
    fmc: str | None = None


@record
class Selector:
    """Servers that match all that is given; each is a pattern as a shell has them, and case does not matter."""

    serial: str | None = None
    name: str | None = None
    rack: str | None = None
    model: str | None = None
    site: str | None = None


@record
class RoleRule:
    """`only` says which servers may, `pin` which must, `never` which must not have the role."""

    count: Annotated[int, Field(ge=0)] | None = None
    only: tuple[Selector, ...] = ()
    pin: tuple[Selector, ...] = ()
    never: tuple[Selector, ...] = ()


@record
class Roles:
    control: RoleRule = RoleRule()
    network: RoleRule = RoleRule()
    compute: RoleRule = RoleRule()
    storage: RoleRule = RoleRule()
    monitoring: RoleRule = RoleRule()
    spare: RoleRule = RoleRule()


@record
class NodeClass:
    """What a server of a class should have; less is a warning."""

    cores: int
    memory_gib: int


@record
class Classes:
    control: NodeClass = NodeClass(cores=32, memory_gib=256)
    compute: NodeClass = NodeClass(cores=64, memory_gib=512)


@record
class Disks:
    """`os`, `osd` and `never` narrow the choice by serial, model or slot; `wipe` allows disks that have a volume on them."""

    os: tuple[str, ...] = ()
    osd: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    osd_minimum_gb: int = 100
    os_minimum_gb: int = 100
    database: Literal["auto", "never"] = "auto"
    wipe: tuple[str, ...] = ()


@record
class PoolWish:
    """A pool: so many copies, or an erasure code of data and coding chunks; `share` is its part of the capacity in percent."""

    name: str
    application: Literal["rbd", "rgw", "cephfs"]
    copies: Annotated[int, Field(ge=1, le=6)] | None = None
    data_chunks: Annotated[int, Field(ge=2, le=16)] | None = None
    coding_chunks: Annotated[int, Field(ge=1, le=8)] | None = None
    share: Annotated[int, Field(ge=0, le=100)] = 0


@record
class CephWish:
    """Without `pools` the site gets those that OpenStack, the object gateway and the file system need, `copies` times each."""

    copies: Annotated[int, Field(ge=1, le=6)] = 3
    pools: tuple[PoolWish, ...] | None = None
    monitors: Annotated[int, Field(ge=1, le=9)] | None = None
    full_percent: Annotated[int, Field(ge=50, le=95)] = 85
    osd_memory_gib: Annotated[int, Field(ge=1, le=64)] | None = None
    object_gateway: bool = True
    object_gateway_port: Annotated[int, Field(ge=1, le=65535)] = 7480
    file_system: bool = True
    monitoring: bool = False
    dashboard: bool = False


@record
class OpenstackWish:
    distribution: Literal["debian", "ubuntu", "rocky", "centos"] = "debian"
    engine: Literal["podman", "docker"] = "podman"
    vrid: int = 51
    coordination: Literal["valkey", "etcd"] = "valkey"
    tls: Literal["both", "external", "none"] = "both"
    external_fqdn: str | None = None
    internal_fqdn: str | None = None
    octavia: bool = True
    monitoring: bool = True
    logging: bool = True
    masakari: bool = False
    tenant_mtu: Annotated[int, Field(ge=1280, le=9158)] | None = None
    guest_memory_ratio: Annotated[float, Field(ge=1.0, le=4.0)] = 1.0
    guest_cpu_ratio: Annotated[float, Field(ge=1.0, le=16.0)] = 4.0
    reserved_memory_gib: Annotated[int, Field(ge=0)] | None = None


@record
class OvnWish:
    manager: Literal["kolla", "packages"] = "kolla"
    gateways: Annotated[int, Field(ge=1)] | None = None


@record
class FmcWish:
    """The Fleet Management Cluster: on the control servers (shared), or on servers of its own (dedicated)."""

    mode: Literal["shared", "dedicated"] = "shared"
    servers: RoleRule = RoleRule()
    vrid: int = 52
    fqdn: str | None = None
    cni: Literal["canal", "calico", "cilium", "flannel"] = "canal"
    pods: str = "10.42.0.0/16"
    services: str = "10.43.0.0/16"
    ingress: Literal["traefik", "ingress-nginx", "none"] = "traefik"
    http_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    https_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    memory_gib: Annotated[int, Field(ge=8)] = 48
    cores: Annotated[int, Field(ge=2)] = 8
    cis: bool = True
    fips: bool = False


@record
class Stretch:
    """Two sites that hold data and one that only breaks ties, by the sites' names in the hardware document."""

    sites: tuple[str, str]
    arbiter: str


@record
class Intent:
    """`replaced` maps the serial of a server that was planned to that of the one in its place; `removed` are gone for good."""

    name: Annotated[str, Field(pattern=r"^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$")]
    domain: str
    networks: Networks
    registry: str | None = None
    ntp: tuple[str, ...] = ()
    dns: tuple[str, ...] = ()
    layout: Literal["hci", "split", "mixed"] = "hci"
    failure_domain: Literal["auto", "server", "rack"] = "auto"
    links: Mapping[str, Link] | None = None
    vips: Vips = Vips()
    roles: Roles = Roles()
    exclude: tuple[Selector, ...] = ()
    classes: Classes = Classes()
    name_format: str = "{site}-{number:02d}"
    names: Mapping[str, str] = field(default_factory=dict)
    disks: Disks = Disks()
    ceph: CephWish = CephWish()
    openstack: OpenstackWish = OpenstackWish()
    ovn: OvnWish = OvnWish()
    fmc: FmcWish = FmcWish()
    stretch: Stretch | None = None
    versions: Versions = Versions()
    vrids_in_use: tuple[int, ...] = ()
    replaced: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    allow_moves: tuple[Moves, ...] = ()


ADAPTER = TypeAdapter(Intent)


class IntentRefused(VitroError):
    """Every mistake in the form of the intent, at once."""

    code = "intent"
    cure = "Correct it where vitro_site is set; docs/schema/intent.json lets an editor check it while you write"

    def __init__(self, found: list[str]) -> None:
        super().__init__(f"Cannot use vitro_site, {counted(len(found), 'mistake')}: {numbered(found)}")
        self.mistakes = found


def parse_intent(given: Mapping[str, Any]) -> Intent:
    """The intent in what Ansible hands over. JSON lies between, since only there a list may become a tuple."""
    try:
        return ADAPTER.validate_json(json.dumps(given))
    except ValidationError as exc:
        raise IntentRefused(mistakes(exc, ADAPTER)) from None
