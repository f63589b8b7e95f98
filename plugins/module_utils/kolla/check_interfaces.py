# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each host's interfaces, against those that the plan gives it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..plan.servers import Interface, PlannedServer
from .check_read import HOST_VARS, Site
from .findings import Finding, Kind
from .tree import nearest

EXTERNAL, BRIDGES, PHYSICAL = "neutron_external_interface", "neutron_bridge_name", "neutron_physical_networks"
# Which traffic of the plan each key is for, and the hosts of which groups use it.
USES: Final = {
    "network_interface": ("management", ("baremetal",)),
    "api_interface": ("api", ("baremetal",)),
    "kolla_external_vip_interface": ("public", ("loadbalancer",)),
    "tunnel_interface": ("tunnel", ("network", "compute")),
    "migration_interface": ("migration", ("compute",)),
    "dns_interface": ("public", ("designate",)),
    "octavia_network_interface": ("api", ("octavia-health-manager",)),
}
# Keys that are on only with some service.
ONLY_WITH = {"dns_interface": "enable_designate", "octavia_network_interface": "octavia_auto_configure"}
PER_HOST = frozenset({*USES, EXTERNAL, "ironic_http_interface", "ironic_tftp_interface", "bifrost_network_interface"})
LONGEST: Final = 15

IN_GLOBALS = Kind(
    "interface_in_globals",
    "An interface stands in globals, where it wins over every host's own",
    "Move it to inventory/host_vars, or to group_vars of a named group",
    "Takes it for all hosts",
)
UNKNOWN_INTERFACE = Kind(
    "interface_unknown",
    "A host has no interface of this name by the plan",
    "Correct the name in the host's file, or plan the interface: the role host_base makes what is planned",
    "Tells it of api_interface and of the external VIP's, once the host runs; never of neutron_external_interface",
)
MISSING = Kind(
    "interface_missing",
    "A host does not say which interface to use",
    "Render the topology again: frontier.vitro.render",
    "Uses eth0, or eth1 for the external one, and fails if there is none",
)
LONG = Kind(
    "interface_long",
    "A name is longer than the kernel allows",
    f"Use at most {LONGEST} characters",
    "Passes; the bridge or port cannot be made",
)
ADDRESSES = Kind(
    "interface_addresses",
    "An interface that carries traffic has no address, or more than one",
    "Use an interface with exactly one planned address: Kolla takes the first that it sees",
    "Tells a missing one of api_interface; takes the first of several",
)
NETWORK = Kind(
    "interface_network",
    "An interface is in another network than the plan has for this traffic",
    "Use the interface that the plan has for it, or change the plan: addresses, MTU and firewalls go by it",
    "Knows no plan",
)
EXTERNAL_ADDRESS = Kind(
    "external_address",
    "The external interface has an address, which is lost when it joins the bridge",
    "Use an interface without an address",
    "Passes; the host loses the address",
)
EXTERNAL_CARRIES = Kind(
    "external_carries",
    "The external interface carries other traffic of the host",
    "Use an interface of its own, or a VLAN of its own on the bond: what joins the bridge is lost to the host",
    "Passes; the host is cut off when the bridge is made",
)
EXTERNAL_LISTS = Kind(
    "external_lists",
    "Interfaces, bridges and physical networks are not equally many",
    "Give the three lists the same number of entries, in the same order",
    "Stops, and names a variable that does not exist (neutron_internal_interface)",
)


def check_interfaces(site: Site) -> Iterator[Finding]:
    yield from _globals(site)
    for host, server in site.servers.items():
        if host in site.inventory.hosts:
            for key, (network, groups) in USES.items():
                if host in site.hosts(*groups) and _is_used(site, key):
                    yield from _carrying(site, server, key, network)
            if host in site.hosts("network", "compute"):
                yield from _external(site, server)


def _is_used(site: Site, key: str) -> bool:
    """Kolla itself makes the interface of amphorae in a tenant network."""
    if key == "octavia_network_interface" and site.variables.text("octavia_network_type") == "tenant":
        return False
    return key not in ONLY_WITH or site.variables.true(ONLY_WITH[key])


def _globals(site: Site) -> Iterator[Finding]:
    for key in sorted(PER_HOST & site.variables.extra.keys()):
        given = site.variables.extra[key]
        yield IN_GLOBALS.of(given.file, f"`{key}` in {given.file} wins over every host's own", key=key, value=given.value)


