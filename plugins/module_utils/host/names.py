# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What hosts are called, where they are reached, and which checks show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any

from .interfaces import address_in

Server = Mapping[str, Any]
Plan = Mapping[str, Any]


def api_address(server: Server, plan: Plan) -> str | None:
    """Kolla wants a host's name to lead to its address in the api network and to no other."""
    carrier = next(one["carried_by"] for one in plan["networks"] if one["name"] == "api")
    return address_in(server, carrier)


def hosts_lines(servers: Sequence[Server], plan: Plan) -> list[str]:
    """Lines of /etc/hosts: every server, then every VIP."""
    pairs = [(api_address(one, plan), f"{one['fqdn']} {one['name']}") for one in sorted(servers, key=lambda one: str(one["name"]))]
    pairs += [(vip["address"], vip["fqdn"]) for vip in plan["vips"]]
    lines: dict[str, str] = {}
    for address, names in pairs:
        if address and f"{address} {names}" not in lines.values():
            lines.setdefault(names, f"{address} {names}")
    return list(lines.values())


def reach_targets(server: Server, servers: Sequence[Server], plan: Plan) -> list[dict[str, Any]]:
    """Every address of every other server in a network that this one has an address in too, and the largest packet for it."""
    sizes = {one["name"]: one["mtu"] for one in plan["networks"]}
    mine = {address["network"] for interface in server["interfaces"] for address in interface["addresses"]}
    found = []
    for other in sorted(servers, key=lambda one: str(one["name"])):
        for interface in other["interfaces"] if other["name"] != server["name"] else ():
            for address in interface["addresses"]:
                if address["network"] in mine:
                    reached = str(address["cidr"]).partition("/")[0]
                    header = 28 if ip_address(reached).version == 4 else 48
                    mtu = sizes[address["network"]]
                    found.append(
                        {"name": other["name"], "network": address["network"], "address": reached, "mtu": mtu, "payload": mtu - header}
                    )
    return found


def name_targets(servers: Sequence[Server], plan: Plan) -> list[dict[str, str]]:
    """Every name of /etc/hosts, and the one address it must have."""
    found = []
    for line in hosts_lines(servers, plan):
        address, *names = line.split()
        found += [{"name": name, "address": address} for name in names]
    return found
