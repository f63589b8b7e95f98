# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One mistake at a time in a directory with nothing wrong, and exactly what is said about it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check import check, kinds, lines, summary
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check_keys import GONE, HOST_KEYS
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.inputs import Inputs
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.topology import render
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import File
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.kolla.good_site import (
    NETWORKS,
    NOW,
    Authority,
    authority,
    names,
    package,
    pair,
    plan,
    rendered,
)
from tests.unit.plugins.module_utils.plan.racks import laid_over

Tree = dict[str, File]
Edit = Callable[[Tree], None]
HOSTS = ("lab-01", "lab-02", "lab-03")
CONTROL = "inventory/hosts"


@cache
def site():
    return plan()


@cache
def good() -> Tree:
    return rendered(site())


def keys(**given: Any) -> Edit:
    """Keys that an operator sets."""

    def edit(tree: Tree) -> None:
        tree["globals.d/90-test.yml"] = File(yaml.safe_dump(given))

    return edit


def host(name: str, **given: Any) -> Edit:
    def edit(tree: Tree) -> None:
        path = f"inventory/host_vars/{name}.yml"
        values = yaml.safe_load(tree[path].text) | given
        tree[path] = File(yaml.safe_dump({key: value for key, value in values.items() if value is not None}))

    return edit


def put(path: str, text: str, *, secret: bool = False) -> Edit:
    def edit(tree: Tree) -> None:
        tree[path] = File(text, secret=secret)

    return edit


def drop(*paths: str) -> Edit:
    def edit(tree: Tree) -> None:
        for path in paths:
            del tree[path]

    return edit


def change(path: str, pattern: str, with_: str) -> Edit:
    """Some text of a file; it must be there."""

    def edit(tree: Tree) -> None:
        text, count = re.subn(pattern, with_, tree[path].text, flags=re.MULTILINE)
        assert count, pattern
        tree[path] = dataclasses.replace(tree[path], text=text)

    return edit


def secret(**given: Any) -> Edit:
    """Values of passwords.yml; None takes a key out."""

    def edit(tree: Tree) -> None:
        values = yaml.safe_load(tree["passwords.yml"].text) | given
        left = {key: value for key, value in values.items() if key not in given or given[key] is not None}
        tree["passwords.yml"] = File(yaml.safe_dump(left), secret=True)

    return edit


def clear(path: str) -> Edit:
    return lambda tree: tree.update({path: dataclasses.replace(tree[path], secret=False)})


def both(*edits: Edit) -> Edit:
    def edit(tree: Tree) -> None:
        for one in edits:
            one(tree)

    return edit


def signed(path: str, covered: list[str], **given: Any) -> Edit:
    return lambda tree: tree.update({path: File(authority().signed(covered, **given), secret=True)})


def found(edit: Edit, now=NOW):
    tree = dict(good())
    edit(tree)
    return check(site(), tree, package(), now)


def said(findings):
    """Code, key and host of each; hosts of one kind joined."""
    joined: dict[tuple[str, str | None], list[str]] = {}
    for one in findings:
        joined.setdefault((one.code, one.key), []).append(one.host or "")
    return {(code, key, ",".join(filter(None, hosts))) for (code, key), hosts in joined.items()}


def server(name):
    return next(one for one in site().servers if one.name == name)


def address(name, network):
    return next(at.cidr.partition("/")[0] for face in server(name).interfaces for at in face.addresses if at.network == network)


def vip(name):
    return next(one for one in site().vips if one.name == name)


INTERNAL, EXTERNAL, API_VLAN = "kolla_internal_vip_address", "kolla_external_vip_address", "api_interface"
ALL = ",".join(HOSTS)
OCTAVIA = {("octavia_files", "octavia_provider_drivers", "")}
AMPHORA = {"octavia_provider_drivers": "amphora:Amphora provider, ovn:OVN provider", "octavia_provider_agents": "amphora_agent, ovn"}
INNER, OUTER = "certificates/haproxy-internal.pem", "certificates/haproxy.pem"

