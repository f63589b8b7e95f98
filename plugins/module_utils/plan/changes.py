# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes from one plan to the next, in sentences."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from .amounts import GIB, listed, size
from .servers import Osd, PlannedServer
from .types import Plan

# Parts of a plan whose keys are told one by one, and what to call each part.
PARTS = {"ceph": "Ceph", "openstack": "OpenStack", "ovn": "OVN", "fmc": "the FMC", "versions": "versions"}
PLAIN = ("domain", "layout", "registry", "ntp", "dns")


def changes(before: Plan | None, after: Plan) -> list[str]:
    """One sentence per change; none says that the plan is as it was. Objections are told elsewhere."""
    if before is None:
        return [f"{after.site}: a first plan with {len(after.servers)} servers"]
    pairs = _pairs(before, after)
    known = {was.name for was, _ in pairs if was}
    return [
        *(f"{now.name}: new, {_told(now)}" for was, now in pairs if was is None),
        *(f"{one.name}: no longer in the plan; it was {_told(one)}" for one in before.servers if one.name not in known),
        *(sentence for was, now in pairs if was for sentence in _server(was, now)),
        *_keyed("VIP", before.vips, after.vips, "name"),
        *_keyed("network", before.networks, after.networks, "name"),
        *_keyed("link", before.links, after.links, "name"),
        *_keyed("pool", before.ceph.pools, after.ceph.pools, "name"),
        *(sentence for key, what in PARTS.items() for sentence in _fields(what, getattr(before, key), getattr(after, key), {"pools"})),
        *(sentence for key in PLAIN if (sentence := _field(f"{after.site}", key, getattr(before, key), getattr(after, key)))),
        *_ports(before, after),
    ]


def _pairs(before: Plan, after: Plan) -> list[tuple[PlannedServer | None, PlannedServer]]:
    """Each server with what it was: the same machine, else the one whose name it took over."""
    ids, names = {one.id: one for one in before.servers}, {one.name: one for one in before.servers}
    here = {one.id for one in after.servers}
    return [(ids.get(one.id) or (old if (old := names.get(one.name)) and old.id not in here else None), one) for one in after.servers]


def _told(server: PlannedServer) -> str:
    at = server.location
    place = f" in rack {at.rack}" if at.rack else ""
    return f"{server.model or 'a server'} {server.id}{place}, {', '.join(server.roles) or 'without a role'}"


def _server(old: PlannedServer, new: PlannedServer) -> Iterator[str]:
    name = new.name
    if old.name != name:
        yield f"{name}: was called {old.name}"
    if old.id != new.id:
        yield f"{name}: {new.id} takes over from {old.id}"
    if old.state != new.state:
        yield f"{name}: is {'back' if new.state == 'present' else 'absent; its name, addresses and places are kept'}"
    gained = [role for role in new.roles if role not in old.roles]
    lost = [role for role in old.roles if role not in new.roles]
    if gained:
        yield f"{name}: is now also {', '.join(gained)}"
    if lost:
        yield f"{name}: is no longer {', '.join(lost)}"
    if old.location != new.location:
        yield f"{name}: stands in {_place(new)}, was in {_place(old)}"
    yield from _interfaces(old, new)
    yield from _disks(old, new)
    for key, what in (("memory", "GiB of memory"), ("cpu", "cores")):
        before, after = getattr(old, key), getattr(new, key)
        if before != after:
            unit = GIB if key == "memory" else 1
            yield f"{name}: {after.guests // unit} {what} are left for guests, was {before.guests // unit}"


def _place(server: PlannedServer) -> str:
    at = server.location
    return f"rack {at.rack or 'unknown'}, unit {at.unit if at.unit is not None else 'unknown'}"


