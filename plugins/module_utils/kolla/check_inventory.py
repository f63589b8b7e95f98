# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory: hosts as planned, groups as the installed kolla-ansible wants them, enough servers for a majority."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .check_ini import Group, parse_inventory, with_hosts
from .check_read import GROUP_VARS, HOST_VARS, HOSTS, Site, read_yaml
from .findings import Finding, Kind
from .hosts import GROUPS, address, kolla_servers, members
from .tree import nearest

RENDER = "Render the topology again: frontier.vitro.render"
LEAST_CONTROL: Final = 3
# As many names as people read.
MOST: Final = 4

HOST_MISSING = Kind(
    "host_missing",
    "A planned server is not in the group of its role",
    f"{RENDER}. Is the server gone, say so in the intent and plan again",
    "Deploys without the server and says nothing",
)
HOST_FOREIGN = Kind(
    "host_foreign",
    "A host of the inventory is not in the plan",
    "Remove it from the inventory, or discover and plan it first: nothing is known of its interfaces and disks",
    "Deploys to it",
)
HOST_ABSENT = Kind(
    "host_absent",
    "A host of the inventory is planned as absent",
    "Say in the intent what became of it and plan again, then render",
    "Drops it as unreachable and goes on with the others, with its default of kolla_max_fail_percentage",
)
HOST_ROLE = Kind(
    "host_role",
    "A host is in a group whose role the plan does not give it",
    "Take it out of the group, or give it the role in the intent and plan again: memory and ports are planned by roles",
    "Deploys the services there",
)
HOST_ADDRESS = Kind(
    "host_address",
    "A host would be reached under another address than the planned one",
    "Correct ansible_host in the host's file: another server may answer there",
    "Deploys to whoever answers there",
)
GROUP_MISSING = Kind(
    "group_missing",
    "A group of the installed kolla-ansible is not in the inventory",
    f"{RENDER}: groups change with every release",
    "Stops somewhere with an attribute error that does not name the group clearly",
)
GROUP_EXTRA = Kind(
    "group_extra",
    "A group of the inventory is unknown to the installed kolla-ansible",
    "Correct its name, or remove it if it is a leftover of another release",
    "Ignores it",
    "warning",
)
GROUP_EMPTY = Kind(
    "group_empty",
    "A group that needs hosts has none",
    RENDER,
    "Skips its services, or stops with an error about an empty list; only the load balancer's group is checked",
)
GROUP_DIFFERS = Kind(
    "group_differs",
    "A group stands on other hosts than kolla-ansible's example and the plan put it on",
    "Render the topology again if this was not on purpose: memory and ports are planned by roles",
    "Deploys the services there",
    "warning",
)
GROUP_LOOP = Kind("group_loop", "A group lies inside itself", RENDER, "Ansible stops with a message about a loop")
GROUP_VARS_ALL = Kind(
    "group_vars_all",
    "Variables stand in group_vars/all, where they silently lose against Kolla's own",
    "Move them to a file in globals.d, or to group_vars of a named group such as `baremetal`",
    "Uses its own values without a word",
)
QUORUM = Kind(
    "quorum",
    "The control servers are too few, or an even number",
    "Use an odd number of control servers, three at least: Galera, RabbitMQ and OVN need a majority to go on after a loss",
    "Deploys it",
)
HOST_FILE_STRAY = Kind(
    "host_file_stray",
    "Variables are there for a host that the inventory does not have",
    "Remove the file, or correct its name",
    "Ignores the file",
    "warning",
)


def check_inventory(site: Site) -> Iterator[Finding]:
    if not site.inventory.groups:
        return
    yield from _hosts(site)
    yield from _groups(site)
    yield from _quorum(site)
    yield from _files(site)


