# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The VIPs: that they are set, fit the interface on every load balancer, and are nobody else's; their names; the VRID."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_interface, ip_network
from typing import Any, Final

from ..plan.types import Vip
from .check_read import Site
from .effective import UNKNOWN, to_int
from .findings import Finding, Kind

IpAddress = IPv4Address | IPv6Address
# The key of each VIP, of its name, and of the interface that carries it.
KEYS: Final = {
    "internal": ("kolla_internal_vip_address", "kolla_internal_fqdn", "api_interface"),
    "external": ("kolla_external_vip_address", "kolla_external_fqdn", "kolla_external_vip_interface"),
}
VRID: Final = "keepalived_virtual_router_id"
MOST_VRID: Final = 255
RANGES = ("ironic_dnsmasq_dhcp_ranges", "octavia_amp_network")

VIP_MISSING = Kind(
    "vip_missing",
    "A VIP is not set",
    "Take it out of globals.d, or set the planned address: every endpoint is built on it",
    "Passes, and writes endpoints without an address",
)
VIP_INVALID = Kind(
    "vip_invalid", "A VIP is no address", "Write one address, without prefix length", "Fails at a ping, with the ping's output only"
)
VIP_FAMILY = Kind(
    "vip_family",
    "A VIP is of another family than the network that it lies in",
    "Use an address of the family of the API network, and set network_address_family accordingly",
    "Stops at the subnet check without a message",
)
VIP_SUBNET = Kind(
    "vip_subnet",
    "A VIP lies outside the network of the interface that is to carry it",
    "Use an address of that network, or correct the interface of the host",
    "Stops without any text; only the task's name tells. If some gateway answers for the address, a port check fails instead",
)
VIP_RESERVED = Kind(
    "vip_reserved",
    "A VIP is the network's own address, its broadcast address or its gateway",
    "Use another address of the network",
    "Passes unless the address answers a ping",
)
VIP_TAKEN = Kind(
    "vip_taken",
    "A VIP is the address of a server or of another VIP",
    "Use a free address of the network",
    "Fails at a ping, with the ping's output only; passes if the owner is off",
)
VIP_RANGE = Kind(
    "vip_range",
    "A VIP lies in a range whose addresses are handed out to others",
    "Use an address outside the range, or make the range smaller",
    "Passes; two machines have one address later",
)
VIP_DIFFERS = Kind(
    "vip_differs",
    "A VIP is another one than the plan has",
    "Set it in the intent (vips) and plan again: names, certificates and the other stages go by the plan",
    "Knows no plan",
)
VIPS_EQUAL = Kind(
    "vips_equal",
    "Both VIPs are the same and only one side has TLS",
    "Use two addresses, or TLS on both sides",
    "Stops with a clear message",
)
FQDN_DIFFERS = Kind(
    "fqdn_differs",
    "The name of a VIP is another one than the plan has",
    "Set it in the intent and plan again: names resolve and certificates are made by the plan",
    "Passes; it resolves only RabbitMQ's names",
)
VRID_INVALID = Kind(
    "vrid_invalid",
    "The VRID is no whole number from 1 to 255",
    "Use a number from 1 to 255 that nobody else uses in the API network",
    "Passes; keepalived does not start later",
)
VRID_TAKEN = Kind(
    "vrid_taken",
    "The VRID is used by another VIP in the same network segment",
    "Use another number; the two would take each other's addresses down",
    "Passes",
)
VRID_DIFFERS = Kind(
    "vrid_differs",
    "The VRID is another one than the plan has",
    "Set it in the intent (vips) so that other sites and the FMC keep clear of it",
    "Knows no plan",
    "warning",
)


def check_vips(site: Site) -> Iterator[Finding]:
    if not site.variables.true("enable_haproxy"):
        return
    planned: dict[str, Vip] = {one.name: one for one in site.plan.vips}
    for name, (key, fqdn, interface) in KEYS.items():
        if name not in planned:
            continue
        value = site.variables.value(key)
        if value is not UNKNOWN:
            found = list(_address(site, planned[name], key, interface, value))
            yield from found or _differs(site, planned[name], key, value)
        yield from _name(site, planned[name], fqdn)
    yield from _equal(site)
    yield from _vrid(site, planned)


def _address(site: Site, vip: Vip, key: str, interface: str, value: Any) -> Iterator[Finding]:
    file = site.variables.file(key)
    if value in (None, ""):
        yield VIP_MISSING.of(file, f"the {vip.name} VIP is empty; the plan has {vip.address}", key=key, value="")
        return
    try:
        address = ip_address(str(value).strip())
    except ValueError:
        yield VIP_INVALID.of(file, f"`{value}` is no address; the plan has {vip.address}", key=key, value=value)
        return
    for kind, text in _judged(site, vip, address):
        yield kind.of(file, text, key=key, value=value)
    if address.version == ip_address(vip.address).version:
        yield from _on_hosts(site, key, interface, address)