def _interfaces(old: PlannedServer, new: PlannedServer) -> Iterator[str]:
    before, after = ({one.name: one for one in server.interfaces} for server in (old, new))
    for name in [*(key for key in before if key not in after), *after]:
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            yield f"{new.name}: interface {name} is {'new' if now else 'gone'}"
            continue
        for key in ("mac", "mtu", "members", "mode", "parent", "vlan"):
            if sentence := _field(f"{new.name}, interface {name}", key, getattr(was, key), getattr(now, key)):
                yield sentence
    addresses = [{at.network: at.cidr for one in server.interfaces for at in one.addresses} for server in (old, new)]
    for network in sorted({*addresses[0], *addresses[1]}):
        if sentence := _field(new.name, f"{network} address", addresses[0].get(network), addresses[1].get(network)):
            yield sentence


def _disks(old: PlannedServer, new: PlannedServer) -> Iterator[str]:
    if old.os_disk != new.os_disk:
        told = [", ".join(server.os_disk.serials) if server.os_disk else "none" for server in (old, new)]
        yield f"{new.name}: the operating system is on {told[1]}, was on {told[0]}"
    before, after = ({one.serial: one for one in server.osds} for server in (old, new))
    for serial, osd in before.items():
        if serial not in after:
            yield f"{new.name}: no OSD any more on disk {serial} ({_size(osd)})"
    for serial, osd in after.items():
        was = before.get(serial)
        if was is None:
            yield f"{new.name}: a new OSD on disk {serial} ({_size(osd)})" + (", which is wiped" if osd.wipe else "")
        elif was.database != osd.database:
            yield f"{new.name}: the OSD on disk {serial} has its database on {osd.database or 'itself'}, was on {was.database or 'itself'}"


def _size(osd: Osd) -> str:
    return f"{osd.device_class}, {size(osd.bytes)}"


def _keyed(what: str, before: Sequence[Any], after: Sequence[Any], key: str) -> Iterator[str]:
    old, new = ({getattr(one, key): one for one in items} for items in (before, after))
    for name in old:
        if name not in new:
            yield f"{what} {name} is gone"
    for name, one in new.items():
        if name not in old:
            yield f"{what} {name} is new"
        else:
            yield from _fields(f"{what} {name}", old[name], one, set())


def _fields(where: str, old: Any, new: Any, without: set[str]) -> Iterator[str]:
    for one in fields(new):
        if one.name not in without and (sentence := _field(where, one.name, getattr(old, one.name), getattr(new, one.name))):
            yield sentence


def _field(where: str, key: str, old: object, new: object) -> str | None:
    if old == new:
        return None
    word = key.replace("_bytes", "").replace("_", " ")
    if isinstance(old, tuple) and isinstance(new, tuple) and all(isinstance(one, str) for one in (*old, *new)):
        more = [one for one in new if one not in old]
        less = [one for one in old if one not in new]
        told = [f"{word} gain {listed(more)}"] if more else []
        told += [f"{word} lose {listed(less)}"] if less else []
        return f"{where}: {' and '.join(told) or f'the order of {word} changes'}"
    return f"{where}: {word} is {_value(key, new)}, was {_value(key, old)}"


def _value(key: str, value: object) -> str:
    if value is None:
        return "none"
    return size(value) if key.endswith("_bytes") and isinstance(value, int) else str(value)


def _ports(before: Plan, after: Plan) -> Iterator[str]:
    old, new = ({_port_key(one): one for one in plan.ports} for plan in (before, after))
    for key in old:
        if key not in new:
            yield f"{old[key].service} no longer listens on {old[key].port}/{old[key].protocol} of {old[key].role} servers"
    for key, port in new.items():
        if key not in old:
            yield f"{port.service} listens on {port.port}/{port.protocol} of {port.role} servers"


def _port_key(port: Any) -> Hashable:
    return (port.port, port.protocol, port.service, port.role, port.bind)


def summary(plan: Plan) -> Mapping[str, int]:
    """The numbers that a person asks for first."""
    present = [one for one in plan.servers if one.state == "present"]
    return {
        "servers": len(plan.servers),
        "absent": len(plan.servers) - len(present),
        "osds": plan.ceph.osds,
        "usable_bytes": plan.ceph.usable_bytes,
        "guest_memory_bytes": sum(one.memory.guests for one in present),
        "guest_cores": sum(one.cpu.guests for one in present),
        "objections": len(plan.objections),
        "warnings": len(plan.warnings),
    }
