# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import itertools

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan.ports import ingress_ports, plan_ports
from ansible_collections.frontier.vitro.plugins.module_utils.plan.ports_table import CNIS, ROWS

from tests.unit.plugins.module_utils.plan.racks import intent

CLOUD = ("control", "network", "compute", "storage", "monitoring")
SHARED = [frozenset((*CLOUD, "fmc")), frozenset(("compute", "storage"))]
DEDICATED = [frozenset(CLOUD), frozenset(("compute", "storage")), frozenset(("fmc",))]
SPLIT = [frozenset(("control", "network", "monitoring", "fmc")), frozenset(("compute",)), frozenset(("storage",)), frozenset(("arbiter",))]
MIXED = [frozenset(("control", "network", "monitoring", "fmc")), frozenset(("compute", "storage")), frozenset(("spare",))]

LAYOUTS = {
    "hci, shared": (SHARED, {}),
    "hci, dedicated": (DEDICATED, {"fmc": {"mode": "dedicated"}}),
    "split": (SPLIT, {"layout": "split"}),
    "mixed": (MIXED, {"layout": "mixed"}),
}

CONFLICTS = {
    "two etcds": (SHARED, {"openstack": {"coordination": "etcd"}}, ["etcd of kolla", "etcd of rke2", "2379/tcp", "2380/tcp"]),
    "two etcds on two networks": (
        SHARED,
        {"openstack": {"coordination": "etcd"}, "networks": {"fmc": {"cidr": "10.20.8.0/24", "vlan": 28}}},
        ["etcd of kolla", "etcd of rke2", "2379/tcp"],
    ),
    "object gateway and Horizon": (SHARED, {"ceph": {"object_gateway_port": 8080}}, ["horizon", "object gateway", "8080/tcp"]),
    "object gateway and HAProxy": (SHARED, {"ceph": {"object_gateway_port": 80}}, ["haproxy", "object gateway", "80/tcp"]),
    "object gateway and OSDs": (SHARED, {"ceph": {"object_gateway_port": 6800}}, ["object gateway", "osd", "6800 to 7568"]),
    "two dashboards": (SHARED, {"ceph": {"dashboard": True}, "fmc": {"https_port": 8443}}, ["dashboard", "ingress https", "8443/tcp"]),
    "ingress and HAProxy": (SHARED, {"fmc": {"http_port": 80}}, ["haproxy", "ingress http", "80/tcp"]),
    "ingress and HAProxy with TLS": (SHARED, {"fmc": {"https_port": 443}}, ["haproxy", "ingress https", "443/tcp"]),
    "ingress and itself": (SHARED, {"fmc": {"http_port": 9999, "https_port": 9999}}, ["ingress http", "ingress https", "9999/tcp"]),
    "ingress and node ports": (DEDICATED, {"fmc": {"mode": "dedicated", "http_port": 30080}}, ["node ports", "30080/tcp"]),
    "ingress and the API of Kubernetes": (DEDICATED, {"fmc": {"mode": "dedicated", "https_port": 6443}}, ["kube-apiserver", "6443/tcp"]),
    "ingress and sshd": (SHARED, {"fmc": {"http_port": 22}}, ["sshd", "22/tcp"]),
}


@pytest.mark.parametrize(("sets", "changes"), LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("cni", CNIS)
@pytest.mark.parametrize("options", [{}, {"masakari": True}, {"octavia": False, "monitoring": False, "logging": False}], ids=str)
def test_the_plain_intent_has_no_conflict(sets, changes, cni, options):
    wish = intent(**{**changes, "fmc": {**changes.get("fmc", {}), "cni": cni}, "openstack": options})
    ports, found = plan_ports(wish, sets)
    assert not found
    assert {one.role for one in ports} == {role for roles in sets for role in roles}


@pytest.mark.parametrize(("sets", "changes", "words"), CONFLICTS.values(), ids=CONFLICTS)
def test_two_services_that_want_one_port(sets, changes, words):
    _, found = plan_ports(intent(**changes), sets)
    (one,) = found
    assert one.objection.code == "port_conflict"
    assert all(word in one.objection.text for word in words)
    assert one.objection.path in one.objection.cure


def test_two_monitorings_are_told_by_role():
    _, found = plan_ports(intent(ceph={"monitoring": True}), SHARED)
    told = " ".join(one.objection.text for one in found)
    assert all(word in told for word in ("ceph grafana", "3000/tcp", "9093/tcp", "9094/udp", "node-exporter", "9100/tcp"))
    assert {one.objection.path for one in found} == {"ceph.monitoring"}
    assert not plan_ports(intent(ceph={"monitoring": True}, openstack={"monitoring": False}), SHARED)[1]


APART = {
    "etcd, dedicated FMC": (DEDICATED, {"openstack": {"coordination": "etcd"}, "fmc": {"mode": "dedicated"}}),
    "object gateway like Horizon, split": (SPLIT, {"ceph": {"object_gateway_port": 8080}}),
    "ingress on 80, dedicated FMC": (DEDICATED, {"fmc": {"mode": "dedicated", "http_port": 80, "https_port": 443}}),
    "no ingress": (SHARED, {"fmc": {"ingress": "none", "http_port": 80}}),
    "no object gateway": (SHARED, {"ceph": {"object_gateway": False, "object_gateway_port": 80}}),
}


@pytest.mark.parametrize(("sets", "changes"), APART.values(), ids=APART)
def test_services_that_are_kept_apart(sets, changes):
    assert not plan_ports(intent(**changes), sets)[1]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, (8088, 8444)),
        ({"mode": "dedicated"}, (80, 443)),
        ({"http_port": 9000}, (9000, 8444)),
        ({"ingress": "none"}, (None, None)),
    ],
    ids=["shared", "dedicated", "given", "none"],
)
def test_ingress_ports(changes, wanted):
    assert ingress_ports(intent(fmc=changes).fmc) == wanted


def test_the_order_of_servers_does_not_matter():
    wish = intent(ceph={"monitoring": True}, openstack={"coordination": "etcd"})
    results = [plan_ports(wish, list(order)) for order in itertools.permutations(SPLIT)]
    assert all(one == results[0] for one in results)


def test_the_table_is_sound():
    assert all(1 <= row.port <= (row.last or row.port) <= 65535 for row in ROWS)
    assert all(row.binds and row.roles for row in ROWS)
