# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real kolla-ansible makes the configuration of services from what we render; no host is needed for that."""

from __future__ import annotations

import configparser
import shutil
import subprocess

import pytest

QUICK = ("loadbalancer", "rabbitmq", "glance", "cinder", "nova-cell", "neutron", "ovn")
IPV4_HEADER = 20
# haproxy wants its group, and its files where Kolla's container has them.
IN_ITS_PLACE = (
    'mount --bind "$1" /etc/group; mount --bind "$2" /etc/haproxy; exec haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/services.d'
)


def settings(path):
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.read(path)
    return parser


@pytest.fixture(scope="session")
def first(harness):
    """What one server that does everything gets."""
    harness.genconfig(QUICK, limit=("lab-01", "localhost"))
    return harness.nodes / "lab-01"


def test_the_configuration_is_ready(site):
    checked = site.play("render")
    assert "changed=0" in checked.stdout


def test_haproxy_takes_its_configuration(first, tmp_path):
    folder = tmp_path / "haproxy"
    shutil.copytree(first / "haproxy", folder)
    (folder / "certificates").mkdir()
    for name in ("haproxy.pem", "haproxy-internal.pem"):
        shutil.move(folder / name, folder / "certificates" / name)
    groups = tmp_path / "group"
    groups.write_text("root:x:0:\nhaproxy:x:1000:\nkolla:x:1001:\n")
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", IN_ITS_PLACE, "sh", str(groups), str(folder)]
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "valid" in done.stdout + done.stderr


def test_every_service_has_its_vip(site, first):
    vips = {vip.name: vip.address for vip in site.plan.vips}
    services = list((first / "haproxy/services.d").glob("*.cfg"))
    assert len(services) > 15
    for path in services:
        assert f"bind {vips['internal']}:" in path.read_text(), path.name


def test_vips_go_where_they_are_planned(site, first):
    text = (first / "keepalived/keepalived.conf").read_text()
    internal = next(vip for vip in site.plan.vips if vip.name == "internal")
    server = site.plan.servers[0]
    assert f"interface {server.traffic['api']}" in text
    assert f"virtual_router_id {internal.vrid}" in text
    assert f"{internal.address} dev {server.traffic[internal.network]}" in text


def test_nova_keeps_what_the_plan_reserves(site, first):
    server = site.plan.servers[0]
    found = settings(first / "nova-compute/nova.conf")
    assert found.getint("DEFAULT", "reserved_host_memory_mb") * 2**20 >= server.memory.total - server.memory.guests - 2**20
    assert found.getint("DEFAULT", "reserved_host_cpus") == server.cpu.total - server.cpu.guests
    assert found.getfloat("DEFAULT", "ram_allocation_ratio") == site.plan.openstack.guest_memory_ratio
    assert found.getfloat("DEFAULT", "cpu_allocation_ratio") == site.plan.openstack.guest_cpu_ratio
    assert found["libvirt"]["images_rbd_pool"] == "vms"


def test_ceph_reaches_the_services(first):
    for path in ("glance-api", "cinder-volume", "cinder-backup", "nova-compute"):
        conf = settings(next((first / path).rglob("ceph.conf")))
        assert conf["global"]["fsid"]
        assert list((first / path).rglob("*.keyring"))
    assert "$ANSIBLE_VAULT" not in "".join(path.read_text() for path in first.rglob("*.keyring"))


def test_guests_get_the_mtu_of_the_plan(site, first):
    """Neutron takes what Geneve adds from the smaller of the two, and physical networks have their own."""
    external = next(one for one in site.plan.networks if one.name == "external")
    tunnel = next(one for one in site.plan.networks if one.name == "tunnel")
    ml2 = settings(first / "neutron-server/ml2_conf.ini")
    path = ml2.getint("ml2", "path_mtu")
    physical = settings(first / "neutron-server/neutron.conf").getint("DEFAULT", "global_physnet_mtu")
    geneve = ml2.getint("ml2_type_geneve", "max_header_size") + IPV4_HEADER
    assert min(path, physical) - geneve == site.plan.openstack.tenant_mtu
    assert path <= tunnel.mtu
    assert ml2["ml2"]["physical_network_mtus"] == f"physnet1:{external.mtu}"


def test_rabbitmq_knows_every_member(site, first):
    text = (first / "rabbitmq/rabbitmq.conf").read_text()
    assert [f"rabbit@{server.name}" in text for server in site.plan.servers] == [True] * 3
