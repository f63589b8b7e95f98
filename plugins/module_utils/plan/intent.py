# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The intent: what the operator wants of a site (`vitro_site`). The text below a key is what docs/intent.md and editors show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from ..documents import mistakes
from ..errors import VitroError, counted, numbered
from ..records import record
from .selectors import Roles, Selector
from .servers import NetworkName
from .types import Versions
from .wishes import CephWish, Classes, Disks, FmcWish, OpenstackWish, OvnWish, Stretch

Moves = Literal["addresses", "monitors", "names", "osds", "roles"]


@record
class Network:
    """A network of the site."""

    cidr: str | None = None
    """Its addresses, such as 192.0.2.0/24. Only external may be without."""
    vlan: Annotated[int, Field(ge=1, le=4094)] | None = None
    """Its VLAN. Without it: untagged."""
    mtu: Annotated[int, Field(ge=576, le=9216)] = 1500
    """Its MTU, which the switches must have too."""
    gateway: str | None = None
    """Its router. The default route of a server goes to that of management."""
    ranges: tuple[str, ...] = ()
    """Addresses that servers and VIPs get: first-last, one address, or a network. Without it: all. Of external: floating IPs."""
    reserved: tuple[str, ...] = ()
    """Addresses that belong to others: switches, DHCP."""


@record
class Networks:
    """The networks. One that is not given is carried by another."""

    management: Network
    """Where servers are reached, and their default route."""
    external: Network
    """The way out for guests. Servers get no address in it."""
    api: Network | None = None
    """The APIs among themselves, and the internal VIP. Carried by management."""
    public: Network | None = None
    """The outer APIs and the external VIP. Carried by api."""
    tunnel: Network | None = None
    """Guests' networks, in Geneve tunnels. Carried by api."""
    storage: Network | None = None
    """Ceph and its clients. Carried by api."""
    cluster: Network | None = None
    """Ceph's copies among themselves. Carried by storage."""
    migration: Network | None = None
    """Moving guests. Carried by api."""
    fmc: Network | None = None
    """The Fleet Management Cluster and its VIP. Carried by management."""


@record
class Link:
    """Ports of each server that carry the same networks."""

    networks: tuple[NetworkName, ...]
    """Which networks. One without its own addresses goes with the one that carries it."""
    ports: Annotated[int, Field(ge=1, le=4)] = 2
    """How many ports; more than one make a bond."""
    bond: Literal["802.3ad", "active-backup"] = "802.3ad"
    """How the bond works; 802.3ad needs LACP on the switches."""
    speed_mbps: int | None = None
    """Ports of at least this speed. Without it: the fastest that are left."""
    adapter: str | None = None
    """Ports of adapters that match this pattern."""


@record
class Vips:
    """Addresses that move between servers. One that is not given is the last free one of its network's ranges."""

    internal: str | None = None
    """For the services among themselves, in api."""
    external: str | None = None
    """For users, in public."""
    fmc: str | None = None
    """For the Fleet Management Cluster, in fmc."""


@record
class Intent:
    """The site."""

    name: Annotated[str, Field(pattern=r"^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$")]
    """The site's name: lower-case letters, digits and dashes."""
    domain: str
    """What FQDNs end in."""
    networks: Networks
    """The networks."""
    registry: str | None = None
    """The registry that has all container images: host and port. Kolla refuses to go without."""
    ntp: tuple[str, ...] = ()
    """Time servers."""
    dns: tuple[str, ...] = ()
    """Name servers."""
    layout: Literal["hci", "split", "mixed"] = "hci"
    """hci: every server does everything. split: control, compute and storage apart. mixed: control apart from the others."""
    failure_domain: Literal["auto", "server", "rack"] = "auto"
    """What holds one copy of an object at most. auto: racks where they are known, many enough and equal enough; else servers."""
    links: Mapping[str, Link] | None = None
    """Links by name. Without it: main with all networks but external, provider with external, two ports each."""
    vips: Vips = Vips()
    """The VIPs."""
    roles: Roles = Roles()
    """Who does what."""
    exclude: tuple[Selector, ...] = ()
    """Servers that are left out."""
    classes: Classes = Classes()
    """What servers should have."""
    name_format: str = "{site}-{number:02d}"
    """How servers are named: of {site}, {number}, {rack}, {unit} and {serial}. A name stays once it is given."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names by serial, for servers that shall not be named by the format."""
    disks: Disks = Disks()
    """Which disks are for what."""
    ceph: CephWish = CephWish()
    """Ceph."""
    openstack: OpenstackWish = OpenstackWish()
    """OpenStack."""
    ovn: OvnWish = OvnWish()
    """OVN."""
    fmc: FmcWish = FmcWish()
    """The Fleet Management Cluster."""
    stretch: Stretch | None = None
    """Ceph stretched over sites. Without it: one site."""
    versions: Versions = Versions()
    """One exact version of each engine. Sets that do not fit are refused."""
    vrids_in_use: tuple[int, ...] = ()
    """VRRP numbers that others use in the api and fmc networks: other sites, routers."""
    replaced: Mapping[str, str] = field(default_factory=dict)
    """Servers that were replaced: the old serial, and the new one, which takes over name, addresses and places."""
    removed: tuple[str, ...] = ()
    """Serials of servers that are gone for good."""
    allow_moves: tuple[Moves, ...] = ()
    """What may move that was planned otherwise before. Without it: nothing."""


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
