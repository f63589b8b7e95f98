# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kolla's inventory: our host groups, and the services on them as the installed kolla-ansible builds them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..plan.types import Plan
from .check_ini import parse_inventory
from .hosts import GROUPS, kolla_servers, members, named
from .package import Package
from .words import HEADER

# Kolla's own Python runs what Kolla does on this machine; without this Ansible looks for another one.
DEPLOYMENT = 'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"'


def inventory_text(plan: Plan, package: Package) -> str:
    groups = {role: members(plan, role) for role in GROUPS}
    parts = [HEADER, *(_section(name, hosts) for name, hosts in groups.items()), _section("deployment", [DEPLOYMENT])]
    services = f"# From here on as in kolla-ansible {package.version}.\n\n{package.children}"
    top = "\n".join(parts)
    resolved = parse_inventory(f"{top}\n{services}").members()
    for name, hosts in _ovn_groups(plan).items():
        if set(resolved.get(name, ())) != set(hosts):
            services = _replaced(services, name, hosts)
    return f"{top}\n{services}"


def _ovn_groups(plan: Plan) -> dict[str, list[str]]:
    """Who carries OVN. A network server that is no gateway is a chassis all the same: Neutron's agents there look for one."""
    gateways = [one.name for one in named(plan, plan.ovn.gateways)]
    chassis = [one.name for one in kolla_servers(plan) if {"compute", "network"} & set(one.roles)]
    compute = members(plan, "compute")
    return {
        "ovn-database": [one.name for one in named(plan, plan.ovn.databases)],
        "ovn-controller-network": gateways,
        "ovn-controller-compute": [one for one in chassis if one in compute or one not in gateways],
    }


def _section(name: str, lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in (f"[{name}]", *lines))


def _replaced(services: str, name: str, hosts: Sequence[str]) -> str:
    children = re.compile(rf"^\[{re.escape(name)}:children\]\n(?:[^\[\n].*\n)*", re.MULTILINE)
    return children.sub(f"# The plan differs from the example here.\n{_section(name, hosts)}", services)
