# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two switches with a router between them, and a port on each chassis: packets between them prove the whole way. All of it goes again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any, Final

from ..checks import Check
from .database import Operation, Row, by_uuid, delete, insert, many, mutate, named, to_map, to_set, uuid

NAME: Final = "vitro-trial"
# For measurements between networks (RFC 2544): nobody's own.
NETWORKS: Final = (IPv4Network("198.18.0.0/22"), IPv4Network("198.18.4.0/22"))
BRIDGE: Final = "br-int"
OUTER: Final = "vitro-trial"
HEADERS: Final = 28
# How many others each chassis asks for; in a large site each is asked for by as many.
ASKED: Final = 6
NORTH: Final = {"Logical_Switch": ["name", "ports"], "Logical_Router": ["name", "ports"]}
SWITCH: Final = {"Bridge": ["name", "ports"], "Port": ["name"]}

Run = Callable[[Sequence[str]], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chassis' port is."""

    chassis: str
    side: int
    address: str
    mac: str

    @property
    def port(self) -> str:
        return f"{NAME}-{self.chassis}"

    @property
    def router(self) -> str:
        return str(NETWORKS[self.side][1])

    @property
    def prefix(self) -> str:
        return f"{self.address}/{NETWORKS[self.side].prefixlen}"


def places(chassis: Sequence[str]) -> list[Place]:
    """Neighbours are on different switches."""
    return [
        Place(name, number % 2, str(NETWORKS[number % 2][10 + number // 2]), f"02:56:54:00:{number // 256:02x}:{number % 256:02x}")
        for number, name in enumerate(sorted(chassis))
    ]


def asked_by(name: str, all_places: Sequence[Place]) -> list[Place]:
    """The next ones round the ring."""
    order = [one.chassis for one in all_places]
    start = order.index(name)
    return [*all_places[start + 1 :], *all_places[:start]][:ASKED]


def plan_removed(live: Mapping[str, Sequence[Row]]) -> list[Operation]:
    """Ports go with what they belong to."""
    return [
        delete(table, by_uuid(row["_uuid"])) for table in ("Logical_Switch", "Logical_Router") for row in live[table] if _ours(row["name"])
    ]


def plan_made(live: Mapping[str, Sequence[Row]], all_places: Sequence[Place]) -> list[Operation]:
    """Whatever an interrupted trial left goes first."""
    work = plan_removed(live)
    for side, network in enumerate(NETWORKS):
        ports = []
        for number, one in enumerate(place for place in all_places if place.side == side):
            work.append(insert("Logical_Switch_Port", {"name": one.port, "addresses": f"{one.mac} {one.address}"}, f"p{side}_{number}"))
            ports.append(named(f"p{side}_{number}"))
        gate = {
            "name": f"{NAME}-gate{side}",
            "type": "router",
            "addresses": "router",
            "options": to_map({"router-port": f"{NAME}-leg{side}"}),
        }
        leg = {"name": f"{NAME}-leg{side}", "mac": f"02:56:54:ff:00:{side:02x}", "networks": f"{network[1]}/{network.prefixlen}"}
        work += [insert("Logical_Switch_Port", gate, f"gate{side}"), insert("Logical_Router_Port", leg, f"leg{side}")]
        work.append(insert("Logical_Switch", {"name": f"{NAME}-{side}", "ports": to_set([*ports, named(f"gate{side}")])}))
    return [*work, insert("Logical_Router", {"name": NAME, "ports": to_set([named("leg0"), named("leg1")])})]


def plan_plugged(live: Mapping[str, Sequence[Row]], one: Place) -> list[Operation]:
    bridge = next((row for row in live["Bridge"] if row["name"] == BRIDGE), None)
    if bridge is None:
        return []
    return [
        insert("Interface", {"name": OUTER, "external_ids": to_map({"iface-id": one.port})}, "interface"),
        insert("Port", {"name": OUTER, "interfaces": named("interface")}, "port"),
        mutate("Bridge", "ports", "insert", to_set([named("port")]), by_uuid(bridge["_uuid"])),
        mutate("Open_vSwitch", "next_cfg", "+=", 1),
    ]


def plan_unplugged(live: Mapping[str, Sequence[Row]]) -> list[Operation]:
    gone = [row["_uuid"] for row in live["Port"] if row["name"] == OUTER]
    bridges = [row for row in live["Bridge"] if set(many(row["ports"])) & set(gone)]
    work = [mutate("Bridge", "ports", "delete", to_set([uuid(one) for one in gone]), by_uuid(row["_uuid"])) for row in bridges]
    return [*work, mutate("Open_vSwitch", "next_cfg", "+=", 1)] if work else []


def link_commands(one: Place, mtu: int) -> list[list[str]]:
    """A small host of its own beside the chassis: nothing of it can be confused with the chassis' own addresses."""
    inside = ["ip", "-netns", NAME]
    return [
        ["ip", "netns", "add", NAME],
        ["ip", "link", "add", OUTER, "mtu", str(mtu), "type", "veth", "peer", "name", "eth0", "mtu", str(mtu), "netns", NAME],
        [*inside, "link", "set", "eth0", "address", one.mac],
        [*inside, "address", "add", one.prefix, "dev", "eth0"],
        [*inside, "link", "set", "eth0", "up"],
        [*inside, "route", "add", "default", "via", one.router],
        ["ip", "link", "set", OUTER, "up"],
    ]


def unlink_commands() -> list[list[str]]:
    return [["ip", "link", "del", OUTER], ["ip", "netns", "del", NAME]]


def ask(name: str, all_places: Sequence[Place], mtu: int, patience: float, run: Run) -> Iterator[Check]:
    """One whole packet to each, which must not be cut in pieces. The first may be lost while flows are made."""
    mine = next(one for one in all_places if one.chassis == name)
    until = time.monotonic() + patience
    for other in asked_by(name, all_places):
        way = "through a switch" if other.side == mine.side else "through a router"
        command = ["ip", "netns", "exec", NAME, "ping", "-n", "-c", "1", "-W", "1", "-M", "do", "-s", str(mtu - HEADERS), other.address]
        code, said = run(command)
        while code and time.monotonic() < until:
            code, said = run(command)
        seen = "answered" if not code else said.strip().splitlines()[-1] if said.strip() else "no answer"
        yield Check(f"packet {way}", f"{name} to {other.chassis}, {mtu} bytes", "answered", seen, not code)


def _ours(name: Any) -> bool:
    return name == NAME or str(name).startswith(f"{NAME}-")
