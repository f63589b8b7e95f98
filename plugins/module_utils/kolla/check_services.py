# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Services that need one another: Cinder, Octavia, the object gateway, Neutron's agents; registry, engine, firewall and memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as ConfigError
from typing import Any, Final

from .check_read import Site
from .effective import UNKNOWN, is_template, to_bool, to_int
from .findings import Finding, Kind
from .hosts import address, kolla_servers

MIB: Final = 1024**2
REGISTRY = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::\d{1,5})?")
CINDER_BACKENDS = re.compile(r"enable_cinder_backend_\w+|cinder_backend_ceph")
OCTAVIA_FILES = ("client.cert-and-key.pem", "client_ca.cert.pem", "server_ca.cert.pem", "server_ca.key.pem")
NOVA_FILES = ("config/global.conf", "config/nova.conf", "config/nova/nova-compute.conf")

CINDER_CLUSTER = Kind(
    "cinder_cluster",
    "cinder_cluster_name does not fit the number of cinder-volume hosts",
    "Set it with several cinder-volume hosts, leave it empty with one",
    "Stops with a clear message",
)
CINDER_COORDINATOR = Kind(
    "cinder_coordinator",
    "Cinder on Ceph with several hosts has no coordinator",
    "Set enable_valkey (or enable_etcd) to true",
    "Stops with a clear message",
)
CINDER_BACKEND = Kind(
    "cinder_backend",
    "Cinder is enabled and has no backend",
    "Set cinder_backend_ceph to true, or enable_cinder to false",
    "Stops with a clear message",
)
OCTAVIA_VALKEY = Kind(
    "octavia_valkey",
    "Octavia's amphorae need Valkey",
    "Set enable_valkey to true, or keep to OVN: octavia_provider_drivers `ovn:OVN provider`",
    "Stops with a clear message",
)
OCTAVIA_FILE = Kind(
    "octavia_files",
    "Octavia's amphorae need certificates that are not there",
    "Run kolla-ansible octavia-certificates, or keep to OVN: octavia_provider_drivers `ovn:OVN provider`",
    "Stops and names the file",
    "awaited",
)
OCTAVIA_NETWORK = Kind(
    "octavia_network",
    "octavia_network_type `tenant` works with openvswitch only",
    "Use `provider`, or keep to OVN: octavia_provider_drivers `ovn:OVN provider`",
    "Stops with a clear message",
)
RGW_HOSTS = Kind(
    "rgw_hosts",
    "The object gateways are none, or not the planned ones",
    "Render the topology again; take ceph_rgw_hosts out of globals.d",
    "Stops if the list is empty; passes everything else",
)
AGENTS_FEW = Kind(
    "agents_few",
    "Agents are to be redundant and there is one network host",
    "Set enable_neutron_agent_ha to false, or plan a second network host",
    "Stops with a clear message",
)
REGISTRY_FORM = Kind(
    "registry_form",
    "The registry is no host with an optional port",
    "Write `host:port`, without https:// and without a path; the path is docker_namespace",
    "Passes; each pull fails",
)
REGISTRY_DIFFERS = Kind(
    "registry_differs",
    "The registry is another one than the plan has",
    "Set registry in the intent and plan again: the role host_base makes the hosts trust the planned one",
    "Knows no plan",
)
REGISTRY_DEFAULT = Kind(
    "registry_default",
    "The images would come from Kolla's public test registry",
    "Set `registry` in the intent and plan again",
    "Refuses it in its prechecks",
)
REGISTRY_INSECURE = Kind(
    "registry_insecure",
    "Images are fetched without checking who gives them",
    "Give the registry a certificate, and its CA in host_base_registry_ca; set the key to false",
    "Passes",
    "warning",
)
PODMAN_TWIN = Kind(
    "podman_twin",
    "A key for docker has a twin for podman that is missing or different",
    "Set both to the same",
    "Reads only the twin when it prepares hosts with podman, and writes no registry file without it",
)
FIREWALL = Kind(
    "firewall",
    "Something would change the hosts' firewall behind the role host_base",
    "Remove the key: this collection does not run bootstrap-servers, and leaves a firewall as it is",
    "Turns the firewall off in bootstrap-servers, by default",
    "warning",
)
MEMORY = Kind(
    "memory_reserved",
    "Nova leaves less memory to the other services of a host than the plan does",
    "Take reserved_host_memory_mb out of your override, or set at least the planned number",
    "Checks nothing; OSDs and guests fight for memory",
)


