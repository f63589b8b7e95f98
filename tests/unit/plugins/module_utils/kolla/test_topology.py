# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kolla's directory from plans: by table for what is promised, by property for plans that nobody thought of."""

from __future__ import annotations

import configparser
import time
from dataclasses import replace

import jinja2
import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check_ini import parse_inventory
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.globals import BOOTSTRAP_KEYS, globals_text, values
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.inputs import Inputs
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.topology import render
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from hypothesis import HealthCheck, given, settings

from tests.unit.plugins.module_utils.kolla.sites import installed, planned
from tests.unit.plugins.module_utils.plan.racks import hardware, intent, rack_of
from tests.unit.plugins.module_utils.plan.test_properties import sites

ROLES = ("control", "network", "compute", "storage", "monitoring")
INTERFACES = {
    "network_interface": "management",
    "api_interface": "api",
    "kolla_external_vip_interface": "public",
    "dns_interface": "public",
    "tunnel_interface": "tunnel",
    "migration_interface": "migration",
    "neutron_external_interface": "external",
}


def rendered(plan, **inputs):
    return {path: file.text for path, file in render(plan, installed(), Inputs(**inputs)).items()}


def ini(text):
    parser = configparser.ConfigParser(interpolation=None, default_section="none")
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def check_inventory(plan, files):
    here = {one.name: one for one in plan.servers if one.state == "present"}
    groups = parse_inventory(files["inventory/hosts"]).members()
    assert set(groups) == set(installed().groups)
    for role in ROLES:
        assert list(groups[role]) == [name for name, one in here.items() if role in one.roles]
    assert sorted(groups["baremetal"]) == sorted(name for name, one in here.items() if set(ROLES) & set(one.roles))
    assert list(groups["deployment"]) == ["localhost"]
    assert set(groups["ovn-nb-db"]) == set(groups["ovn-sb-db"]) == set(groups["ovn-northd"]) == {*plan.ovn.databases} & set(here)
    assert set(groups["ovn-controller-network"]) == {*plan.ovn.gateways} & set(here)
    assert set(groups["ovn-controller"]) == {*groups["network"], *groups["compute"]}
    assert set(groups["compute"]) <= set(groups["ovn-controller-compute"])
    assert len(groups["ovn-controller"]) == plan.ovn.chassis
    return groups


def check_host_vars(plan, files, hosts):
    servers = {one.name: one for one in plan.servers}
    assert {path for path in files if path.startswith("inventory/host_vars/")} == {f"inventory/host_vars/{name}.yml" for name in hosts}
    for name in hosts:
        variables = yaml.safe_load(files[f"inventory/host_vars/{name}.yml"])
        faces = {face.name: face for face in servers[name].interfaces}
        addresses = {at.cidr.partition("/")[0] for face in faces.values() for at in face.addresses if at.network == "management"}
        assert {variables["ansible_host"]} == addresses
        for key, network in INTERFACES.items():
            assert variables[key] == servers[name].traffic[network]
            assert len(faces[variables[key]].addresses) == (0 if network == "external" else 1)
        assert set(variables) == {*INTERFACES, "ansible_host", "neutron_bridge_name"}


def check_globals(plan, files):
    content = yaml.safe_load(files["globals.yml"])
    assert content == values(plan)
    assert set(content) <= installed().keys | BOOTSTRAP_KEYS
    assert not {key for key in content if key.endswith("_interface")}
    assert None not in content.values()
    assert ("cinder_cluster_name" in content) == (sum("control" in one.roles for one in plan.servers if one.state == "present") > 1)


def check_shares(plan, files, groups):
    named = {one.name: one for one in plan.servers}
    assert {path for path in files if path.startswith("config/nova/")} == {
        f"config/nova/{name}/nova-compute.conf" for name in groups["compute"]
    }
    for name in groups["compute"]:
        settings = ini(files[f"config/nova/{name}/nova-compute.conf"])["DEFAULT"]
        memory = named[name].memory
        reserved = int(settings["reserved_host_memory_mb"]) * 1024**2
        assert reserved >= memory.system + memory.osd + memory.control + memory.fmc + memory.compute
        assert 0 <= reserved - (memory.total - memory.guests) < 1024**2
        assert f"- {named[name].cpu.guests} *" in settings["reserved_host_cpus"]


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(site=sites())
def test_every_plan(site):
    rack, wish = site
    plan = plan_site(hardware(rack), wish)
    if not plan.applicable:
        return
    files = rendered(plan)
    assert rendered(plan) == files
    groups = check_inventory(plan, files)
    check_host_vars(plan, files, groups["baremetal"])
    check_globals(plan, files)
    check_shares(plan, files, groups)


