# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the intent that are about engines and disks. The text below a key is what docs/intent.md and editors show."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..records import record
from .selectors import RoleRule

Port = Annotated[int, Field(ge=1, le=65535)]
Copies = Annotated[int, Field(ge=1, le=6)]


@record
class NodeClass:
    """What a server should have; less is a warning."""

    cores: int
    """Cores, all sockets together."""
    memory_gib: int
    """Memory in GiB."""


@record
class Classes:
    """Classes of servers."""

    control: NodeClass = NodeClass(cores=32, memory_gib=256)
    """Servers with the role control."""
    compute: NodeClass = NodeClass(cores=64, memory_gib=512)
    """Servers with the role compute."""


@record
class Disks:
    """Which disks are for what. Patterns are those of a shell; they match the serial, the model or the slot of a disk."""

    os: tuple[str, ...] = ()
    """Disks for the operating system. Without it: a RAID1 volume of small disks, a boot pair, or the two smallest equal disks."""
    osd: tuple[str, ...] = ()
    """Disks that may become OSDs. Without it: all that are large enough and not the system's."""
    never: tuple[str, ...] = ()
    """Disks that are left alone."""
    osd_minimum_gb: int = 100
    """Smaller disks become no OSD."""
    os_minimum_gb: int = 100
    """Smaller disks carry no operating system."""
    database: Literal["auto", "never"] = "auto"
    """Whether faster disks hold the databases of slower OSDs where a server has both."""
    wipe: tuple[str, ...] = ()
    """Disks, or volumes by their name, that may be overwritten though a controller made a volume of them."""


@record
class PoolWish:
    """A pool of Ceph: so many copies, or an erasure code."""

    name: str
    """Its name."""
    application: Literal["rbd", "rgw", "cephfs"]
    """What uses it: block storage, the object gateway or the file system."""
    copies: Copies | None = None
    """How many copies it keeps."""
    data_chunks: Annotated[int, Field(ge=2, le=16)] | None = None
    """With an erasure code: in how many chunks an object is cut."""
    coding_chunks: Annotated[int, Field(ge=1, le=8)] | None = None
    """With an erasure code: how many chunks may be lost."""
    share: Annotated[int, Field(ge=0, le=100)] = 0
    """Its part of the capacity in percent."""


@record
class CephWish:
    """Ceph."""

    copies: Copies = 3
    """How many copies the pools keep, unless `pools` says otherwise."""
    pools: tuple[PoolWish, ...] | None = None
    """The pools. Without it: those that OpenStack, the object gateway and the file system need."""
    monitors: Annotated[int, Field(ge=1, le=9)] | None = None
    """How many monitors. Without it: 5 from five storage servers on, else 3; once planned, the number stays."""
    full_percent: Annotated[int, Field(ge=50, le=95)] = 85
    """How full the cluster may become."""
    osd_memory_gib: Annotated[int, Field(ge=1, le=64)] | None = None
    """Memory for each OSD. Without it: by the kind of its disk."""
    object_gateway: bool = True
    """Whether there is object storage (RGW)."""
    object_gateway_port: Port = 7600
    """Where the object gateway listens. OSDs take 6800 to 7568."""
    file_system: bool = True
    """Whether there is a shared file system (MDS)."""
    monitoring: bool = False
    """Whether cephadm brings its own Prometheus and Grafana. They want the ports of Kolla's."""
    dashboard: bool = False
    """Whether Ceph's dashboard runs."""


@record
class OpenstackWish:
    """OpenStack."""

    distribution: Literal["debian", "ubuntu", "rocky", "centos"] = "debian"
    """The distribution in the containers, which must be the servers' own."""
    engine: Literal["docker", "podman"] = "docker"
    """What runs the containers."""
    vrid: int = 51
    """The number (1 to 255) by which keepalived knows its own on the api network."""
    coordination: Literal["valkey", "etcd"] = "valkey"
    """What services lock with. etcd cannot stand beside a shared FMC."""
    tls: Literal["both", "external", "none"] = "both"
    """On which VIPs APIs speak TLS."""
    external_fqdn: str | None = None
    """The name of the external VIP. Without it: api and the domain."""
    internal_fqdn: str | None = None
    """The name of the internal VIP. Without it: api-int and the domain."""
    octavia: bool = True
    """Whether there are load balancers for guests (Octavia with OVN)."""
    monitoring: bool = True
    """Whether Kolla brings Prometheus and Grafana."""
    logging: bool = True
    """Whether Kolla brings OpenSearch for the logs."""
    masakari: bool = False
    """Whether guests of a dead server are started elsewhere."""
    tenant_mtu: Annotated[int, Field(ge=1280, le=9158)] | None = None
    """The MTU of guests' networks. Without it: what fits into the tunnel network, at most 1500."""
    guest_memory_ratio: Annotated[float, Field(ge=1.0, le=4.0)] = 1.0
    """How many times the memory for guests may be given out."""
    guest_cpu_ratio: Annotated[float, Field(ge=1.0, le=16.0)] = 4.0
    """How many times the cores for guests may be given out."""
    reserved_memory_gib: Annotated[int, Field(ge=0)] | None = None
    """Memory that Nova keeps from guests. Without it: the sum of what else runs on the server."""


@record
class OvnWish:
    """OVN."""

    manager: Literal["kolla", "packages"] = "kolla"
    """Who starts it: Kolla, or the role ovn from packages."""
    gateways: Annotated[int, Field(ge=1)] | None = None
    """How many network servers are gateways. Without it: all of them."""
    relay: bool | None = None
    """Whether chassis ask relays of the Southbound database. Without it: with Kolla, and from 65 chassis on."""


@record
class FmcWish:
    """The Fleet Management Cluster."""

    mode: Literal["shared", "dedicated"] = "shared"
    """On the control servers (shared), or on servers of its own (dedicated)."""
    servers: RoleRule = RoleRule()
    """How many servers, and which."""
    vrid: int = 52
    """As openstack.vrid, for the FMC's VIP."""
    fqdn: str | None = None
    """The name of its VIP. Without it: fmc and the domain."""
    cni: Literal["canal", "calico", "cilium", "flannel"] = "canal"
    """Its network plugin. FIPS needs canal."""
    pods: str = "10.42.0.0/16"
    """The network of its pods. It cannot be changed later."""
    services: str = "10.43.0.0/16"
    """The network of its services. It cannot be changed later."""
    ingress: Literal["traefik", "ingress-nginx", "none"] = "traefik"
    """Its ingress controller."""
    http_port: Port | None = None
    """Where the ingress takes HTTP. Without it: 80 on servers of its own, another port beside Kolla."""
    https_port: Port | None = None
    """Where the ingress takes HTTPS. Without it: 443 on servers of its own, another port beside Kolla."""
    memory_gib: Annotated[int, Field(ge=8)] = 48
    """Memory for the cluster on each of its servers."""
    cores: Annotated[int, Field(ge=2)] = 8
    """Cores for the cluster on each of its servers."""
    cis: bool = True
    """Whether RKE2's CIS profile is on."""
    fips: bool = False
    """Whether the servers' kernels run in FIPS mode."""


@record
class Stretch:
    """Ceph stretched over two sites, with a third that breaks ties."""

    sites: tuple[str, str]
    """The two sites that hold data, by their names in the hardware document."""
    arbiter: str
    """The site with one monitor and nothing else."""
