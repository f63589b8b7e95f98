# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server's interfaces as files of systemd-networkd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_interface
from typing import Any

from ..plan.servers import Address, Interface
from .interfaces import PREFIX, interfaces_of

Section = tuple[str, list[tuple[str, str]]]

HEAD = "# Written by frontier.vitro.host_base from the site plan. Changes here are lost: change the plan.\n"


def render(server: Mapping[str, Any], dns: Sequence[str] = (), domain: str = "") -> dict[str, str]:
    """The text of each file, by its name in /etc/systemd/network."""
    interfaces = interfaces_of(server)
    files = {}
    for one in interfaces:
        if one.kind == "physical":
            files[f"{PREFIX}{one.name}.link"] = _text(_link(one))
        else:
            files[f"{PREFIX}{one.name}.netdev"] = _text(_netdev(one, interfaces))
        files[f"{PREFIX}{one.name}.network"] = _text(_network(one, interfaces, dns, domain))
    return files


def _text(sections: list[Section]) -> str:
    parts = [f"[{title}]\n" + "".join(f"{key}={value}\n" for key, value in lines) for title, lines in sections]
    return HEAD + "\n" + "\n".join(parts)


def _link(one: Interface) -> list[Section]:
    # Not MACAddress=: a bond and its VLANs take over the address of a port, and udev would give them the port's name.
    return [("Match", [("PermanentMACAddress", str(one.mac))]), ("Link", [("Name", one.name)])]


def _netdev(one: Interface, interfaces: Sequence[Interface]) -> list[Section]:
    head = [("Name", one.name), ("Kind", one.kind), ("MTUBytes", str(one.mtu))]
    if one.kind == "vlan":
        return [("NetDev", head), ("VLAN", [("Id", str(one.vlan))])]
    macs = {other.name: other.mac for other in interfaces}
    # The address of the first port, whichever of them comes up first.
    head.append(("MACAddress", str(macs[one.members[0]])))
    bond = [("Mode", str(one.mode)), ("MIIMonitorSec", "100ms"), ("UpDelaySec", "200ms"), ("DownDelaySec", "200ms")]
    if one.mode == "802.3ad":
        bond += [("LACPTransmitRate", "fast"), ("TransmitHashPolicy", "layer3+4")]
    return [("NetDev", head), ("Bond", bond)]


def _network(one: Interface, interfaces: Sequence[Interface], dns: Sequence[str], domain: str) -> list[Section]:
    bond = next((other.name for other in interfaces if one.name in other.members), None)
    vlans = [other.name for other in interfaces if other.parent == one.name]
    online = "routable" if any(address.network == "management" for address in one.addresses) else "no"
    lines = [("DHCP", "no"), ("LinkLocalAddressing", "no"), ("IPv6AcceptRA", "no")]
    if bond:
        lines.append(("Bond", bond))
    lines += [("VLAN", vlan) for vlan in vlans]
    if one.addresses:
        # A link that flaps must not take the addresses with it, nor a restart the VIPs that keepalived put there.
        lines += [("ConfigureWithoutCarrier", "yes"), ("KeepConfiguration", "static")]
    if online != "no":
        lines += [("DNS", server) for server in dns] + ([("Domains", domain)] if domain else [])
    sections: list[Section] = [
        ("Match", [("Name", one.name)]),
        ("Link", [("MTUBytes", str(one.mtu)), ("RequiredForOnline", online)]),
        ("Network", lines),
    ]
    for address in one.addresses:
        sections += _address(address)
    return sections


def _address(address: Address) -> list[Section]:
    own = ip_interface(address.cidr)
    limit = [("MTUBytes", str(address.mtu))] if address.mtu else []
    sections: list[Section] = [("Address", [("Address", str(own)), *([("AddPrefixRoute", "no")] if limit else [])])]
    if limit:
        source = [("PreferredSource", str(own.ip)), ("Scope", "link")] if own.version == 4 else []
        sections.append(("Route", [("Destination", str(own.network)), *source, *limit]))
    if address.gateway:
        sections.append(("Route", [("Gateway", address.gateway), *limit]))
    return sections
