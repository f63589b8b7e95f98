# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan wants of a host's interfaces, from its `vitro_server`. Hosts have no pydantic: the inventory has checked the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_interface
from typing import Any

from ..plan.servers import Address, Interface

PREFIX = "70-vitro-"


def interfaces_of(server: Mapping[str, Any]) -> tuple[Interface, ...]:
    return tuple(
        Interface(
            **{
                **one,
                "members": tuple(one["members"]),
                "addresses": tuple(Address(**address) for address in one["addresses"]),
            }
        )
        for one in server["interfaces"]
    )


def address_in(server: Mapping[str, Any], network: str) -> str | None:
    """The server's own address in a network, without the length of the prefix."""
    for interface in server["interfaces"]:
        for address in interface["addresses"]:
            if address["network"] == network:
                return str(address["cidr"]).partition("/")[0]
    return None


def names_by_mac(interfaces: Sequence[Interface]) -> dict[str, str]:
    return {one.mac: one.name for one in interfaces if one.mac}


def wanted(server: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What the kernel must show for each interface: its MTU, its addresses, and whose port it is."""
    interfaces = interfaces_of(server)
    bond_of = {member: one.name for one in interfaces for member in one.members}
    return {
        one.name: {
            "mac": one.mac,
            "kind": one.kind,
            "mtu": one.mtu,
            "addresses": sorted(str(ip_interface(address.cidr)) for address in one.addresses),
            "bond": bond_of.get(one.name),
            "parent": one.parent,
            "vlan": one.vlan,
        }
        for one in interfaces
    }