# The mistakes that were fed to the real prechecks (facts section 6); what Kolla answers stands in docs/kolla-checks.md.
THIRTEEN = {
    "VIP outside the API network": (keys(**{INTERNAL: "10.99.0.9"}), {("vip_subnet", INTERNAL, ALL)}),
    "VIP already used by a node": (
        keys(**{INTERNAL: address("lab-02", "api")}),
        {("vip_taken", INTERNAL, "")},
    ),
    "internal VIP empty": (keys(**{INTERNAL: ""}), {("vip_missing", INTERNAL, "")}),
    "VRID 300": (keys(keepalived_virtual_router_id=300), {("vrid_invalid", "keepalived_virtual_router_id", "")}),
    "interface missing on one host": (
        host("lab-02", api_interface="main.999"),
        {("interface_unknown", "api_interface", "lab-02")},
    ),
    "group missing": (
        change(CONTROL, r"^\[neutron-metering-agent:children\]\n[a-z]+\n", ""),
        {("group_missing", "neutron-metering-agent", "")},
    ),
    "cinder_cluster_name empty": (keys(cinder_cluster_name=""), {("cinder_cluster", "cinder_cluster_name", "")}),
    "no coordinator": (keys(enable_valkey=False), {("cinder_coordinator", "enable_valkey", "")}),
    "amphora without valkey": (
        keys(**AMPHORA, enable_valkey=False, enable_etcd=True),
        OCTAVIA | {("octavia_valkey", "octavia_provider_drivers", "")},
    ),
    "misspelt key": (keys(neutron_plugin_agnet="ovn"), {("unknown_key", "neutron_plugin_agnet", "")}),
    "neutron_plugin_agent ovnn": (keys(neutron_plugin_agent="ovnn"), {("value_unknown", "neutron_plugin_agent", "")}),
    "external interface does not exist": (
        host("lab-03", neutron_external_interface="eth9"),
        {("interface_unknown", "neutron_external_interface", "lab-03")},
    ),
    "two external interfaces, one bridge": (
        host("lab-01", neutron_external_interface="provider.30,provider"),
        {("external_lists", "neutron_external_interface", "lab-01")},
    ),
    "certificate missing": (drop(OUTER), {("certificate_missing", "kolla_external_fqdn_cert", "")}),
}

