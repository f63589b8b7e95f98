# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts that Ansible would gather on a planned server, as far as kolla-ansible asks for them."""

from __future__ import annotations

import ipaddress
import os
import sys
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import Interface, PlannedServer
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

RELEASES = {
    "debian-12": ("Debian", "bookworm", "12"),
    "debian-13": ("Debian", "trixie", "13"),
    "ubuntu-24.04": ("Ubuntu", "noble", "24.04"),
    "rocky-10": ("Rocky", "", "10.0"),
}
FAMILIES = {"Debian": "Debian", "Ubuntu": "Debian", "Rocky": "RedHat"}


def facts_of(plan: Plan) -> dict[str, dict[str, Any]]:
    """Facts by host; `localhost` is one too, since Kolla's plays run on it."""
    hosts = {server.name: _host(plan, server) for server in plan.servers if server.state == "present"}
    return {
        **hosts,
        "localhost": {**_system(plan), "hostname": "localhost", "nodename": "localhost", "fqdn": "localhost", "interfaces": []},
    }


def _host(plan: Plan, server: PlannedServer) -> dict[str, Any]:
    interfaces = {_key(one.name): _interface(one) for one in server.interfaces}
    return {
        **_system(plan),
        "hostname": server.name,
        "nodename": server.name,
        "fqdn": server.fqdn,
        "processor_vcpus": server.cpu.total,
        "memtotal_mb": server.memory.total // 2**20,
        "interfaces": [one.name for one in server.interfaces],
        **interfaces,
    }


def _system(plan: Plan) -> dict[str, Any]:
    distribution, release, version = RELEASES[plan.versions.os]
    return {
        "distribution": distribution,
        "distribution_release": release,
        "distribution_version": version,
        "distribution_major_version": version.partition(".")[0],
        "os_family": FAMILIES[distribution],
        "architecture": "x86_64",
        "service_mgr": "systemd",
        "user_uid": os.getuid(),
        "user_gid": os.getgid(),
        "processor_vcpus": 2,
        "memtotal_mb": 4096,
        "python": {"executable": sys.executable},
        "packages": {},
    }


def _interface(one: Interface) -> dict[str, Any]:
    facts: dict[str, Any] = {"active": True, "device": one.name, "mtu": one.mtu, "ipv6": []}
    for address in one.addresses[:1]:
        whole = ipaddress.ip_interface(address.cidr)
        facts["ipv4"] = {
            "address": str(whole.ip),
            "netmask": str(whole.network.netmask),
            "network": str(whole.network.network_address),
            "broadcast": str(whole.network.broadcast_address),
            "prefix": str(whole.network.prefixlen),
        }
    return facts


def _key(name: str) -> str:
    """Ansible's facts have an underscore for a dash; a dot stays."""
    return name.replace("-", "_")
