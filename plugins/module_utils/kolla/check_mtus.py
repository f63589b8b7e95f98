# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What guests' packets grow to, and whether the tunnels carry that."""

from __future__ import annotations

from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as ConfigError
from typing import Final

from .check_interfaces import face_of
from .check_read import HOST_VARS, Site
from .effective import to_int
from .findings import Finding, Kind
from .hosts import version
from .tree import File

# Geneve with Kolla's max_header_size, and the IP header around it: what Neutron takes off path_mtu.
OVERHEAD: Final = {4: 38 + 20, 6: 38 + 40}
NEUTRON, ML2 = "config/neutron.conf", "config/neutron/ml2_conf.ini"
PLAIN_MTU: Final = 1500

MTU_DIFFERS = Kind(
    "mtu_differs",
    "One kind of traffic has different MTUs on different hosts",
    "Use interfaces of one network on all hosts",
    "Passes; large packets are lost between some hosts",
)
MTU_TUNNEL = Kind(
    "mtu_tunnel",
    "Packets of guests with their overhead do not fit into the tunnel interface",
    "Lower path_mtu in config/neutron/ml2_conf.ini and global_physnet_mtu, or plan a tunnel network with a larger MTU",
    "Has no key for MTUs and checks none; guests' large packets are lost",
)
MTU_GUESTS = Kind(
    "mtu_guests",
    "Guests get a smaller MTU than the plan promises",
    "Raise path_mtu in config/neutron/ml2_conf.ini and global_physnet_mtu in config/neutron.conf, or lower tenant_mtu in the intent",
    "Has no key for MTUs and checks none",
)


def check_mtus(site: Site) -> Iterator[Finding]:
    hosts = site.hosts("network", "compute")
    faces = {host: face_of(site.servers[host], site.variables.text("tunnel_interface", host) or "") for host in hosts}
    mtus = {host: face.mtu for host, face in faces.items() if face}
    if not mtus:
        return
    usual = max(mtus.values(), key=list(mtus.values()).count)
    for host in (host for host, mtu in mtus.items() if mtu != usual):
        text = f"the tunnel interface has MTU {mtus[host]} on {host} and {usual} on the others"
        yield MTU_DIFFERS.of(f"{HOST_VARS}{host}.yml", text, key="tunnel_interface", value=mtus[host], host=host)
    physical = _option(site.tree.get(NEUTRON), "DEFAULT", "global_physnet_mtu", PLAIN_MTU)
    path = _option(site.tree.get(ML2), "ml2", "path_mtu", 0)
    if physical is None or path is None:
        return
    largest = min(physical, path) if path else physical
    file, key = (ML2, "path_mtu") if path and path <= physical else (NEUTRON, "global_physnet_mtu")
    guests = largest - OVERHEAD[version(site.plan, "tunnel")]
    for host in (host for host, mtu in mtus.items() if largest > mtu == usual):
        text = f"packets of up to {largest} bytes go through {faces[host].name} with MTU {mtus[host]} on {host}"  # type: ignore[union-attr]
        yield MTU_TUNNEL.of(file, text, key=key, value=largest, host=host)
    if guests < site.plan.openstack.tenant_mtu:
        text = f"guests get an MTU of {guests}; the plan promises {site.plan.openstack.tenant_mtu}"
        yield MTU_GUESTS.of(file, text, key=key, value=largest)


def _option(file: File | None, section: str, key: str, otherwise: int) -> int | None:
    """A number in an override file; None if it cannot be told."""
    parser = ConfigParser(interpolation=None, strict=False, default_section="\0")
    try:
        parser.read_string(file.text if file else "")
    except ConfigError:
        return None
    return to_int(parser.get(section, key, fallback=str(otherwise)))
