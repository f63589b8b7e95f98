# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed kolla-ansible."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import PackageMissing, read_package

from tests.unit.plugins.module_utils.kolla.sites import VENV, installed


def test_what_it_tells():
    package = installed()
    assert package.version == "22.2.0"
    assert package.children.startswith("[baremetal:children]\n")
    assert {"control", "deployment", "ovn-controller-network", "mariadb"} <= package.groups
    assert len(package.groups) == 177
    assert {"kolla_internal_vip_address", "ceph_rgw_hosts", "kolla_max_fail_percentage", "rbd_secret_uuid"} <= package.keys
    assert "rbd_secret_uuid" in package.passwords
    assert len(package.passwords) == 107


def test_missing(tmp_path):
    with pytest.raises(PackageMissing, match="Cannot find kolla-ansible"):
        read_package(tmp_path)


def test_half_installed(tmp_path):
    (tmp_path / "lib/python3.11/site-packages/kolla_ansible-22.2.0.dist-info").mkdir(parents=True)
    with pytest.raises(PackageMissing, match="there is no"):
        read_package(tmp_path)


def test_another_version():
    installed()
    assert read_package(VENV, "22.2.0").version == "22.2.0"
    with pytest.raises(PackageMissing, match=r"it is 22\.2\.0, and the plan wants 21\.0\.0"):
        read_package(VENV, "21.0.0")