def _judged(site: Site, vip: Vip, address: IpAddress) -> Iterator[tuple[Kind, str]]:
    family = ip_address(vip.address).version
    if address.version != family:
        yield VIP_FAMILY, f"{address} is IPv{address.version} and the network {vip.network} is IPv{family}"
        return
    for network in site.plan.networks:
        if network.name != network.carried_by or not network.cidr or address not in (inside := ip_network(network.cidr)):
            continue
        if address == inside.network_address or (family == 4 and address == inside.broadcast_address):
            yield VIP_RESERVED, f"{address} is the network or broadcast address of {network.name} ({network.cidr})"
        elif str(address) == network.gateway:
            yield VIP_RESERVED, f"{address} is the gateway of {network.name}"
    if owner := _owners(site).get(str(address)):
        yield VIP_TAKEN, f"{address} is planned for {owner}"
    for other in (one for one in site.plan.vips if one.name not in KEYS and one.address == str(address)):
        yield VIP_TAKEN, f"{address} is the {other.name} VIP"
    for what, first, last in _ranges(site):
        if first.version == address.version and int(first) <= int(address) <= int(last):
            yield VIP_RANGE, f"{address} lies in {what} ({first} to {last})"


def _owners(site: Site) -> dict[str, str]:
    return {
        at.cidr.partition("/")[0]: f"{server.name} ({at.network})"
        for server in site.plan.servers
        for face in server.interfaces
        for at in face.addresses
    }


def _ranges(site: Site) -> Iterator[tuple[str, IpAddress, IpAddress]]:
    for what, cidr in (("the pods' network of the FMC", site.plan.fmc.pods), ("the services' network of the FMC", site.plan.fmc.services)):
        for part in cidr.split(","):
            network = ip_network(part.strip())
            yield what, network.network_address, network.broadcast_address
    dhcp, amphora = (site.variables.value(key) if key in site.variables.extra else None for key in RANGES)
    pairs = [("ironic_dnsmasq_dhcp_ranges", str(one.get("range", "")).split(",")[:2]) for one in _dicts(dhcp)]
    pools = _dicts([amphora.get("subnet")] if isinstance(amphora, dict) else [])
    pairs += [("octavia_amp_network", [str(one.get(f"allocation_pool_{end}", "")) for end in ("start", "end")]) for one in pools]
    for what, ends in pairs:
        try:
            first, last = (ip_address(end.strip()) for end in ends)
        except ValueError:
            continue
        yield what, first, last


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _on_hosts(site: Site, key: str, interface: str, address: IpAddress) -> Iterator[Finding]:
    for host in site.hosts("loadbalancer"):
        name = site.variables.text(interface, host)
        face = next((one for one in site.servers[host].interfaces if one.name == name), None)
        networks = [ip_interface(at.cidr).network for at in face.addresses] if face else []
        # An interface that is not there, or has no address, is told by the checks of interfaces.
        if networks and not any(address in network for network in networks):
            text = f"{address} lies outside {networks[0]}, the network of {name} ({interface}) on {host}"
            yield VIP_SUBNET.of(site.variables.file(key), text, key=key, value=address, host=host)


def _differs(site: Site, vip: Vip, key: str, value: Any) -> Iterator[Finding]:
    if ip_address(str(value).strip()) != ip_address(vip.address):
        yield VIP_DIFFERS.of(site.variables.file(key), f"the plan has {vip.address} as the {vip.name} VIP", key=key, value=value)


def _name(site: Site, vip: Vip, key: str) -> Iterator[Finding]:
    given = site.variables.text(key)
    if given is not None and given.lower().rstrip(".") != vip.fqdn.lower():
        text = f"the plan has {vip.fqdn} as the name of the {vip.name} VIP"
        yield FQDN_DIFFERS.of(site.variables.file(key), text, key=key, value=given)


def _equal(site: Site) -> Iterator[Finding]:
    sides = {site.variables.true(key) for key in ("kolla_enable_tls_internal", "kolla_enable_tls_external")}
    internal, external = (site.variables.text(keys[0]) for keys in KEYS.values())
    if len(sides) > 1 and internal and internal == external:
        key = KEYS["external"][0]
        yield VIPS_EQUAL.of(site.variables.file(key), f"both VIPs are {internal} and only one side has TLS", key=key, value=external)


def _vrid(site: Site, planned: dict[str, Vip]) -> Iterator[Finding]:
    value = site.variables.value(VRID)
    internal = planned.get("internal")
    if value is UNKNOWN or internal is None:
        return
    file, number = site.variables.file(VRID), to_int(value)
    if number is None or not 1 <= number <= MOST_VRID:
        yield VRID_INVALID.of(
            file, f"`{value}` is no whole number from 1 to {MOST_VRID}; the plan has {internal.vrid}", key=VRID, value=value
        )
        return
    ours = {_segment(site, one) for one in planned.values() if one.name in KEYS}
    taken = [one for one in planned.values() if one.name not in KEYS and one.vrid == number and _segment(site, one) in ours]
    for other in taken:
        yield VRID_TAKEN.of(file, f"{number} is the VRID of the {other.name} VIP in the same network segment", key=VRID, value=value)
    if not taken and number != internal.vrid:
        yield VRID_DIFFERS.of(file, f"the plan has {internal.vrid}", key=VRID, value=value)


def _segment(site: Site, vip: Vip) -> tuple[str, int | None]:
    network = next(one for one in site.plan.networks if one.name == vip.network)
    return network.link, network.vlan