def _hosts(site: Site) -> Iterator[Finding]:
    planned = {one.name: one for one in kolla_servers(site.plan)}
    absent = {one.name for one in site.plan.servers if one.state == "absent"}
    local = set(site.members.get("deployment", ()))
    for host in sorted(site.inventory.hosts - planned.keys() - local):
        kind = HOST_ABSENT if host in absent else HOST_FOREIGN
        near = nearest(host, list(planned))
        yield kind.of(HOSTS, f"`{host}` is {'absent' if host in absent else 'not in the plan'}" + _did_you_mean(near), host=host)
    for role in GROUPS:
        wanted, found = members(site.plan, role), site.members.get(role, ())
        for host in (one for one in wanted if one not in found):
            yield HOST_MISSING.of(HOSTS, f"{host} is planned as {role} and is not in the group `{role}`", key=role, host=host)
        for host in (one for one in found if one in planned and one not in wanted):
            yield HOST_ROLE.of(HOSTS, f"{host} is in the group `{role}` and has no such role in the plan", key=role, host=host)
    for host, server in planned.items():
        wanted_address = address(site.plan, server, "management")
        given = site.variables.text("ansible_host", host)
        if given is not None and host in site.inventory.hosts and given != wanted_address:
            text = f"{host} is planned at {wanted_address}"
            yield HOST_ADDRESS.of(f"{HOST_VARS}{host}.yml", text, key="ansible_host", value=given, host=host)


def _groups(site: Site) -> Iterator[Finding]:
    package = parse_inventory(site.package.children)
    own = {role: tuple(members(site.plan, role)) for role in GROUPS} | {"deployment": ("localhost",)}
    expected = with_hosts(package, own).members() | _ovn(site)
    declared = site.inventory.declared
    missing = sorted((site.package.groups | {"deployment"}) - declared)
    for name in missing:
        yield GROUP_MISSING.of(HOSTS, f"there is no group `{name}`", key=name)
    for name in sorted(declared - site.package.groups - set(own) - {"all"}):
        yield GROUP_EXTRA.of(HOSTS, f"kolla-ansible knows no group `{name}`" + _did_you_mean(nearest(name, missing)), key=name)
    for name in site.inventory.loops():
        yield GROUP_LOOP.of(HOSTS, f"`{name}` lies inside itself", key=name)
    for name in sorted(declared & expected.keys()):
        found = site.members.get(name, ())
        changed = name in own or site.inventory.groups[name].children != package.groups.get(name, Group()).children
        if changed and not found and expected[name]:
            yield GROUP_EMPTY.of(HOSTS, f"the group `{name}` has no hosts; by the plan it has {_some(expected[name])}", key=name)
        elif changed and name not in own and set(found) != set(expected[name]):
            text = f"the group `{name}` has {_some(found)}; by the plan it has {_some(expected[name])}"
            yield GROUP_DIFFERS.of(HOSTS, text, key=name)


def _ovn(site: Site) -> dict[str, tuple[str, ...]]:
    """Where the plan says more than the example."""
    chassis = [one.name for one in kolla_servers(site.plan) if {"compute", "network"} & set(one.roles)]
    gateways = site.plan.ovn.gateways
    compute = members(site.plan, "compute")
    return {
        "ovn-database": site.plan.ovn.databases,
        "ovn-controller-network": gateways,
        "ovn-controller-compute": tuple(one for one in chassis if one in compute or one not in gateways),
    }


def _quorum(site: Site) -> Iterator[Finding]:
    hosts = site.members.get("control", ())
    planned = members(site.plan, "control")
    # What the plan itself has was told by the planner.
    if set(hosts) != set(planned) and hosts and (len(hosts) < LEAST_CONTROL or len(hosts) % 2 == 0):
        yield QUORUM.of(HOSTS, f"{len(hosts)} control servers: {_some(hosts)}", key="control", value=len(hosts))


def _files(site: Site) -> Iterator[Finding]:
    known = site.inventory.hosts
    for path in sorted(site.tree):
        if path.startswith((f"{GROUP_VARS}all.", f"{GROUP_VARS}all/")) or path == f"{GROUP_VARS}all":
            keys = sorted(read_yaml(path, site.tree[path], []))
            text = f"{', '.join(f'`{key}`' for key in keys[:5]) or 'the file'} in group_vars/all loses against Kolla's own"
            yield GROUP_VARS_ALL.of(path, text, key=keys[0] if keys else None)
    for name in sorted(site.variables.hosts.keys() - known):
        yield HOST_FILE_STRAY.of(f"{HOST_VARS}{name}.yml", f"the inventory has no host `{name}`", host=name)


def _some(hosts: tuple[str, ...]) -> str:
    more = f" and {len(hosts) - MOST} more" if len(hosts) > MOST else ""
    return f"{', '.join(hosts[:MOST])}{more}" if hosts else "none"


def _did_you_mean(near: str | None) -> str:
    return f"; did you mean `{near}`?" if near else ""
