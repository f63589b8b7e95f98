# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which passwords can be rotated, who holds them in the installed kolla-ansible, and what new ones look like."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import read_package
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.passwords import complete, read_passwords
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.rotation import (
    RULES,
    UNKNOWN,
    Kept,
    RotationRefused,
    holders,
    kept_text,
    read_kept,
    refuse_another,
    renewed,
    restored,
    rule_of,
    wanted_names,
)

ROOT = Path(__file__).parents[5]


@pytest.fixture(scope="module")
def package():
    return read_package(ROOT / "build/venv-kolla")


@pytest.fixture(scope="module")
def passwords(package):
    return complete(None, package, {})


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("glance_keystone_password", "reconfigure"),
        ("glance_database_password", "reconfigure"),
        ("keystone_admin_password", "reconfigure"),
        ("rabbitmq_password", "reconfigure"),
        ("neutron_ssh_key", "reconfigure"),
        ("haproxy_password", "reconfigure"),
        ("kolla_ssh_key", "refused"),
        ("database_password", "refused"),
        ("nova_database_password", "refused"),
        ("cinder_rbd_secret_uuid", "refused"),
        ("barbican_crypto_key", "refused"),
        ("octavia_ca_password", "refused"),
        ("docker_registry_password", "refused"),
        ("rabbitmq_cluster_cookie", "refused"),
        ("something_new", "refused"),
    ],
)
def test_rule(name, way):
    assert rule_of(name).way == way
    assert bool(rule_of(name).why) == (way == "refused")


def test_the_package_has_few_that_nobody_knows(package):
    """A release that brings new passwords should be noticed here."""
    unknown = {name for name in package.passwords if rule_of(name) is UNKNOWN}
    assert unknown == {"proxysql_admin_password", "proxysql_stats_password", "skyline_secret_key"}


def test_every_rule_is_of_use(package):
    used = {rule_of(name).pattern for name in package.passwords}
    assert [one.pattern for one in RULES if one.pattern not in used] == []


def test_all_is_all_that_can_be(package):
    names = wanted_names(["all"], package, ["haproxy_password"])
    assert len(names) > 70
    assert {rule_of(name).way for name in names} == {"reconfigure"}
    assert "haproxy_password" not in names


def test_every_mistake_is_told_at_once(package):
    asked = ["rabbit_password", "database_password", "haproxy_password", "keystone_admin_password"]
    with pytest.raises(RotationRefused) as refused:
        wanted_names(asked, package, ["haproxy_password"])
    said = str(refused.value)
    assert "(1) rabbit_password is no password of Kolla; did you mean rabbitmq_password?" in said
    assert "(2) database_password (MariaDB's root) is not rotated: " in said
    assert "(3) haproxy_password is chosen in kolla_topology_passwords" in said
    assert "(4)" not in said


def test_none_is_a_mistake(package):
    with pytest.raises(RotationRefused, match="no password is named"):
        wanted_names([], package, [])


@pytest.mark.parametrize(
    ("name", "among"),
    [
        ("keepalived_password", {"loadbalancer"}),
        ("rabbitmq_password", {"rabbitmq", "nova", "nova-cell", "neutron", "cinder", "heat", "glance", "octavia"}),
        ("glance_keystone_password", {"glance"}),
        ("nova_keystone_password", {"nova", "nova-cell", "neutron", "cinder"}),
        ("neutron_ssh_key", {"neutron"}),
        ("metadata_secret", {"neutron", "nova"}),
        ("prometheus_password", {"prometheus"}),
    ],
)
def test_holders(name, among, package):
    found = set(holders([name], package))
    assert among <= found
    if name in ("keepalived_password", "neutron_ssh_key"):
        assert found == among


def test_only_the_named_ones_change(package, passwords):
    names = ["rabbitmq_password", "neutron_ssh_key"]
    before, after = read_passwords(passwords), read_passwords(renewed(passwords, names, package))
    assert {key for key in before if before[key] != after[key]} == set(names)
    assert set(before) == set(after)
    assert len(after["rabbitmq_password"]) == 40
    assert "PRIVATE KEY" in after["neutron_ssh_key"]["private_key"]


def test_the_way_back(package, passwords):
    before = read_passwords(passwords)
    kept = Kept(names=("rabbitmq_password",), began="2026-01-31T12:00:00Z", before={"rabbitmq_password": before["rabbitmq_password"]})
    assert read_kept(kept_text(kept)) == kept
    assert yaml.safe_load(restored(renewed(passwords, kept.names, package), kept)) == before


def test_what_is_damaged_is_refused():
    with pytest.raises(RotationRefused, match="damaged"):
        read_kept("names: [a]\n")


def test_one_rotation_at_a_time():
    kept = Kept(names=("a", "b"), began="2026-01-31T12:00:00Z", before={})
    refuse_another(kept, ["b", "a"])
    refuse_another(kept, ["all"])
    with pytest.raises(RotationRefused, match="that of a, b, begun 2026"):
        refuse_another(kept, ["a"])