def test_a_hundred_hosts_in_time():
    plan = planned(100, networks={"external": {"vlan": 30}})
    installed()
    began = time.perf_counter()
    files = rendered(plan)
    assert time.perf_counter() - began < 3
    assert len(files) > 200


def test_adding_a_server_changes_no_other():
    plan = planned(4)
    grown = plan_site(rack_of(5), intent(), plan)
    before, after = rendered(plan), rendered(grown)
    changed = {path for path in after if before.get(path) != after[path]}
    assert changed == {"inventory/hosts", "inventory/host_vars/lab-05.yml", "config/nova/lab-05/nova-compute.conf"}


def test_an_absent_server_is_nowhere():
    plan = planned(4)
    left = plan_site(hardware(one for one in rack_of(4).servers if one.id != "SN00002"), intent(), plan)
    gone = next(one.name for one in left.servers if one.state == "absent")
    assert not any(gone in path or gone in text for path, text in rendered(left).items())


def test_spare_and_fleet_servers_are_not_kollas():
    plan = planned(9, roles={"spare": {"count": 1}}, fmc={"mode": "dedicated"})
    others = {one.name for one in plan.servers if not set(ROLES) & set(one.roles)}
    assert len(others) == 4
    assert not any(name in path or name in text for path, text in rendered(plan).items() for name in others)


@pytest.mark.parametrize("layout", ["split", "mixed"])
def test_fewer_gateways_than_network_servers(layout):
    plan = planned(9, layout=layout, ovn={"gateways": 2})
    files = rendered(plan)
    groups = check_inventory(plan, files)
    assert len(groups["ovn-controller-network"]) == 2
    assert len(groups["network"]) == 3
    assert files["inventory/hosts"].count("The plan differs from the example here") == 2
    assert "\n# Cinder\n" in files["inventory/hosts"]


def test_children_are_those_of_the_package():
    assert rendered(planned())["inventory/hosts"].endswith(installed().children)


WISHES = {
    "docker": ({}, {"kolla_container_engine": "docker", "docker_registry": "registry.lab.example:5000", "podman_registry": None}),
    "podman": ({"openstack": {"engine": "podman"}}, {"kolla_container_engine": "podman", "podman_registry": "registry.lab.example:5000"}),
    "distribution": (
        {"openstack": {"distribution": "rocky"}, "versions": {"os": "rocky-10"}},
        {"kolla_base_distro": "rocky", "openstack_cacert": "/etc/pki/tls/certs/ca-bundle.crt"},
    ),
    "tls inside and outside": (
        {},
        {"kolla_enable_tls_internal": True, "kolla_enable_tls_external": True, "kolla_copy_ca_into_containers": True},
    ),
    "tls outside": (
        {"openstack": {"tls": "external"}},
        {"kolla_enable_tls_internal": False, "kolla_enable_tls_external": True, "kolla_copy_ca_into_containers": True},
    ),
    "no tls": (
        {"openstack": {"tls": "none"}},
        {
            "kolla_enable_tls_internal": False,
            "kolla_enable_tls_external": False,
            "kolla_copy_ca_into_containers": None,
            "openstack_cacert": None,
        },
    ),
    "vips": (
        {"vips": {"internal": "10.20.0.240", "external": "10.20.0.241"}, "openstack": {"vrid": 77, "external_fqdn": "cloud.lab.example"}},
        {
            "kolla_internal_vip_address": "10.20.0.240",
            "kolla_external_vip_address": "10.20.0.241",
            "kolla_internal_fqdn": "api-int.lab.example",
            "kolla_external_fqdn": "cloud.lab.example",
            "keepalived_virtual_router_id": "77",
        },
    ),
    "etcd": ({"openstack": {"coordination": "etcd"}, "fmc": {"mode": "dedicated"}}, {"enable_etcd": True, "enable_valkey": None}),
    "valkey": ({}, {"enable_valkey": True, "enable_etcd": None}),
    "no octavia": ({"openstack": {"octavia": False}}, {"enable_octavia": False, "octavia_provider_drivers": None}),
    "octavia": ({}, {"enable_octavia": True, "octavia_provider_drivers": "ovn:OVN provider", "octavia_provider_agents": "ovn"}),
    "masakari": ({"openstack": {"masakari": True}}, {"enable_masakari": True}),
    "no monitoring": ({"openstack": {"monitoring": False}}, {"enable_prometheus": False, "prometheus_ceph_mgr_exporter_endpoints": None}),
    "no logging": ({"openstack": {"logging": False}}, {"enable_central_logging": False, "enable_fluentd": True}),
    "no object gateway": ({"ceph": {"object_gateway": False}}, {"enable_ceph_rgw": None, "ceph_rgw_hosts": None}),
    "ovn from packages": (
        {"ovn": {"manager": "packages"}},
        {
            "enable_ovn": False,
            "enable_openvswitch": False,
            "enable_ovn_sb_db_relay": False,
            "ovn_nb_connection": "ssl:10.20.0.11:6641,ssl:10.20.0.13:6641,ssl:10.20.0.15:6641",
            "ovn_sb_connection": "ssl:10.20.0.11:6642,ssl:10.20.0.13:6642,ssl:10.20.0.15:6642",
            "ovn_sb_connection_no_relay": "ssl:10.20.0.11:6642,ssl:10.20.0.13:6642,ssl:10.20.0.15:6642",
            "neutron_extra_volumes": "{{ default_extra_volumes + ['/var/lib/vitro/neutron:/var/lib/vitro/neutron:ro'] }}",
            "octavia_extra_volumes": "{{ default_extra_volumes + ['/var/lib/vitro/neutron:/var/lib/vitro/neutron:ro'] }}",
        },
    ),
    "relays of ovn from packages": (
        {"ovn": {"manager": "packages", "relay": True}},
        {
            "enable_ovn_sb_db_relay": False,
            "ovn_sb_connection": "ssl:10.20.0.11:16641,ssl:10.20.0.13:16641,ssl:10.20.0.15:16641",
            "ovn_sb_connection_no_relay": "ssl:10.20.0.11:6642,ssl:10.20.0.13:6642,ssl:10.20.0.15:6642",
        },
    ),
    "ovn of Kolla's": ({}, {"ovn_nb_connection": None, "neutron_extra_volumes": None}),
    "promises": (
        {},
        {
            "enable_container_healthchecks": True,
            "docker_restart_policy": "unless-stopped",
            "enable_fluentd": True,
            "kolla_max_fail_percentage": 0,
            "neutron_plugin_agent": "ovn",
            "neutron_ovn_distributed_fip": True,
            "cinder_cluster_name": "lab",
            "openstack_release": "2026.1",
            "network_address_family": None,
        },
    ),
}


