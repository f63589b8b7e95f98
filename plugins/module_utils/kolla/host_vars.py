# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs from host to host. Kolla's globals win over everything, so none of these may stand there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..plan.servers import NetworkName, PlannedServer
from ..plan.types import Plan
from .hosts import address, kolla_servers
from .tree import File
from .words import yaml_file

# Which traffic each of Kolla's interface keys is for.
INTERFACES: Final[Mapping[str, NetworkName]] = {
    "network_interface": "management",
    "api_interface": "api",
    "kolla_external_vip_interface": "public",
    "dns_interface": "public",
    "tunnel_interface": "tunnel",
    "migration_interface": "migration",
    "neutron_external_interface": "external",
}
BRIDGE: Final = "br-ex"
# Kolla has its own group_vars/baremetal with this key, which win over those of an inventory; host_vars win over both.
PYTHON: Final = "ansible_python_interpreter"
SECRET_WORDS: Final = ("pass", "secret", "token")


def host_files(plan: Plan, connection: Mapping[str, Any]) -> dict[str, File]:
    """One file for each host, and how to reach all of them."""
    python = {PYTHON: connection[PYTHON]} if PYTHON in connection else {}
    files = {f"inventory/host_vars/{one.name}.yml": File(_host_text(plan, one, python)) for one in kolla_servers(plan)}
    plain = {key: value for key, value in sorted(connection.items()) if key != PYTHON and not is_secret(key)}
    secret = {key: value for key, value in sorted(connection.items()) if is_secret(key)}
    if plain:
        files["inventory/group_vars/baremetal/connection.yml"] = File(yaml_file([("How the servers are reached.", plain)]))
    if secret:
        files["inventory/group_vars/baremetal/secrets.yml"] = File(yaml_file([("How the servers are reached.", secret)]), secret=True)
    return files


def is_secret(key: str) -> bool:
    return any(word in key for word in SECRET_WORDS)


def _host_text(plan: Plan, server: PlannedServer, python: Mapping[str, Any]) -> str:
    interfaces = {key: server.traffic[network] for key, network in INTERFACES.items()}
    reached = {"ansible_host": address(plan, server, "management"), **python}
    return yaml_file([("", reached), ("Interfaces", {**interfaces, "neutron_bridge_name": BRIDGE})])
