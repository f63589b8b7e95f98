# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel has, and what separates it from the plan. All but `read_live` is pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..errors import counted
from .errors import HostRefused

Run = Callable[[Sequence[str]], str]
Live = dict[str, dict[str, Any]]

# Interfaces that something made, and that borrow the address of what they stand on.
MADE = {"bond", "vlan", "bridge", "macvlan", "ipvlan", "vxlan", "geneve", "openvswitch", "tun", "dummy", "gre", "sit", "team"}


def read_live(run: Run) -> Live:
    return parse_live(run(["ip", "-json", "-details", "address", "show"]))


def parse_live(text: str) -> Live:
    """Interfaces by name, from `ip -json -details address show`."""
    found = {}
    for one in json.loads(text):
        kind = one.get("linkinfo", {}).get("info_kind")
        if not one or one.get("link_type") == "loopback":
            continue
        found[one["ifname"]] = {
            "mac": one.get("permaddr") or one.get("address"),
            "kind": kind if kind in MADE else "physical",
            "mtu": one["mtu"],
            "up": "UP" in one["flags"],
            "carrier": "LOWER_UP" in one["flags"],
            "addresses": [f"{a['local']}/{a['prefixlen']}" for a in one.get("addr_info", ()) if a.get("scope") == "global"],
            "bond": one.get("master"),
            "parent": one.get("link"),
            "vlan": one.get("linkinfo", {}).get("info_data", {}).get("id") if kind == "vlan" else None,
        }
    return found


def by_mac(live: Live) -> dict[str, str]:
    return {str(one["mac"]).lower(): name for name, one in live.items() if one["kind"] == "physical"}


def check_macs(host: str, wanted: Mapping[str, Mapping[str, Any]], live: Live) -> None:
    """Every planned port must be there, before anything is written."""
    have = by_mac(live)
    missing = [f"{one['mac']} ({name})" for name, one in wanted.items() if one["mac"] and one["mac"] not in have]
    if missing:
        there = ", ".join(f"{mac} ({name})" for mac, name in sorted(have.items(), key=lambda pair: pair[1])) or "none"
        raise HostRefused(
            f"Cannot prepare the network of {host}: {counted(len(missing), 'planned MAC')} missing: {', '.join(missing)}. It has {there}",
            cure="Nothing was written. Look whether this is the right server and the card is seen; "
            "after a change of cards run frontier.vitro.discover and frontier.vitro.plan",
        )


def check_ports(host: str, wanted: Mapping[str, Mapping[str, Any]], live: Live) -> None:
    """A port of somebody's bridge is in use: it must be taken out by hand, unless it already has its planned name."""
    have = by_mac(live)
    found = []
    for name, one in wanted.items():
        now = have.get(one["mac"] or "")
        over = live.get(live[now]["bond"] or "") if now and now != name else None
        if over and over["kind"] in ("bridge", "openvswitch", "team"):
            found.append(f"{now} is a port of {live[now]['bond'] if now else ''} ({over['kind']})")
    if found:
        raise HostRefused(f"Cannot prepare the network of {host}: {'; '.join(found)}", cure="Take them out of it and run again")


def differences(wanted: Mapping[str, Mapping[str, Any]], live: Live, keep: Iterable[str] = ()) -> list[str]:
    """What the kernel would have to change, in sentences; `keep` are addresses that others may put there."""
    have = by_mac(live)
    said = []
    for name, one in wanted.items():
        now = have.get(one["mac"], name) if one["mac"] else name
        if now != name:
            said.append(f"rename {now} ({one['mac']}) to {name}")
        seen = live.get(now)
        if seen is None:
            said.append(f"make the {one['kind']} {name}")
            continue
        said += _differences(name, one, seen, set(keep))
    return said


def _differences(name: str, one: Mapping[str, Any], seen: Mapping[str, Any], keep: set[str]) -> list[str]:
    said = []
    if one["kind"] == "vlan" and seen["kind"] == "vlan" and (seen["vlan"], seen["parent"]) != (one["vlan"], one["parent"]):
        said.append(f"{name} becomes VLAN {one['vlan']} of {one['parent']}; it is VLAN {seen['vlan']} of {seen['parent']}")
    if not seen["up"]:
        said.append(f"{name} goes up")
    if seen["mtu"] != one["mtu"]:
        said.append(f"{name} gets the MTU {one['mtu']} instead of {seen['mtu']}")
    if one["bond"] and seen["bond"] != one["bond"]:
        said.append(f"{name} becomes a port of {one['bond']}")
    said += [f"{name} gets {address}" for address in one["addresses"] if address not in seen["addresses"]]
    spare = [address for address in seen["addresses"] if address not in one["addresses"] and address.partition("/")[0] not in keep]
    return said + [f"{name} loses {address}" for address in spare]


def obsolete(wanted: Mapping[str, Mapping[str, Any]], live: Live) -> list[str]:
    """Bonds and VLANs that stand on planned ports and are not planned, or are of another kind: they go first."""
    have = by_mac(live)
    ports = {have[one["mac"]] for one in wanted.values() if one["mac"] in have}
    stands = {live[port]["bond"] for port in ports} | {n for n, one in live.items() if one["parent"] in ports}
    stands |= {name for name, one in live.items() if one["parent"] in stands}
    gone = [n for n in live if n in stands and live[n]["kind"] in ("bond", "vlan") and not _same(wanted.get(n), live[n])]
    return sorted(gone, key=lambda name: live[name]["kind"] != "vlan")


def _same(one: Mapping[str, Any] | None, seen: Mapping[str, Any]) -> bool:
    return one is not None and one["kind"] == seen["kind"] and (one["kind"] == "bond" or one["vlan"] == seen["vlan"])
