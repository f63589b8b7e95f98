# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk through one BMC: which links are followed, in which order, and what is tried when they lead nowhere."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from .client import Client
from .hardware import Note
from .links import Links, together
from .payload import Resource, count, dig, is_whole, items, link_path, mac, resources
from .tree import AdapterTree, BmcTree, ServerTree, StorageTree
from .vendors import Vendor, vendor, vendor_name

# With fewer drives than this behind bare links, asking for each is as cheap as asking for all at once.
MANY_DRIVES = 2
HOST_KEYS = ("Bios", "Boot", "EthernetInterfaces", "Storage", "SimpleStorage")


async def walk(client: Client, tree: BmcTree) -> None:
    """Fill the tree as the answers come, so that what was read stands when time runs out."""
    links = Links(client)
    if client.session and client.session.basic:
        # Each request is a login here: a wrong password must be seen by one request, not by three at a time.
        await links.resource(client.root.get("Systems"), levels=1)
    systems, chassis, managers = await together(
        links.members(client.root.get("Systems"), tree.notes),
        *(_optional(links, client.root, name, tree.notes) for name in ("Chassis", "Managers")),
    )
    tree.vendor_name = vendor_name(client.root, systems)
    tree.vendor = vendor(tree.vendor_name)
    tree.managers = managers
    tree.servers = [ServerTree(system, chassis_of(system, systems, chassis)) for system in systems if is_server(system, tree.vendor)]
    await together(
        *(part for server in tree.servers for part in _server(links, tree.vendor, server, chassis)),
        *(_manager(links, tree, manager) for manager in managers),
    )


def is_server(system: Resource, known: Vendor) -> bool:
    """Whether a System is a computer of its own: cards and baseboards inside one appear as Systems too."""
    if system.get("SystemType") in ("DPU", "Virtual", "OS", "VirtuallyPartitioned", "Composed"):
        return False
    name = system.get("Id")
    return not (isinstance(name, str) and name.startswith(known.not_servers)) and any(key in system for key in HOST_KEYS)


def chassis_of(system: Resource, systems: list[Resource], chassis: list[Resource]) -> list[Resource]:
    """The chassis that hold a system: linked from either side, else named like it, else all where there is one system."""
    own = link_path(system)
    linked = {link_path(link) for link in items(dig(system, "Links", "Chassis"))}
    found = [
        one
        for one in chassis
        if link_path(one) in linked or own in {link_path(link) for link in items(dig(one, "Links", "ComputerSystems"))}
    ]
    found = found or [one for one in chassis if one.get("Id") == system.get("Id")]
    return found or (chassis if len(systems) == 1 else [])


async def _optional(links: Links, owner: Resource, name: str, notes: list[Note], *, levels: int = 1) -> list[Resource]:
    if link_path(owner.get(name)) is None and not is_whole(owner.get(name)):
        return []
    return await links.branch(name, links.members(owner[name], notes, levels=levels), notes) or []


async def _manager(links: Links, tree: BmcTree, manager: Resource) -> None:
    tree.manager_interfaces += await _optional(links, manager, "EthernetInterfaces", tree.notes)


def _server(links: Links, known: Vendor, server: ServerTree, chassis: list[Resource]) -> list[Coroutine[Any, Any, None]]:
    async def part(key: str, attribute: str) -> None:
        if server.system.get(key) is not None:
            setattr(server, attribute, await links.branch(key, links.members(server.system[key], server.notes), server.notes))

    # What leads to further links goes first, so that those wait for nothing.
    return [
        _storage(links, known, server, chassis),
        _network(links, known, server),
        part("Processors", "processors"),
        part("Memory", "memory"),
    ]


async def _network(links: Links, known: Vendor, server: ServerTree) -> None:
    async def interfaces() -> None:
        link = server.system.get("EthernetInterfaces")
        if link is not None:
            server.interfaces = await links.branch("EthernetInterfaces", links.members(link, server.notes), server.notes)

    await together(*(_adapters(links, server, one) for one in server.chassis), interfaces())
    hosts = {mac(one.get(key)) for one in server.interfaces or () for key in ("MACAddress", "PermanentMACAddress")} - {None}
    await together(*(_functions(links, server, adapter) for adapter in server.adapters if _needs_functions(adapter, hosts)))
    told = {address for adapter in server.adapters for port in adapter.ports for address in port_macs(port)}
    adapters = dig(server.system, *known.oem_adapters) if known.oem_adapters else None
    if adapters is not None and (not told or hosts - told):
        found = await links.branch("OEM adapters", links.members(adapters, server.notes), server.notes)
        server.adapters += [AdapterTree(one, ports=resources(one.get("PhysicalPorts"))) for one in found or ()]


async def _adapters(links: Links, server: ServerTree, chassis: Resource) -> None:
    # Two levels bring the collections of ports along.
    found = [AdapterTree(one) for one in await _optional(links, chassis, "NetworkAdapters", server.notes, levels=2)]
    server.adapters += found

    async def ports(adapter: AdapterTree) -> None:
        name = "Ports" if "Ports" in adapter.resource else "NetworkPorts"
        adapter.ports = await _optional(links, adapter.resource, name, server.notes)

    await together(*map(ports, found))


