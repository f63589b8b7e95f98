# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports that somebody moved onto those that the plan gives to another service on the same server and address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..plan.types import Port
from .check_read import GLOBALS, Site
from .effective import UNKNOWN, to_int
from .findings import Finding, Kind

PORT_TAKEN = Kind(
    "port_taken",
    "Two services would listen on one port of one address",
    "Use a port that is free there; the report of the plan lists all ports",
    "Checks each port once nothing listens yet, so both pass and the second one does not start",
)


def check_ports(site: Site) -> Iterator[Finding]:
    yield from _gateways(site)
    for key, given in sorted(site.variables.extra.items()):
        if key.endswith("_port") and key in site.variables.defaults:
            new, old = to_int(site.variables.value(key)), to_int(site.variables.default(key))
            if new is not None and old is not None and new != old:
                moved = [one for one in site.plan.ports if one.engine in ("kolla", "ovn") and one.port == old and _meant(key, one)]
                yield from _clashes(site, moved, new, given.file, key)
    yield from _services(site)


def _meant(key: str, port: Port) -> bool:
    """Whether a key moves this one: keys of services end in _listen_port, those of the load balancer's outer side in _public_port."""
    if key.endswith("_listen_port"):
        return not port.bind.startswith("vip:")
    return port.bind == "vip:external" if key.endswith("_public_port") else True


def _clashes(site: Site, moved: Sequence[Port], number: int, file: str, key: str) -> Iterator[Finding]:
    services = {one.service for one in moved}
    for other in site.plan.ports:
        if not other.port <= number <= (other.last or other.port) or other.service in services:
            continue
        for one in moved:
            hosts = _shared(site, one, other)
            if hosts and one.protocol == other.protocol and _meet(site, one.bind, other.bind):
                text = f"{one.service} would listen on {number}, which is {other.service}'s ({other.engine}) on {', '.join(hosts[:4])}"
                yield PORT_TAKEN.of(file, text, key=key, value=number, host=hosts[0])
                return


def _shared(site: Site, one: Port, other: Port) -> list[str]:
    return [name for name, server in site.servers.items() if one.role in server.roles and other.role in server.roles]


def _meet(site: Site, one: str, other: str) -> bool:
    """Whether two binds have an address in common."""
    carriers = {network.name: network.carried_by for network in site.plan.networks}
    first, second = (carriers.get(bind, bind) for bind in (one, other))  # type: ignore[call-overload]
    return first == second or "all" in (first, second)


def _gateways(site: Site) -> Iterator[Finding]:
    """The object gateways are Ceph's, and listen on all addresses."""
    hosts: Any = site.variables.value("ceph_rgw_hosts")
    planned = site.plan.ceph.object_gateway_port
    if hosts is UNKNOWN or not isinstance(hosts, list) or not site.variables.true("enable_ceph_rgw"):
        return
    for one in (one for one in hosts if isinstance(one, dict) and str(one.get("host")) in site.servers):
        port = to_int(one.get("port"))
        if port is None or port == planned:
            continue
        roles = site.servers[str(one["host"])].roles
        taken = [other for other in site.plan.ports if other.port <= port <= (other.last or other.port) and other.role in roles]
        said = f"it is {taken[0].service}'s ({taken[0].engine}) there" if taken else f"the plan has {planned}"
        text = f"the object gateway on {one['host']} is expected on {port}; {said}"
        yield PORT_TAKEN.of(site.variables.file("ceph_rgw_hosts"), text, key="ceph_rgw_hosts", value=port, host=str(one["host"]))


def _services(site: Site) -> Iterator[Finding]:
    """Services that somebody switched on beside the planned ones."""
    given = {key for key, setting in site.variables.extra.items() if setting.file != GLOBALS}
    known = {one.port for one in site.plan.ports if one.engine in ("kolla", "ovn")}
    for name in sorted(key.removeprefix("enable_") for key in given if key.startswith("enable_") and site.variables.true(key)):
        hosts = site.hosts(name.replace("_", "-"))
        ports = {to_int(site.variables.value(key)) for key in _own_ports(site, name)} - known
        taken = [
            (port, host, one)
            for port in sorted(filter(None, ports))
            for one in site.plan.ports
            for host in hosts
            if _holds(site, one, port, host)
        ]
        for port, host, one in taken[:1]:
            text = f"{name} would listen on {port}, which is {one.service}'s ({one.engine}) on {host}"
            yield PORT_TAKEN.of(site.variables.file(f"enable_{name}"), text, key=f"enable_{name}", value=port, host=host)


def _own_ports(site: Site, name: str) -> list[str]:
    """The keys of ports that a service listens on; one that follows another is that of a service which it calls."""
    defaults = site.variables.defaults
    return [key for key in defaults if key.startswith(f"{name}_") and key.endswith("_port") and to_int(defaults[key]) is not None]


def _holds(site: Site, port: Port, number: int, host: str) -> bool:
    """Whether a planned port is taken on the API address of a host."""
    here = port.role in site.servers[host].roles
    return here and port.protocol == "tcp" and port.port <= number <= (port.last or port.port) and _meet(site, "api", port.bind)