VIPS = {
    "no address": (keys(**{INTERNAL: "10.20.3.999"}), {("vip_invalid", INTERNAL, "")}),
    "with a prefix": (keys(**{EXTERNAL: "10.20.3.200/24"}), {("vip_invalid", EXTERNAL, "")}),
    "other family": (keys(**{INTERNAL: "2001:db8::9"}), {("vip_family", INTERNAL, "")}),
    "network address": (keys(**{INTERNAL: "10.20.3.0"}), {("vip_reserved", INTERNAL, "")}),
    "broadcast address": (keys(**{EXTERNAL: "10.20.3.255"}), {("vip_reserved", EXTERNAL, "")}),
    "gateway": (
        both(keys(**{INTERNAL: "10.20.0.1"}), *(host(one, api_interface="main") for one in HOSTS)),
        {("vip_reserved", INTERNAL, ""), ("interface_network", "api_interface", ALL)},
    ),
    "the FMC's": (
        keys(**{INTERNAL: vip("fmc").address}),
        {("vip_taken", INTERNAL, ""), ("vip_subnet", INTERNAL, ALL)},
    ),
    "in a range that is handed out": (
        keys(**{INTERNAL: "10.20.3.77"}, ironic_dnsmasq_dhcp_ranges=[{"range": "10.20.3.70,10.20.3.80"}]),
        {("vip_range", INTERNAL, "")},
    ),
    "not the planned one": (keys(**{INTERNAL: "10.20.3.77"}), {("vip_differs", INTERNAL, "")}),
    "both equal, TLS outside only": (
        keys(**{EXTERNAL: vip("internal").address}, kolla_enable_tls_internal=False),
        {("vips_equal", EXTERNAL, ""), ("vip_differs", EXTERNAL, "")},
    ),
    "other name": (
        keys(kolla_external_fqdn="cloud.example.org"),
        {("fqdn_differs", "kolla_external_fqdn", "")},
    ),
    "VRID as text": (keys(keepalived_virtual_router_id="abc"), {("vrid_invalid", "keepalived_virtual_router_id", "")}),
    "VRID 0": (keys(keepalived_virtual_router_id=0), {("vrid_invalid", "keepalived_virtual_router_id", "")}),
    "VRID not the planned one": (keys(keepalived_virtual_router_id=199), {("vrid_differs", "keepalived_virtual_router_id", "")}),
}
INTERFACES = {
    "in globals": (keys(network_interface="main"), {("interface_in_globals", "network_interface", "")}),
    "in group_vars of a named group is fine": (put("inventory/group_vars/baremetal.yml", "network_interface: main\n"), set()),
    "not said": (
        host("lab-01", tunnel_interface=None, network_interface=None),
        {("interface_missing", "tunnel_interface", "lab-01"), ("interface_missing", "network_interface", "lab-01")},
    ),
    "external one not said": (
        host("lab-01", neutron_external_interface=None),
        {("interface_missing", "neutron_external_interface", "lab-01")},
    ),
    "too long": (host("lab-01", neutron_bridge_name="br-external-provider"), {("interface_long", "neutron_bridge_name", "lab-01")}),
    "too long and unknown": (host("lab-01", tunnel_interface="enp129s0f1np1.2210"), {("interface_long", "tunnel_interface", "lab-01")}),
    "without address": (host("lab-02", tunnel_interface="main0"), {("interface_addresses", "tunnel_interface", "lab-02")}),
    "other network": (host("lab-02", migration_interface="main.21"), {("interface_network", "migration_interface", "lab-02")}),
    "tunnel on the API network": (
        host("lab-02", tunnel_interface="main.23"),
        {("interface_network", "tunnel_interface", "lab-02"), ("mtu_differs", "tunnel_interface", "lab-02")},
    ),
    "external one has an address": (
        host("lab-02", neutron_external_interface="main.21"),
        {("external_address", "neutron_external_interface", "lab-02")},
    ),
    "external one carries storage": (
        host("lab-02", neutron_external_interface="main"),
        {("external_address", "neutron_external_interface", "lab-02"), ("external_carries", "neutron_external_interface", "lab-02")},
    ),
    "member of the bond": (
        host("lab-02", neutron_external_interface="main0"),
        {("external_carries", "neutron_external_interface", "lab-02")},
    ),
    "several physical networks": (
        keys(neutron_physical_networks="physnet1,physnet2"),
        {("external_lists", "neutron_external_interface", ALL)},
    ),
    "guests' MTU larger than the tunnel": (
        both(
            change("config/neutron/ml2_conf.ini", r"^path_mtu = .*", "path_mtu = 9100"),
            change("config/neutron.conf", r"^global_physnet_mtu = .*", "global_physnet_mtu = 9200"),
        ),
        {("mtu_tunnel", "path_mtu", ALL)},
    ),
    "guests' MTU too small": (
        change("config/neutron/ml2_conf.ini", r"^path_mtu = .*", "path_mtu = 1500"),
        {("mtu_guests", "path_mtu", "")},
    ),
    "guests' MTU that just fits": (
        both(
            change("config/neutron/ml2_conf.ini", r"^path_mtu = .*", "path_mtu = 9000"),
            change("config/neutron.conf", r"^global_physnet_mtu = .*", "global_physnet_mtu = 9000"),
        ),
        set(),
    ),
    "no MTU at all": (drop("config/neutron.conf", "config/neutron/ml2_conf.ini"), {("mtu_guests", "global_physnet_mtu", "")}),
}
INVENTORY = {
    "host left out": (change(CONTROL, r"(?<=\[compute\]\n)lab-01\n", ""), {("host_missing", "compute", "lab-01")}),
    "two control hosts": (
        change(CONTROL, r"(?<=\[control\]\n)lab-01\n", ""),
        {("host_missing", "control", "lab-01"), ("quorum", "control", "")},
    ),
    "foreign host": (change(CONTROL, r"(?<=\[compute\]\n)", "lab-07\n"), {("host_foreign", None, "lab-07")}),
    "one host twice is fine": (change(CONTROL, r"(?<=\[compute\]\n)", "lab-01\n"), set()),
    "group empty": (change(CONTROL, r"(?<=\[loadbalancer:children\]\n)network\n", ""), {("group_empty", "loadbalancer", "")}),
    "host group empty": (
        change(CONTROL, r"(?<=\[monitoring\]\n)lab-01\nlab-02\nlab-03\n", ""),
        {("host_missing", "monitoring", ALL), ("group_empty", "monitoring", "")},
    ),
    "group misspelt": (
        change(CONTROL, r"^\[horizon:children\]", "[horizn:children]"),
        {("group_missing", "horizon", ""), ("group_extra", "horizn", "")},
    ),
    "group that leads to the same hosts is fine": (change(CONTROL, r"(?<=\[grafana:children\]\n)monitoring", "nova"), set()),
    "group inside itself": (change(CONTROL, r"(?<=\[horizon:children\]\n)control", "control\nhorizon"), {("group_loop", "horizon", "")}),
    "no deployment": (change(CONTROL, r"^\[deployment\]\nlocalhost.*\n", ""), {("group_missing", "deployment", "")}),
    "line that is none": (change(CONTROL, r"(?<=\[compute\]\n)", "<<<<<<< HEAD\n"), {("inventory_broken", None, "")}),
    "other address": (host("lab-01", ansible_host="10.20.0.99"), {("host_address", "ansible_host", "lab-01")}),
    "group_vars/all": (put("inventory/group_vars/all.yml", "enable_heat: false\n"), {("group_vars_all", "enable_heat", "")}),
    "group_vars/all as a folder": (
        put("inventory/group_vars/all/own.yml", "enable_heat: false\n"),
        {("group_vars_all", "enable_heat", "")},
    ),
    "file of no host": (put("inventory/host_vars/lab-77.yml", "nova_console: spice\n"), {("host_file_stray", None, "lab-77")}),
    "no inventory": (drop(CONTROL), {("file_missing", None, "")}),
}
KEYS = {
    "no YAML": (put("globals.d/90-test.yml", "a: [1\nb: 2\n"), {("yaml_broken", None, "")}),
    "a list": (put("globals.d/90-test.yml", "- a\n"), {("yaml_broken", None, "")}),
    "twice": (put("globals.d/90-test.yml", "enable_heat: true\nenable_heat: false\n"), {("key_twice", "enable_heat", "")}),
    "unknown on one host": (host("lab-02", tunel_interface="main.22"), {("unknown_key", "tunel_interface", "lab-02")}),
    "unknown in a group": (put("inventory/group_vars/compute.yml", "nova_consol: spice\n"), {("unknown_key", "nova_consol", "")}),
    "renamed": (keys(enable_redis=True), {("gone_key", "enable_redis", "")}),
    "removed": (keys(enable_ceph=True), {("gone_key", "enable_ceph", "")}),
    "hidden": (both(host("lab-02", nova_console="spice"), keys(nova_console="novnc")), {("hidden_key", "nova_console", "lab-02")}),
    "hidden in a group": (
        both(put("inventory/group_vars/compute.yml", "nova_console: spice\n"), keys(nova_console="novnc")),
        {("hidden_key", "nova_console", "")},
    ),
    "asked for but not defined is fine": (keys(nova_max_fail_percentage=20, kolla_serial="30%", keystone_policy_file="x"), set()),
    "of the hosts' preparation is fine": (keys(docker_apt_url="http://mirror.example/docker", customize_etc_hosts=False), set()),
    "own ones are fine": (keys(custom_motd="hello", ansible_ssh_pipelining=True), set()),
    "from a vault is fine": (put("globals.d/90-test.yml", "openstack_region_name: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n"), set()),
    "as JSON": (put("globals.d/90-test.json", '{"enable_heat": "ture"}'), {("not_boolean", "enable_heat", "")}),
    "not read by Kolla": (put("globals.d/90-test.yml.bak", "enable_heat: ture"), set()),
}
VALUES = {
    "base distribution unknown": (keys(kolla_base_distro="alpine"), {("value_unknown", "kolla_base_distro", "")}),
    "base distribution not the servers'": (keys(kolla_base_distro="rocky"), {("distro_differs", "kolla_base_distro", "")}),
    "release": (keys(openstack_release="2025.2"), {("release_differs", "openstack_release", "")}),
    "engine": (
        keys(kolla_container_engine="podman"),
        {("engine_differs", "kolla_container_engine", ""), ("podman_twin", "podman_registry", "")},
    ),
    "engine unknown": (keys(kolla_container_engine="lxc"), {("value_unknown", "kolla_container_engine", "")}),
    "console": (keys(nova_console="vnc"), {("value_unknown", "nova_console", "")}),
    "restart policy, which YAML takes for a truth value": (put("globals.d/90-test.yml", "docker_restart_policy: no\n"), set()),
    "TLS settings": (keys(kolla_haproxy_ssl_settings="old"), {("value_unknown", "kolla_haproxy_ssl_settings", "")}),
    "backup driver": (keys(cinder_backup_driver="swift"), {("value_unknown", "cinder_backup_driver", "")}),
    "misspelt true": (keys(enable_heat="ture"), {("not_boolean", "enable_heat", "")}),
    "number for a switch": (keys(glance_backend_ceph=7), {("not_boolean", "glance_backend_ceph", "")}),
    "port as text": (keys(heat_api_port="eight"), {("not_number", "heat_api_port", "")}),
    "port too large": (keys(heat_api_port=70000), {("not_number", "heat_api_port", "")}),
    "number as text": (keys(memcached_max_memory="lots"), {("not_number", "memcached_max_memory", "")}),
    "fernet": (keys(fernet_token_expiry=700000), {("fernet_expiry", "fernet_token_expiry", "")}),
    "fernet as text": (keys(fernet_token_expiry="86400"), {("fernet_expiry", "fernet_token_expiry", "")}),
    "DNS domain": (keys(neutron_dns_integration=True, neutron_dns_domain="lab.example"), {("dns_domain", "neutron_dns_domain", "")}),
    "tenant type": (keys(neutron_tenant_network_types="gre"), {("tenant_type", "neutron_tenant_network_types", "")}),
    "broken template": (keys(enable_heat="{{ enable_cinder }"), {("template_broken", "enable_heat", "")}),
    "broken template inside": (keys(horizon_custom_themes=[{"name": "{% if x %}y"}]), {("template_broken", "horizon_custom_themes", "")}),
    "template without quotes": (put("globals.d/90-test.yml", "enable_heat: {{ enable_cinder }}\n"), {("yaml_broken", None, "")}),
    "templates are not judged": (
        keys(enable_heat="{{ some.thing | weird }}", heat_api_port="{{ 1 / 0 }}", nova_console="{{ nova_console }}"),
        set(),
    ),
    "a reference is followed": (
        keys(kolla_internal_vip_address="{{ custom_vip }}", custom_vip="10.20.3.77"),
        {("vip_differs", INTERNAL, "")},
    ),
}
SERVICES = {
    "cluster name for one": (
        both(
            change(CONTROL, r"(?<=\[cinder-volume:children\]\n)cinder\n", ""),
            change(CONTROL, r"^\[cinder-volume:children\]\n", "[cinder-volume]\nlab-01\n"),
        ),
        {("cinder_cluster", "cinder_cluster_name", ""), ("group_differs", "cinder-volume", "")},
    ),
    "no backend": (keys(cinder_backend_ceph=False), {("cinder_backend", "cinder_backend_ceph", "")}),
    "amphora's files": (keys(**AMPHORA), OCTAVIA),
    "amphora in a tenant network": (
        keys(**AMPHORA, octavia_network_type="tenant"),
        OCTAVIA | {("octavia_network", "octavia_network_type", "")},
    ),
    "no gateways": (keys(ceph_rgw_hosts=[]), {("rgw_hosts", "ceph_rgw_hosts", "")}),
    "foreign gateway": (
        keys(ceph_rgw_hosts=[{"host": "other", "ip": "10.20.1.9", "port": 7600}]),
        {("rgw_hosts", "ceph_rgw_hosts", "other")},
    ),
    "gateway elsewhere": (
        keys(ceph_rgw_hosts=[{"host": "lab-01", "ip": "10.20.3.9", "port": 7600}]),
        {("rgw_hosts", "ceph_rgw_hosts", "lab-01")},
    ),
    "gateway on Horizon's port": (
        keys(ceph_rgw_hosts=[{"host": "lab-01", "ip": address("lab-01", "storage"), "port": 8080}]),
        {("port_taken", "ceph_rgw_hosts", "lab-01")},
    ),
    "Horizon on the gateway's port": (
        keys(horizon_listen_port=site().ceph.object_gateway_port),
        {("port_taken", "horizon_listen_port", "lab-01")},
    ),
    "Grafana on Keystone's port": (keys(grafana_server_port=5000), {("port_taken", "grafana_server_port", "lab-01")}),
    "Heat outside on Nova's port": (keys(heat_api_public_port=8774), {("port_taken", "heat_api_public_port", "lab-01")}),
    "a port that is taken by another protocol is fine": (keys(heat_api_listen_port=8472), set()),
    "a port that is taken on a VIP only is fine": (keys(heat_api_listen_port=443), set()),
    "a free port is fine": (keys(horizon_listen_port=8090), set()),
    "a service on the FMC's port": (keys(enable_skyline=True, skyline_apiserver_port=6443), {("port_taken", "enable_skyline", "lab-01")}),
    "agents": (
        both(
            keys(enable_neutron_agent_ha=True),
            change(CONTROL, r"^\[neutron-l3-agent:children\]\n[a-z-]+\n", "[neutron-l3-agent]\nlab-01\n"),
        ),
        {("agents_few", "enable_neutron_agent_ha", ""), ("group_differs", "neutron-l3-agent", "")},
    ),
    "registry with a scheme": (keys(docker_registry="https://registry.lab.example:5000"), {("registry_form", "docker_registry", "")}),
    "registry with a path": (keys(docker_registry="registry.lab.example:5000/kolla"), {("registry_form", "docker_registry", "")}),
    "other registry": (keys(docker_registry="mirror.lab.example"), {("registry_differs", "docker_registry", "")}),
    "test registry": (
        change("globals.yml", r"^docker_(registry|namespace): .*\n", ""),
        {("registry_default", "docker_registry", "")},
    ),
    "registry without TLS": (keys(docker_registry_insecure=True), {("registry_insecure", "docker_registry_insecure", "")}),
    "firewall off": (keys(disable_firewall=True), {("firewall", "disable_firewall", "")}),
    "firewall left alone is fine": (keys(disable_firewall=False), set()),
    "firewalld": (keys(enable_external_api_firewalld=True), {("firewall", "enable_external_api_firewalld", "")}),
    "too little memory left": (
        change("config/nova/lab-02/nova-compute.conf", r"^reserved_host_memory_mb = .*", "reserved_host_memory_mb = 512"),
        {("memory_reserved", "reserved_host_memory_mb", "lab-02")},
    ),
    "no memory left": (drop("config/nova/lab-02/nova-compute.conf"), {("memory_reserved", "reserved_host_memory_mb", "lab-02")}),
    "override with blanks": (put("config/heat.conf", "[DEFAULT]\n  workers = 3\n"), {("override_form", None, "")}),
    "override that is none": (put("config/heat.conf", "[DEFAULT]\nworkers\n"), {("override_form", None, "")}),
    "override with a broken section": (put("config/heat.conf", "[DEFAULT\nworkers = 3\n"), {("override_form", None, "")}),
    "override with a continued value is fine": (put("config/heat.conf", "[DEFAULT]\na = 1,\n  2\n# x\n\nb: {{ c }}\n"), set()),
}
PASSWORDS = {
    "none": (drop("passwords.yml"), {("passwords_missing", None, "")}),
    "no YAML": (put("passwords.yml", "a: [x\n", secret=True), {("yaml_broken", None, "")}),
    "one missing": (secret(nova_database_password=None), {("password_missing", "nova_database_password", "")}),
    "one empty": (secret(nova_database_password=""), {("password_empty", "nova_database_password", "")}),
    "the registry's may be empty": (secret(docker_registry_password=""), set()),
    "pair empty": (secret(nova_ssh_key={"private_key": None, "public_key": None}), {("password_empty", "nova_ssh_key", "")}),
    "half a pair": (secret(nova_ssh_key={"private_key": "x"}), {("password_form", "nova_ssh_key", "")}),
    "no pair": (secret(nova_ssh_key={"private_key": "x", "public_key": "y"}), {("password_form", "nova_ssh_key", "")}),
    "two halves of two pairs": (
        secret(nova_ssh_key={**pair(), "public_key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ=="}),
        {("password_form", "nova_ssh_key", "")},
    ),
    "no UUID": (secret(rbd_secret_uuid="abc"), {("password_form", "rbd_secret_uuid", "")}),
    "salt": (secret(prometheus_bcrypt_salt="short-salt"), {("password_form", "prometheus_bcrypt_salt", "")}),
    "a list": (secret(nova_keystone_password=["a"]), {("password_form", "nova_keystone_password", "")}),
    "short": (secret(nova_keystone_password="abc"), {("password_weak", "nova_keystone_password", "")}),
    "misspelt": (
        both(secret(nova_keystone_password=None), secret(nova_keystone_passwrod="x" * 40)),
        {("password_missing", "nova_keystone_password", ""), ("password_unknown", "nova_keystone_passwrod", "")},
    ),
    "among the globals": (keys(keystone_admin_password="a-long-password"), {("secret_clear", "keystone_admin_password", "")}),
    "among the globals by reference is fine": (keys(keystone_admin_password="{{ custom_secret }}"), set()),
    "in the clear": (clear("passwords.yml"), {("secret_clear", None, "")}),
}
CERTIFICATES = {
    "none inside": (drop(INNER), {("certificate_missing", "kolla_internal_fqdn_cert", "")}),
    "no CA": (drop("certificates/ca/root.crt"), {("certificate_missing", "kolla_copy_ca_into_containers", "")}),
    "no certificate": (put(OUTER, "hello\n", secret=True), {("certificate_form", "kolla_external_fqdn_cert", "")}),
    "broken certificate": (
        put(OUTER, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", secret=True),
        {("certificate_form", "kolla_external_fqdn_cert", "")},
    ),
    "no key": (change(OUTER, r"-----BEGIN PRIVATE(.|\n)*", ""), {("certificate_form", "kolla_external_fqdn_cert", "")}),
    "broken CA": (put("certificates/ca/other.crt", "x"), {("certificate_form", None, "")}),
    "ended": (signed(OUTER, names(site(), "external"), days=(-90, -1)), {("certificate_expired", "kolla_external_fqdn_cert", "")}),
    "not yet": (signed(OUTER, names(site(), "external"), days=(5, 90)), {("certificate_expired", "kolla_external_fqdn_cert", "")}),
    "ends soon": (signed(OUTER, names(site(), "external"), days=(-90, 29)), {("certificate_soon", "kolla_external_fqdn_cert", "")}),
    "not that soon": (signed(OUTER, names(site(), "external"), days=(-90, 31)), set()),
    "other name": (
        signed(OUTER, ["api.other.example", vip("external").address]),
        {("certificate_names", "kolla_external_fqdn_cert", "")},
    ),
    "without the address": (signed(OUTER, [vip("external").fqdn]), {("certificate_names", "kolla_external_fqdn_cert", "")}),
    "wildcard is fine": (signed(OUTER, ["*.lab.example", vip("external").address]), set()),
    "other key": (
        signed(OUTER, names(site(), "external"), key=Authority().key),
        {("certificate_key", "kolla_external_fqdn_cert", "")},
    ),
    "other CA": (
        lambda tree: tree.update({OUTER: File(Authority("other CA").signed(names(site(), "external")), secret=True)}),
        {("certificate_chain", "kolla_external_fqdn_cert", "")},
    ),
    "backend wanted": (
        keys(kolla_enable_tls_backend=True),
        {("certificate_missing", "kolla_enable_tls_backend", "")},
    ),
    "RabbitMQ wanted": (keys(rabbitmq_enable_tls=True), {("certificate_missing", "rabbitmq_enable_tls", "")}),
    "key in the clear": (clear(OUTER), {("secret_clear", None, "")}),
    "ProxySQL's": (drop("certificates/proxysql-cert.pem"), {("certificate_missing", "database_enable_tls_internal", "")}),
    "elsewhere, which cannot be seen": (keys(kolla_external_fqdn_cert="/srv/pki/haproxy.pem"), set()),
}
GLANCE, CINDER, NOVA = (f"config/{name}/ceph.conf" for name in ("glance", "cinder", "nova"))
KEYRING = "config/glance/ceph.client.glance.keyring"
CEPH = {
    "none of Cinder": (drop(CINDER), {("ceph_missing", None, "")}),
    "no keyring": (drop(KEYRING), {("ceph_missing", None, "")}),
    "empty": (put(GLANCE, ""), {("ceph_empty", None, "")}),
    "empty keyring": (put(KEYRING, " \n", secret=True), {("ceph_empty", None, "")}),
    "indented": (change(GLANCE, r"^fsid", "\tfsid"), {("ceph_form", None, "")}),
    "without fsid": (change(GLANCE, r"^fsid.*\n", ""), {("ceph_form", "fsid", "")}),
    "without section": (change(GLANCE, r"^\[global\]\n", ""), {("ceph_form", None, "")}),
    "template": (change(GLANCE, r"^fsid = .*", "fsid = {{ fsid }}"), {("ceph_template", None, "")}),
    "template in a keyring": (put(KEYRING, "[client.glance]\nkey = {{ x }}\n", secret=True), {("ceph_template", None, "")}),
    "other cluster": (change(NOVA, r"^fsid = .", "fsid = 9"), {("ceph_fsid", "fsid", "")}),
    "monitors elsewhere": (change(NOVA, r"^mon_host = .*", "mon_host = 10.20.0.11,10.20.0.12"), {("ceph_monitors", "mon_host", "")}),
    "other user": (put(KEYRING, "[client.cinder]\nkey = AQDx==\n", secret=True), {("keyring", "client.glance", "")}),
    "no key": (put(KEYRING, "[client.glance]\n", secret=True), {("keyring", "client.glance", "")}),
    "keyring in the clear": (put(KEYRING, "[client.glance]\n key = AQDx==\n"), {("secret_clear", None, "")}),
    "other Nova user": (keys(ceph_nova_user="nova"), {("ceph_missing", None, "")}),
}
GROUPS = (THIRTEEN, VIPS, INTERFACES, INVENTORY, KEYS, VALUES, SERVICES, PASSWORDS, CERTIFICATES, CEPH)
CASES = [pytest.param(*case, id=name) for group in GROUPS for name, case in group.items()]


# What other plans than the one that was rendered say about the directory.
OTHER_PLANS = {
    "server absent": (lambda: changed_server("lab-03", state="absent"), "host_absent", "lab-03"),
    "role taken away": (lambda: changed_server("lab-03", roles=("control", "network", "storage", "monitoring")), "host_role", "lab-03"),
    "other package": (lambda: changed(versions=dataclasses.replace(site().versions, kolla_ansible="22.1.0")), "package_differs", None),
    "other engine": (lambda: changed(openstack=dataclasses.replace(site().openstack, engine="podman")), "engine_differs", None),
    "other registry": (lambda: changed(registry="other.example"), "registry_differs", None),
}


def changed(**changes):
    return dataclasses.replace(site(), **changes)


def changed_server(name, **changes):
    servers = tuple(dataclasses.replace(one, **changes) if one.name == name else one for one in site().servers)
    return changed(servers=servers)


def test_nothing_is_wrong():
    assert said(check(site(), good(), package(), NOW)) == set()


@pytest.mark.parametrize(("edit", "expected"), CASES)
def test_mistake(edit, expected):
    assert said(found(edit)) == expected


@pytest.mark.parametrize(("other", "code", "host"), OTHER_PLANS.values(), ids=OTHER_PLANS)
def test_other_plan(other, code, host):
    findings = check(other(), good(), package(), NOW)
    assert [one.host for one in findings if one.code == code] == [host]


def test_vrid_of_another_vip_in_the_segment():
    """Without an API network of its own, Kolla's VIPs and the FMC's lie in one segment."""
    shared = plan(networks={**NETWORKS, "api": None})
    fmc = next(one for one in shared.vips if one.name == "fmc")
    findings = check(shared, rendered(shared, keepalived_virtual_router_id=fmc.vrid), package(), NOW)
    assert said(findings) == {("vrid_taken", "keepalived_virtual_router_id", "")}
    assert said(check(shared, rendered(shared), package(), NOW)) == set()


def test_an_even_number_of_control_servers():
    larger = plan(6)
    control = [one.name for one in larger.servers if "control" in one.roles]
    other = next(one.name for one in larger.servers if "control" not in one.roles)
    assert len(control) == 3
    tree = rendered(larger)
    change(CONTROL, r"(?<=\[control\]\n)", f"{other}\n")(tree)
    assert {("host_role", "control", other), ("quorum", "control", "")} <= said(check(larger, tree, package(), NOW))


def test_every_kind_is_provoked():
    expected = {code for case in CASES for code, _, _ in case.values[1]}
    others = {code for _, code, _ in OTHER_PLANS.values()} | {"vrid_taken"}
    registry = {code for code in kinds() if code.startswith(("image_", "registry_un"))}
    assert sorted(kinds()) == sorted(expected | others | registry)


VARIANTS = {
    "podman": {"openstack": {"engine": "podman"}},
    "TLS outside": {"openstack": {"tls": "external"}},
    "no TLS": {"openstack": {"tls": "none"}},
    "etcd": {"openstack": {"coordination": "etcd"}, "fmc": {"mode": "dedicated"}},
    "everything": {"openstack": {"octavia": True, "masakari": True, "monitoring": True, "logging": True}},
    "little": {"openstack": {"octavia": False, "masakari": False, "monitoring": False, "logging": False}},
    "few networks": {"networks": {"api": None, "storage": None, "tunnel": None}},
    "own public network": {"networks": {"public": {"cidr": "10.20.9.0/24", "vlan": 29}}},
    "jumbo guests": {"openstack": {"tenant_mtu": 8900}},
    "Ubuntu": {"versions": {"os": "ubuntu-24.04"}, "openstack": {"distribution": "ubuntu"}},
    "no VLAN outside": {"networks": {"external": {"vlan": None}}},
    "OVN of its own": {"ovn": {"manager": "packages"}},
}


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_no_false_alarm(changes):
    """What is rendered of a plan is right, whatever the intent was."""
    wish = laid_over({"networks": NETWORKS}, changes)
    planned = plan(6 if "fmc" in changes else 3, **wish)
    assert [(one.code, one.text) for one in check(planned, rendered(planned), package(), NOW)] == []


def test_what_is_still_awaited():
    """Freshly rendered, with neither certificates nor Ceph nor passwords: nothing is wrong, and it is said what comes later."""
    findings = check(site(), render(site(), package(), Inputs()), package(), NOW)
    assert {one.code for one in findings} == {"ceph_missing", "certificate_missing", "passwords_missing"}
    assert {one.weight for one in findings} == {"awaited"}
    assert summary(findings) == {"problems": 0, "awaited": len(findings), "warnings": 0}


def test_all_at_once():
    """The thirteen mistakes together hide nothing but what they make pointless."""
    one_by_one = {code for edit, _ in THIRTEEN.values() for code in {one.code for one in found(edit)}}
    tree = dict(good())
    for edit, _ in THIRTEEN.values():
        before = yaml.safe_load(tree["globals.d/90-test.yml"].text) if "globals.d/90-test.yml" in tree else {}
        edit(tree)
        if "globals.d/90-test.yml" in tree:
            both_given = {**yaml.safe_load(tree["globals.d/90-test.yml"].text), **before}
            tree["globals.d/90-test.yml"] = File(yaml.safe_dump(both_given))
    together = {one.code for one in check(site(), tree, package(), NOW)}
    # One VIP cannot be empty, outside and taken at once; etcd, which one case sets, is a coordinator.
    assert one_by_one - together == {"vip_taken", "vip_missing", "cinder_coordinator"}


def test_lines_for_people():
    shown = "\n".join(lines(found(keys(**{INTERNAL: "10.99.0.9"}, enable_haet=True))))
    assert "problem 1 of 2 (unknown_key): globals.d/90-test.yml: enable_haet = True" in shown
    assert "did you mean `enable_heat`?" in shown
    assert "(vip_subnet): globals.d/90-test.yml: kolla_internal_vip_address = 10.99.0.9" in shown
    assert "on lab-01; so on lab-02, lab-03" in shown
    assert shown.endswith("Kolla's configuration: 4 problems, 0 awaited, 0 warnings")


@pytest.mark.parametrize("key", sorted(GONE))
def test_gone_keys_are_gone(key):
    assert key not in package().keys | HOST_KEYS
    named = re.findall(r"`(enable_\w+|openstack_\w+)`", GONE[key])
    assert set(named) <= package().keys


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("enable_ovn_sb_relay", "enable_ovn_sb_db_relay"),
        ("kolla_internal_vip", "kolla_internal_vip_address"),
        ("octavia_provider_driver", "octavia_provider_drivers"),
        ("docker_registery", "docker_registry"),
    ],
)
def test_nearest_key(wrong, right):
    assert next(one.text for one in found(keys(**{wrong: "x"}))).endswith(f"did you mean `{right}`?")