def check_services(site: Site) -> Iterator[Finding]:
    yield from _cinder(site)
    yield from _octavia(site)
    yield from _gateways(site)
    yield from _registry(site)
    yield from _memory(site)
    variables = site.variables
    for key in ("neutron-dhcp-agent", "neutron-l3-agent"):
        if variables.true("enable_neutron_agent_ha") and len(site.members.get(key, ())) == 1:
            file = variables.file("enable_neutron_agent_ha")
            yield AGENTS_FEW.of(file, f"the group `{key}` has one host", key="enable_neutron_agent_ha", value=True)
            break
    for key in ("disable_firewall", "enable_external_api_firewalld"):
        if key in variables.extra and variables.true(key):
            text = "Kolla would turn the firewall off" if key == "disable_firewall" else "Kolla would open ports in firewalld"
            yield FIREWALL.of(variables.file(key), text, key=key, value=variables.value(key))


def _cinder(site: Site) -> Iterator[Finding]:
    variables = site.variables
    if not variables.true("enable_cinder"):
        return
    hosts, name = site.members.get("cinder-volume", ()), variables.text("cinder_cluster_name")
    if hosts and name is not None and bool(name) != (len(hosts) > 1):
        text = f"{len(hosts)} cinder-volume hosts and " + (f"the cluster name `{name}`" if name else "no cluster name")
        yield CINDER_CLUSTER.of(variables.file("cinder_cluster_name"), text, key="cinder_cluster_name", value=name)
    if variables.true("cinder_backend_ceph") and variables.text("cinder_coordination_backend") == "" and len(hosts) > 1:
        key = f"enable_{site.plan.openstack.coordination}"
        yield CINDER_COORDINATOR.of(
            variables.file(key), f"{len(hosts)} cinder-volume hosts and neither Valkey nor etcd", key=key, value=False
        )
    known = [key for key in variables.defaults if CINDER_BACKENDS.fullmatch(key)]
    if all(to_bool(variables.value(key)) is False for key in known) and not variables.true("skip_cinder_backend_check"):
        yield CINDER_BACKEND.of(variables.file("cinder_backend_ceph"), "no backend of Cinder is on", key="cinder_backend_ceph", value=False)


def _octavia(site: Site) -> Iterator[Finding]:
    variables = site.variables
    drivers = variables.text("octavia_provider_drivers")
    if not variables.true("enable_octavia") or drivers is None or "amphora" not in drivers:
        return
    file, where = variables.file("octavia_provider_drivers"), {"key": "octavia_provider_drivers", "value": drivers}
    if variables.true("enable_octavia_jobboard") and to_bool(variables.value("enable_valkey")) is False:
        yield OCTAVIA_VALKEY.of(file, "amphora is among the drivers and Valkey is off", **where)
    for name in (name for name in OCTAVIA_FILES if f"config/octavia/{name}" not in site.tree):
        yield OCTAVIA_FILE.of(f"config/octavia/{name}", f"there is no config/octavia/{name}", **where)
    kind, agent = variables.text("octavia_network_type"), variables.text("neutron_plugin_agent")
    if variables.true("octavia_auto_configure") and kind == "tenant" and agent not in ("openvswitch", None):
        text = f"the network plugin is {agent}"
        yield OCTAVIA_NETWORK.of(variables.file("octavia_network_type"), text, key="octavia_network_type", value=kind)