@pytest.mark.parametrize(("wishes", "expected"), WISHES.values(), ids=WISHES)
def test_globals(wishes, expected):
    content = yaml.safe_load(globals_text(planned(6, **wishes)))
    assert {key: content.get(key) for key in expected} == expected


@pytest.mark.parametrize(("octavia", "files"), [(True, 3), (False, 2)])
def test_services_have_a_certificate_for_an_ovn_from_packages(octavia, files):
    tree = rendered(planned(ovn={"manager": "packages"}, openstack={"octavia": octavia}, dns=["10.20.0.2"]))
    paths = {path for path in tree if path.startswith("config/") and "ovn_nb_private_key = /var/lib/vitro/neutron/key.pem" in tree[path]}
    assert len(paths) == files
    ml2 = ini(tree["config/neutron/ml2_conf.ini"])["ovn"]
    assert ml2["ovn_sb_ca_cert"] == "/var/lib/vitro/neutron/ca.pem"
    assert ml2["dns_servers"] == "10.20.0.2"
    assert not any("/var/lib/vitro" in text for text in rendered(planned()).values())


def test_object_gateways_and_managers_by_their_storage_addresses():
    content = values(planned())
    assert content["ceph_rgw_hosts"][0] == {"host": "lab-01", "ip": "10.20.1.11", "port": 7600}
    assert len(content["ceph_rgw_hosts"]) == 3
    assert content["prometheus_ceph_mgr_exporter_endpoints"][0] == "10.20.1.11:9283"


def test_every_network_on_its_own():
    """With all networks given, each key names another interface."""
    nets = ("api", "public", "migration")
    plan = planned(networks={name: {"cidr": f"10.30.{n}.0/24", "vlan": 300 + n} for n, name in enumerate(nets)})
    variables = yaml.safe_load(rendered(plan)["inventory/host_vars/lab-01.yml"])
    assert {key: variables[key] for key in INTERFACES} == {
        "network_interface": "main",
        "api_interface": "main.300",
        "kolla_external_vip_interface": "main.301",
        "dns_interface": "main.301",
        "tunnel_interface": "main.22",
        "migration_interface": "main.302",
        "neutron_external_interface": "provider.30",
    }