def leaves(value):
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in leaves(one)]
    return [value] if isinstance(value, str) and len(value) > 7 else []


SECRETS = st.sampled_from(["passwords.yml", KEYRING, OUTER])
VALUES_OF_ANY_KIND = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["{{ x }}", "{{", "{% if %}", "{{ a.b[0] | c }}", ",", "::"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_value_is_judged_and_nothing_breaks(data):
    tree = dict(good())
    path = data.draw(st.sampled_from(["globals.yml", "inventory/host_vars/lab-02.yml", "passwords.yml"]))
    values = yaml.safe_load(tree[path].text)
    key = data.draw(st.sampled_from(sorted(values)))
    values[key] = data.draw(VALUES_OF_ANY_KIND)
    tree[path] = File(yaml.dump(values, allow_unicode=True), secret=tree[path].secret)
    findings = check(site(), tree, package(), NOW)
    assert all(one.text and one.cure and one.file for one in findings)


@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_damage_to_a_file_breaks_nothing_and_shows_no_secret(data):
    tree = dict(good())
    path = data.draw(st.sampled_from(sorted(tree)))
    text = tree[path].text
    start = data.draw(st.integers(0, max(len(text) - 1, 0)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    tree[path] = dataclasses.replace(tree[path], text=text[:start] + data.draw(st.text(max_size=6)) + text[end:])
    findings = check(site(), tree, package(), NOW)
    shown = "\n".join([*map(str, findings), *lines(findings)])
    hidden = [secret for secret in leaves(yaml.safe_load(good()["passwords.yml"].text)) if not secret.startswith("ssh-")]
    assert not [secret for secret in hidden if secret in shown]
