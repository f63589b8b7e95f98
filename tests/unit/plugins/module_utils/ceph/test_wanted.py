# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.pools import EMPTY, plan_pools, wanted_of
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.spec import resolve_disks
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.wanted import initial_conf, wanted_cluster
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.unit.plugins.module_utils.plan.racks import intent, rack_of


@pytest.fixture(scope="module")
def plan():
    return plan_site(rack_of(6), intent())


@pytest.fixture(scope="module")
def cluster(plan):
    return wanted_cluster(plan)


def test_every_disk_of_the_plan_once(plan, cluster):
    serials = [serial for one in cluster["services"] if one["service_type"] == "osd" for serial in one["spec"]["data_devices"]["serials"]]
    assert sorted(serials) == sorted(osd.serial for server in plan.servers for osd in server.osds)
    assert len(serials) == plan.ceph.osds > 0
    assert sorted(one["serial"] for disks in cluster["disks"].values() for one in disks) == sorted(serials)


def test_each_osd_service_is_on_one_host(plan, cluster):
    paths = {server.name: {osd.serial: f"/dev/{osd.serial}" for osd in server.osds} for server in plan.servers}
    services = [one for one in resolve_disks(cluster["services"], paths) if one["service_type"] == "osd"]
    assert all(len(one["placement"]["hosts"]) == 1 for one in services)
    assert len({one["service_id"] for one in services}) == len(services)
    assert "serials" not in yaml.safe_dump(services)


def test_labels_are_the_plans(plan, cluster):
    for label, names in (
        ("mon", plan.ceph.monitors),
        ("mgr", plan.ceph.managers),
        ("rgw", plan.ceph.object_gateways),
        ("mds", plan.ceph.metadata_servers),
    ):
        assert {one["hostname"] for one in cluster["hosts"] if label in one["labels"]} == set(names), label
    assert {one["hostname"] for one in cluster["hosts"] if "_admin" in one["labels"]} == set(plan.ceph.monitors)


def test_pools_can_be_made_and_none_exceeds_the_limit_per_osd(plan, cluster):
    plan_pools(wanted_of(cluster), EMPTY)
    groups = sum(one["placement_groups"] * (one.get("copies") or one["data_chunks"] + one["coding_chunks"]) for one in cluster["pools"])
    assert groups / plan.ceph.osds < 250
    assert all(one["placement_groups"].bit_count() == 1 for one in cluster["pools"])


def test_databases_have_services_of_their_own(plan):
    server = plan.servers[0]
    fast = tuple(
        replace(osd, device_class="hdd", database="NVME1" if n % 2 else "NVME2", database_bytes=1 << 30)
        for n, osd in enumerate(server.osds)
    )
    cluster = wanted_cluster(replace(plan, servers=(replace(server, osds=fast), *plan.servers[1:])))
    own = [one for one in cluster["services"] if one.get("placement") == {"hosts": [server.name]}]
    assert [one["service_id"] for one in own] == [f"{server.name}-hdd-nvme1", f"{server.name}-hdd-nvme2"]
    assert [one["spec"]["db_devices"] for one in own] == [{"serials": ["NVME1"]}, {"serials": ["NVME2"]}]
    assert {"serial": "NVME1", "wipe": False} in cluster["disks"][server.name]


def test_clients_have_only_their_pools(cluster):
    assert cluster["clients"]["glance"] == {"mon": "profile rbd", "osd": "profile rbd pool=images", "mgr": "profile rbd pool=images"}
    assert "rbd-read-only pool=images" in cluster["clients"]["cinder"]["osd"]
    assert "images" not in cluster["clients"]["cinder-backup"]["osd"]


def test_the_memory_of_osds_is_the_plans(plan, cluster):
    targets = {one["who"]: one["value"] for one in cluster["config"] if one["name"] == "osd_memory_target"}
    assert targets == {f"osd/host:{one.name}": str(one.memory.osd_target) for one in plan.servers if one.osds}


def test_the_first_configuration_names_the_networks(plan):
    storage = next(one for one in plan.networks if one.name == "storage")
    carrier = next(one for one in plan.networks if one.name == storage.carried_by)
    assert f"public_network = {carrier.cidr}\n" in initial_conf(plan)


def test_ports_are_the_plans_on_the_hosts_own_addresses(plan, cluster):
    (name, ports), *_ = cluster["ports"].items()
    server = next(one for one in plan.servers if one.name == name)
    addresses = {one.cidr.partition("/")[0] for interface in server.interfaces for one in interface.addresses}
    assert {one["port"] for one in ports} >= {3300, 6789, plan.ceph.object_gateway_port}
    assert {one["address"] for one in ports if "address" in one} <= addresses
    assert all("address" in one for one in ports if one["service"] == "mon")