def test_ipv6():
    networks = {"tunnel": {"cidr": "fd00:2::/64", "vlan": 22, "mtu": 9000}, "storage": {"cidr": "fd00:1::/64", "vlan": 21, "mtu": 9000}}
    plan = planned(networks=networks)
    content = values(plan)
    assert content["tunnel_address_family"] == content["storage_address_family"] == "ipv6"
    assert "api_address_family" not in content
    assert content["prometheus_ceph_mgr_exporter_endpoints"][0].startswith("[fd00:1::")
    assert ini(rendered(plan)["config/neutron/ml2_conf.ini"])["ml2"]["path_mtu"] == "1578"


# The tunnel's MTU, the external network's, the tenant MTU wished for, and what Neutron then gives to guests and to the external network.
MTUS = [(9000, 1500, None, 1500, 1500), (1500, 1500, None, 1442, 1500), (9000, 9000, 8900, 8900, 9000), (9000, 1500, 8942, 8942, 1500)]


@pytest.mark.parametrize(("tunnel", "external", "wished", "guests", "outside"), MTUS)
def test_mtu(tunnel, external, wished, guests, outside):
    networks = {"tunnel": {"mtu": tunnel}, "external": {"vlan": 30, "mtu": external}}
    files = rendered(planned(networks=networks, openstack={"tenant_mtu": wished}))
    neutron, ml2 = ini(files["config/neutron.conf"])["DEFAULT"], ini(files["config/neutron/ml2_conf.ini"])["ml2"]
    everywhere = int(neutron["global_physnet_mtu"])
    # As Neutron computes it: type_geneve and type_flat of ML2.
    assert min(everywhere, int(ml2["path_mtu"])) - 20 - 38 == guests
    assert min(everywhere, int(ml2["physical_network_mtus"].removeprefix("physnet1:"))) == outside


@pytest.mark.parametrize(("vlan", "ranges"), [(30, None), (None, "physnet1")])
def test_vlans_of_guests(vlan, ranges):
    plan = planned(networks={"external": {"vlan": vlan, "mtu": 1500}})
    assert ini(rendered(plan)["config/neutron/ml2_conf.ini"]).get("ml2_type_vlan", {}).get("network_vlan_ranges") == ranges


def test_ratios():
    plan = planned(openstack={"guest_memory_ratio": 1.5, "guest_cpu_ratio": 2.0})
    found = ini(rendered(plan)["config/nova/lab-01/nova-compute.conf"])["DEFAULT"]
    assert (found["ram_allocation_ratio"], found["cpu_allocation_ratio"]) == ("1.5", "2.0")


def test_cores_are_counted_in_threads_as_nova_does():
    plan = planned()
    text = rendered(plan)["config/nova/lab-01/nova-compute.conf"]
    expression = text.partition("reserved_host_cpus = {{ ")[2].partition(" }}")[0]
    guests, reserved = plan.servers[0].cpu.guests, jinja2.Environment().compile_expression(expression)
    for threads in (1, 2):
        facts = {"processor_vcpus": 64 * threads, "processor_threads_per_core": threads}
        assert reserved(ansible_facts=facts) == (64 - guests) * threads
    assert reserved(ansible_facts={"processor_vcpus": 1}) == 0


CONNECTION = {
    "ansible_user": "vitro",
    "ansible_become": True,
    "ansible_become_password": "hidden",
    "ansible_python_interpreter": "/opt/python",
}


def test_connection():
    files = render(planned(), installed(), Inputs(connection=CONNECTION))
    plain, secret = files["inventory/group_vars/baremetal/connection.yml"], files["inventory/group_vars/baremetal/secrets.yml"]
    assert yaml.safe_load(plain.text) == {"ansible_become": True, "ansible_user": "vitro"}
    assert yaml.safe_load(secret.text) == {"ansible_become_password": "hidden"}
    assert secret.secret
    assert not plain.secret
    assert yaml.safe_load(files["inventory/host_vars/lab-02.yml"].text)["ansible_python_interpreter"] == "/opt/python"
    assert not any("hidden" in file.text for path, file in files.items() if not file.secret)
    assert not any(path.startswith("inventory/group_vars/all") for path in files)


def test_own_keys():
    own = {"openstack_region_name": "north", "enable_heat": False, "nested": {"list": [1, "a"]}}
    files = rendered(planned(), globals=own)
    assert yaml.safe_load(files["globals.d/50-site.yml"]) == own
    assert files["globals.yml"] == rendered(planned())["globals.yml"]
    assert "globals.d/50-site.yml" not in rendered(planned())


def test_one_control_server_has_no_volume_cluster():
    plan = planned()
    alone = replace(plan, servers=plan.servers[:1])
    assert "cinder_cluster_name" not in values(alone)


def test_server_order_does_not_matter():
    assert rendered(plan_site(hardware(reversed(rack_of(5).servers)), intent())) == rendered(planned(5))