def _gateways(site: Site) -> Iterator[Finding]:
    variables, key = site.variables, "ceph_rgw_hosts"
    hosts = variables.value(key)
    if not variables.true("enable_ceph_rgw") or hosts is UNKNOWN:
        return
    file = variables.file(key)
    if not isinstance(hosts, list) or not hosts:
        if variables.true("enable_ceph_rgw_loadbalancer"):
            yield RGW_HOSTS.of(file, "ceph_rgw_hosts has no entry", key=key, value=hosts)
        return
    planned = {one.name: one for one in kolla_servers(site.plan) if one.name in site.plan.ceph.object_gateways}
    for one in hosts:
        entry: dict[str, Any] = one if isinstance(one, dict) else {}
        name = str(entry.get("host"))
        where = {"key": key, "value": f"{entry.get('ip', name)}:{entry.get('port')}", "host": name}
        if name not in planned:
            yield RGW_HOSTS.of(file, f"`{name}` is no object gateway of the plan", **where)
        elif "ip" in entry and entry["ip"] != address(site.plan, planned[name], "storage"):
            text = f"{name} has its object gateway at {address(site.plan, planned[name], 'storage')}"
            yield RGW_HOSTS.of(file, text, **where)


def _registry(site: Site) -> Iterator[Finding]:
    variables, plan = site.variables, site.plan
    given, file = variables.text("docker_registry"), variables.file("docker_registry")
    where = {"key": "docker_registry", "value": given}
    defaults = [(variables.defaults.get(key), variables.text(key)) for key in ("docker_registry", "docker_namespace")]
    if given is None:
        return
    if all(default == value for default, value in defaults):
        if not variables.true("kolla_test_images"):
            yield REGISTRY_DEFAULT.of(file, f"the registry is {given}/{defaults[1][1]}", **where)
    elif not REGISTRY.fullmatch(given):
        yield REGISTRY_FORM.of(file, f"`{given}` is no host with an optional port", **where)
    elif plan.registry and given != plan.registry:
        yield REGISTRY_DIFFERS.of(file, f"the plan has {plan.registry}", **where)
    if variables.true("docker_registry_insecure"):
        key = "docker_registry_insecure"
        yield REGISTRY_INSECURE.of(variables.file(key), f"certificates of {given} are not checked", key=key, value=True)
    if variables.text("kolla_container_engine") == "podman":
        for ours, twin in (("docker_registry", "podman_registry"), ("docker_registry_insecure", "podman_registry_insecure")):
            pair = [variables.value(key) for key in (ours, twin)]
            if ours in variables.extra and UNKNOWN not in pair and pair[0] != pair[1]:
                text = f"`{ours}` is `{pair[0]}` and `{twin}` is `{'' if pair[1] is None else pair[1]}`"
                yield PODMAN_TWIN.of(variables.file(twin), text, key=twin, value=pair[1])


def _memory(site: Site) -> Iterator[Finding]:
    for host in site.hosts("compute"):
        memory = site.servers[host].memory
        wanted = -(-(memory.total - memory.guests) // MIB)
        files = [*NOVA_FILES, f"config/nova/{host}/nova.conf", f"config/nova/{host}/nova-compute.conf"]
        found = [(path, value) for path in files if (value := _reserved(site, path)) is not None]
        path, value = found[-1] if found else (files[-1], None)
        number = to_int(value)
        if is_template(value):
            continue
        if number is None or number < wanted:
            said = "no file sets it" if value is None else f"it is {value}"
            text = f"the others on {host} need {wanted} MiB and {said}"
            yield MEMORY.of(path, text, key="reserved_host_memory_mb", value=value, host=host)


def _reserved(site: Site, path: str) -> str | None:
    parser = ConfigParser(interpolation=None, strict=False, default_section="\0")
    try:
        parser.read_string(site.tree[path].text if path in site.tree else "")
    except ConfigError:
        return None
    return parser.get("DEFAULT", "reserved_host_memory_mb", fallback=None)