def _needs_functions(adapter: AdapterTree, hosts: set[str | None]) -> bool:
    """Functions say which MAC is behind which port; they are asked only where nothing cheaper says it."""
    if not hosts:
        return not any(port_macs(port) for port in adapter.ports)
    # The one port of an adapter is found by its links; iLO gives several ports one MAC, and the function's permanent one differs.
    told = {address for port in adapter.ports for address in port_macs(port)} & hosts
    return 1 < len(adapter.ports) > len(told)


async def _functions(links: Links, server: ServerTree, adapter: AdapterTree) -> None:
    adapter.functions = await _optional(links, adapter.resource, "NetworkDeviceFunctions", server.notes)


def port_macs(port: Resource) -> list[str]:
    """The MACs of a port, in the old schema (NetworkPort), the new one (Port) and HPE's own."""
    found = [
        *items(dig(port, "Ethernet", "AssociatedMACAddresses")),
        *items(port.get("AssociatedNetworkAddresses")),
        port.get("MacAddress"),
    ]
    return [one for one in map(mac, found) if one]


async def _storage(links: Links, known: Vendor, server: ServerTree, chassis: list[Resource]) -> None:
    link = server.system.get("Storage")
    if link is not None:
        units = await links.branch("Storage", links.members(link, server.notes, levels=2), server.notes)
        if units is not None:
            server.storages = [StorageTree(unit) for unit in units]
            await together(*(_unit(links, known, server, unit, chassis) for unit in server.storages))
    known_drives = [drive for unit in server.storages or () for drive in unit.drives or ()]
    if not any(unit.drives is None for unit in server.storages or ()) and not any(count(one.get("CapacityBytes")) for one in known_drives):
        await _other_drives(links, known, server)


async def _unit(links: Links, known: Vendor, server: ServerTree, unit: StorageTree, chassis: list[Resource]) -> None:
    found = resources(unit.resource.get("Drives"))
    if len(_bare(found)) >= MANY_DRIVES:
        found = await _drives_at_once(links, known, server, unit, chassis)
    unit.drives = await links.branch("Drives", links.each(found, server.notes), server.notes)
    volumes = unit.resource.get("Volumes")
    if unit.drives and volumes is not None:
        unit.volumes = await links.branch("Volumes", _volumes(links, server, volumes), server.notes)


async def _drives_at_once(links: Links, known: Vendor, server: ServerTree, unit: StorageTree, chassis: list[Resource]) -> list[Resource]:
    """The drives of a storage unit, from the enclosure that lists them or from the unit itself, expanded."""
    found = resources(unit.resource.get("Drives"))
    for one in chassis:
        folder = link_path(one.get("Drives"))
        if links.expands and folder and any((link_path(drive) or "").startswith(f"{folder}/") for drive in found):
            listed = {link_path(drive): drive for drive in await _optional(links, one, "Drives", server.notes)}
            found = [listed.get(link_path(drive), drive) for drive in found]
    if len(_bare(found)) >= MANY_DRIVES and known.expands_resources:
        whole = await links.branch("Drives", links.again_expanded(unit.resource), server.notes)
        if whole:
            unit.resource = whole
            found = resources(whole.get("Drives"))
    return found


def _bare(links: list[Resource]) -> list[Resource]:
    return [link for link in links if not is_whole(link)]


async def _volumes(links: Links, server: ServerTree, link: Any) -> list[Resource] | None:
    page = await links.resource(link, levels=1)
    found = await links.members(page, server.notes)
    claimed = count(page.get("Members@odata.count")) or 0
    if claimed > len(found):
        server.notes.append(Note(code="volumes_hidden", text=f"the controller has {claimed} volumes and lists {len(found)}"))
        return None
    return found


async def _other_drives(links: Links, known: Vendor, server: ServerTree) -> None:
    """Where drives stand when Storage has none: at the chassis, or in the vendor's own tree."""
    for chassis in server.chassis:
        linked = await links.branch("Drives", links.each(items(dig(chassis, "Links", "Drives")), server.notes), server.notes)
        drives = linked or await _optional(links, chassis, "Drives", server.notes)
        if drives:
            server.storages = [*(server.storages or ()), StorageTree(chassis, drives=drives)]
    if not any(unit.drives for unit in server.storages or ()):
        for keys in known.oem_controllers:
            await _oem_drives(links, known, server, keys)


async def _oem_drives(links: Links, known: Vendor, server: ServerTree, keys: tuple[str, ...]) -> None:
    """Follow the vendor's keys; a key may cross from one resource into the next."""
    here: Any = server.system
    for key in keys:
        here = dig(here, key)
        if link_path(here) and not is_whole(here):
            here = await links.branch(key, links.resource(here, levels=1), server.notes)
        if here is None:
            return
    for controller in await links.branch("OEM controllers", links.members(here, server.notes), server.notes) or ():
        link = next((found for path in known.oem_drives if (found := dig(controller, *path)) is not None), None)
        drives = await links.branch("OEM drives", links.members(link, server.notes), server.notes) if link else None
        server.storages = [*(server.storages or ()), StorageTree(controller, drives=drives)]
