# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of the plan: its roles, interfaces, disks and shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..bmc.hardware import Location
from ..records import record

Role = Literal["control", "network", "compute", "storage", "monitoring", "fmc", "arbiter", "spare"]
NetworkName = Literal["management", "api", "public", "tunnel", "storage", "cluster", "migration", "fmc", "external"]


@record
class Address:
    """`cidr` has the prefix length; `gateway` only where the default route goes out.

    `mtu` is set where the network's MTU is smaller than that of its interface, which carries VLANs with a larger one. A host sets it on all
    routes of this address, that of its own network and the default route: `[Route] MTUBytes=` of systemd-networkd, `ip route ... mtu`.
    """

    network: NetworkName
    cidr: str
    gateway: str | None = None
    mtu: int | None = None


@record
class Interface:
    """One interface as a host has to make it. Physical ones are found by their MAC; those of the `external` network have no address."""

    name: str
    kind: Literal["physical", "bond", "vlan"]
    link: str
    mtu: int
    mac: str | None = None
    adapter: str | None = None
    port: str | None = None
    speed_mbps: int | None = None
    members: tuple[str, ...] = ()
    mode: Literal["802.3ad", "active-backup"] | None = None
    parent: str | None = None
    vlan: int | None = None
    addresses: tuple[Address, ...] = ()


@record
class OsDisk:
    """The disks under the operating system: a volume of a controller, two disks to mirror, or one.

    `redundant` says whether it outlives the death of one of them; a volume does so only at a RAID level that is known to.
    """

    kind: Literal["volume", "mirror", "single"]
    serials: tuple[str, ...]
    bytes: int
    volume: str | None = None
    redundant: bool = True


@record
class Osd:
    """A disk that becomes an OSD, by what stays with it; `database` is the serial of the faster disk that holds its DB and WAL."""

    serial: str
    wwn: str | None
    bytes: int
    device_class: Literal["hdd", "ssd", "nvme"]
    slot: str | None = None
    database: str | None = None
    database_bytes: int = 0
    wipe: bool = False
    database_wipe: bool = False


@record
class MemoryShares:
    total: int
    system: int = 0
    osd: int = 0
    osd_target: int = 0
    control: int = 0
    fmc: int = 0
    compute: int = 0
    guests: int = 0


@record
class CpuShares:
    """Cores; `guests` is what Nova may hand out before its ratio."""

    total: int
    system: int = 0
    osd: int = 0
    control: int = 0
    fmc: int = 0
    guests: int = 0


@record
class PlannedServer:
    """`id` is the server's id in the hardware document. A server that left is `absent` until the operator says what became of it."""

    id: str
    name: str
    fqdn: str
    state: Literal["present", "absent"]
    roles: tuple[Role, ...]
    location: Location
    bmc: str
    model: str | None = None
    serial: str | None = None
    interfaces: tuple[Interface, ...] = ()
    traffic: Mapping[NetworkName, str]
    os_disk: OsDisk | None = None
    osds: tuple[Osd, ...] = ()
    memory: MemoryShares
    cpu: CpuShares
    reasons: tuple[str, ...] = ()