def _carrying(site: Site, server: PlannedServer, key: str, network: str) -> Iterator[Finding]:
    """An interface that needs exactly one address. What stands in globals is told once, there."""
    name = site.variables.text(key, server.name)
    if name is None or key in site.variables.extra:
        return
    if not site.variables.setting(key, server.name) and name not in _names(server):
        said = f"no file sets `{key}` for {server.name}; Kolla takes `{name}`"
        yield MISSING.of(_file(site, key, server), said, key=key, value=name, host=server.name)
        return
    face = face_of(server, name)
    if face is None:
        yield _unknown(site, server, key, name)
        return
    where = {"key": key, "value": name, "host": server.name}
    planned = server.traffic.get(network)  # type: ignore[call-overload]
    if len(face.addresses) != 1:
        text = f"{name} has {len(face.addresses)} addresses on {server.name}"
        yield ADDRESSES.of(_file(site, key, server), text, **where)
    elif planned and name != planned:
        text = f"the {network} network is on {planned} on {server.name}; {name} has {face.addresses[0].cidr} ({face.addresses[0].network})"
        yield NETWORK.of(_file(site, key, server), text, **where)


def _external(site: Site, server: PlannedServer) -> Iterator[Finding]:
    given = {key: site.variables.text(key, server.name) for key in (EXTERNAL, BRIDGES, PHYSICAL)}
    names, bridges, physical = (_listed(text) if text is not None else None for text in given.values())
    file = _file(site, EXTERNAL, server)
    if names is not None and EXTERNAL not in site.variables.extra:
        if not site.variables.setting(EXTERNAL, server.name) and not set(names) <= set(_names(server)):
            said = f"no file sets `{EXTERNAL}` for {server.name}; Kolla takes `{given[EXTERNAL]}`"
            yield MISSING.of(file, said, key=EXTERNAL, value=given[EXTERNAL], host=server.name)
        else:
            for name in names:
                yield from _bridged(site, server, name)
    for bridge in bridges or ():
        if len(bridge) > LONGEST:
            yield LONG.of(
                _file(site, BRIDGES, server), f"`{bridge}` has {len(bridge)} characters", key=BRIDGES, value=bridge, host=server.name
            )
    counts = {key: len(one) for key, one in zip(given, (names, bridges, physical), strict=True) if one}
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{count} in {key}" for key, count in counts.items())
        text = f"{said} on {server.name}"
        yield EXTERNAL_LISTS.of(file, text, key=EXTERNAL, value=given[EXTERNAL], host=server.name)


def _bridged(site: Site, server: PlannedServer, name: str) -> Iterator[Finding]:
    face = face_of(server, name)
    if face is None:
        yield _unknown(site, server, EXTERNAL, name)
        return
    file, where = _file(site, EXTERNAL, server), {"key": EXTERNAL, "value": name, "host": server.name}
    if face.addresses:
        held = ", ".join(f"{at.cidr} ({at.network})" for at in face.addresses)
        yield EXTERNAL_ADDRESS.of(file, f"{name} has {held} on {server.name}", **where)
    carried = [one for one in server.interfaces if one.addresses and _stands_on(server, one, name)]
    if carried:
        said = ", ".join(f"{one.name} ({one.addresses[0].network})" for one in carried)
        yield EXTERNAL_CARRIES.of(file, f"{said} stands on {name} on {server.name}", **where)


def _stands_on(server: PlannedServer, face: Interface, name: str) -> bool:
    """Whether an interface has another one below it."""
    below = [one for one in (face.parent, *face.members) if one]
    return name in below or any(_stands_on(server, found, name) for one in below if (found := face_of(server, one)))


def _unknown(site: Site, server: PlannedServer, key: str, name: str) -> Finding:
    near = nearest(name, _names(server))
    text = f"{server.name} has no interface `{name}`; " + (f"did you mean `{near}`?" if near else f"it has {', '.join(_names(server))}")
    kind = LONG if len(name) > LONGEST else UNKNOWN_INTERFACE
    return kind.of(_file(site, key, server), text, key=key, value=name, host=server.name)


def _file(site: Site, key: str, server: PlannedServer) -> str:
    found = site.variables.setting(key, server.name)
    return found.file if found else f"{HOST_VARS}{server.name}.yml"


def _names(server: PlannedServer) -> list[str]:
    return [one.name for one in server.interfaces]


def face_of(server: PlannedServer, name: str) -> Interface | None:
    return next((one for one in server.interfaces if one.name == name), None)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
