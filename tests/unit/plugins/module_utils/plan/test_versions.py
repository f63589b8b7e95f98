# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan import version_kinds, versions_table
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Versions
from ansible_collections.frontier.vitro.plugins.module_utils.plan.versions import check_upgrade, check_versions
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import intent

SET_A = {"capi": "v1.12.11", "caprke2": "v0.24.4"}
OLD = {"openstack": "2025.1", "kolla_ansible": "20.3.0", "os": "debian-12"}


def codes(changes: dict[str, Any]) -> list[str]:
    return sorted(one.objection.code for one in check_versions(intent(**changes)))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="defaults"),
        pytest.param({"versions": SET_A}, id="conservative"),
        pytest.param({"versions": {"os": "ubuntu-24.04"}, "openstack": {"distribution": "ubuntu"}}, id="Ubuntu"),
        pytest.param({"versions": {"os": "rocky-10"}, "openstack": {"distribution": "rocky"}}, id="Rocky"),
        pytest.param({"versions": {"os": "centos-10"}, "openstack": {"distribution": "centos"}}, id="CentOS"),
        pytest.param({"versions": {"ceph": "tentacle"}}, id="tentacle"),
        pytest.param({"versions": {"rke2": "v1.36.3+rke2r1", "cloud_provider": "v1.36.0"}}, id="Kubernetes 1.36"),
        pytest.param({"versions": {"rke2": "v1.34.10+rke2r1", "cloud_provider": "v1.34.1"}}, id="Kubernetes 1.34"),
        pytest.param({"versions": {"ovn": "24.03.2"}}, id="patch of OVN"),
        pytest.param({"fmc": {"fips": True, "ingress": "ingress-nginx"}}, id="FIPS"),
    ],
)
def test_sets_that_fit(changes: dict[str, Any]) -> None:
    assert codes(changes) == []


CASES = [
    pytest.param({"versions": {"ceph": "quincy"}}, ["version_ended"], id="quincy"),
    pytest.param({"versions": {"ceph": "reef"}}, ["version_ended"], id="reef"),
    pytest.param({"versions": {"ceph": "squid"}}, ["version_ending"], id="squid"),
    pytest.param({"versions": {"ceph": "19.2.3"}}, ["version_unknown"], id="Ceph by number"),
    pytest.param({"versions": {"os": "debian-12"}}, ["version_ending"], id="bookworm"),
    pytest.param({"versions": {"os": "windows"}}, ["version_unknown"], id="unknown host"),
    pytest.param({"versions": {"os": "ubuntu-24.04"}}, ["os_distribution"], id="host and images differ"),
    pytest.param({"versions": {**OLD, "os": "debian-13"}}, ["os_openstack"], id="host too new for the release"),
    pytest.param({"versions": {"kolla_ansible": "21.0.0"}}, ["kolla_release"], id="kolla of another release"),
    pytest.param({"versions": {"kolla_ansible": "9.0.0"}}, ["version_unknown"], id="kolla unknown"),
    pytest.param({"versions": {"openstack": "zed"}}, ["version_unknown"], id="release unknown"),
    pytest.param({"versions": {"ovn": "22.03"}}, ["ovn_too_old"], id="old OVN"),
    pytest.param({"versions": {"ovn": "26.3"}}, ["version_unknown"], id="OVN misspelt"),
    pytest.param({"versions": {"rke2": "v1.35.7-rc1+rke2r1"}}, ["version_prerelease"], id="release candidate"),
    pytest.param({"versions": {"rke2": "1.35.7"}}, ["version_unknown"], id="RKE2 without its number"),
    pytest.param({"versions": {"rke2": "v1.33.13+rke2r2", "cloud_provider": "v1.33.0"}}, ["version_ending"], id="RKE2 1.33"),
    pytest.param({"versions": {"capi": "v1.11.5"}}, ["capi_capo", "capi_caprke2", "version_ended"], id="old core"),
    pytest.param({"versions": {"capi": "v1.10.0"}}, ["version_unknown"], id="unknown core"),
    pytest.param({"versions": {**SET_A, "capi": "v1.12.0"}}, ["capi_kubernetes"], id="patch floor of 1.35"),
    pytest.param(
        {"versions": {"capi": "v1.13.0", "rke2": "v1.36.3+rke2r1", "cloud_provider": "v1.36.0"}},
        ["capi_kubernetes"],
        id="patch floor of 1.36",
    ),
    pytest.param({"versions": {"capi": "v1.12.11"}}, ["capi_caprke2"], id="CAPRKE2 newer than the core"),
    pytest.param({"versions": {"capi": "v1.14.0"}}, ["capi_caprke2_untested"], id="core newer than CAPRKE2"),
    pytest.param({"versions": {**SET_A, "capo": "v0.15.0"}}, ["capi_capo"], id="CAPO newer than the core"),
    pytest.param({"versions": {"capo": "v0.15.0-beta.0"}}, ["version_prerelease"], id="CAPO beta"),
    pytest.param({"versions": {"caprke2": "v0.3.0", "capo": "v0.9.0"}}, ["version_unknown"] * 2, id="unknown providers"),
    pytest.param({"versions": {"korc": "v2.0.0"}}, ["korc_capo"], id="old K-ORC"),
    pytest.param({"versions": {"korc": "main"}}, ["version_unknown"], id="K-ORC by branch"),
    pytest.param(
        {"versions": {"rke2": "v1.28.1+rke2r1"}},
        ["capi_kubernetes", "cloud_provider_kubernetes", "korc_kubernetes", "version_unknown"],
        id="Kubernetes 1.28",
    ),
    pytest.param({"versions": {"cloud_provider": "v1.34.0"}}, ["cloud_provider_near"], id="cloud provider one off"),
    pytest.param({"versions": {"cloud_provider": "v1.33.0"}}, ["cloud_provider_kubernetes"], id="cloud provider two off"),
    pytest.param({"versions": {"cloud_provider": "latest"}}, ["version_unknown"], id="cloud provider unknown"),
    pytest.param({"versions": {"argocd": "v3.2.6"}}, ["version_ending"], id="old Argo CD"),
    pytest.param({"versions": {"argocd": "v2.9.0"}}, ["version_unknown"], id="unknown Argo CD"),
    pytest.param({"fmc": {"fips": True, "cni": "cilium", "ingress": "none"}}, ["fips_cni"], id="FIPS and cilium"),
    pytest.param({"fmc": {"fips": True}}, ["fips_ingress"], id="FIPS and Traefik"),
]


@pytest.mark.parametrize(("changes", "wanted"), CASES)
def test_sets_that_do_not_fit(changes: dict[str, Any], wanted: list[str]) -> None:
    assert codes(changes) == wanted


def test_unknown_lists_what_is_known() -> None:
    said = check_versions(intent(versions={"rke2": "v1.30.1+rke2r1", "cloud_provider": "v1.35.0"}))[0].objection
    assert said.path == "versions.rke2"
    assert "v1.36.Z+rke2rN" in said.text


NOW = Versions()
UPGRADES = [
    pytest.param({}, {}, [], id="nothing"),
    pytest.param({"rke2": "v1.34.9+rke2r1"}, {}, [], id="one minor"),
    pytest.param({"rke2": "v1.33.10+rke2r1"}, {"rke2": "v1.34.10+rke2r1"}, [], id="through the etcd door"),
    pytest.param({"rke2": "v1.33.7+rke2r3"}, {"rke2": "v1.34.10+rke2r1"}, [], id="just through the etcd door"),
    pytest.param({"rke2": "v1.33.7+rke2r2"}, {"rke2": "v1.34.10+rke2r1"}, ["etcd_door"], id="past the etcd door"),
    pytest.param({"rke2": "v1.33.4+rke2r1"}, {"rke2": "v1.33.13+rke2r2"}, ["etcd_door"], id="past the etcd door in one line"),
    pytest.param({"rke2": "v1.33.13+rke2r2"}, {}, ["version_skipped"], id="minor left out"),
    pytest.param({"rke2": "v1.36.3+rke2r1"}, {}, ["version_downgrade"], id="minor back"),
    pytest.param({"rke2": "v1.35.7+rke2r1"}, {"rke2": "v1.35.6+rke2r1"}, [], id="patch back"),
    pytest.param({"rke2": "v1.33.13+rke2r1"}, {"rke2": "v1.33.10+rke2r1"}, ["version_downgrade"], id="back over etcd 3.6"),
    pytest.param({"openstack": "2025.1"}, {}, [], id="SLURP to SLURP"),
    pytest.param({"openstack": "2025.2"}, {}, [], id="next release"),
    pytest.param({"openstack": "2026.1"}, {"openstack": "2025.2"}, ["version_downgrade"], id="release back"),
    pytest.param({"ceph": "quincy"}, {"ceph": "squid"}, [], id="Ceph over two"),
    pytest.param({"ceph": "quincy"}, {"ceph": "tentacle"}, ["version_skipped"], id="Ceph over three"),
    pytest.param({"ceph": "tentacle"}, {"ceph": "squid"}, ["version_downgrade"], id="Ceph back"),
    pytest.param({"os": "debian-12"}, {}, [], id="newer Debian"),
    pytest.param({"os": "debian-13"}, {"os": "debian-12"}, ["version_downgrade"], id="older Debian"),
    pytest.param({"os": "rocky-10"}, {}, ["os_changed"], id="other distribution"),
    pytest.param({"capi": "v1.14.0"}, {}, ["version_downgrade"], id="core back"),
    pytest.param({"rke2": "?", "openstack": "?", "ceph": "?", "capi": "?"}, {}, [], id="unknown is not judged"),
]


@pytest.mark.parametrize(("before", "after", "wanted"), UPGRADES)
def test_upgrade(before: dict[str, str], after: dict[str, str], wanted: list[str]) -> None:
    assert [one.objection.code for one in check_upgrade(replace(NOW, **before), replace(NOW, **after))] == wanted
    assert check_upgrade(None, replace(NOW, **after)) == []


def test_only_a_slurp_release_may_leave_one_out(monkeypatch: pytest.MonkeyPatch) -> None:
    later = {**versions_table.OPENSTACK, "2026.2": replace(versions_table.OPENSTACK["2025.2"], kolla=23)}
    monkeypatch.setattr(versions_table, "OPENSTACK", later)
    found = check_upgrade(replace(NOW, openstack="2025.2"), replace(NOW, openstack="2026.2"))
    assert [one.objection.code for one in found] == ["version_skipped"]
    assert "2026.1, 2026.2" in found[0].objection.text


def test_every_kind_is_raised() -> None:
    raised = {code for case in CASES for code in case.values[1]} | {code for case in UPGRADES for code in case.values[2]}
    assert {value.code for value in vars(version_kinds).values() if isinstance(value, Kind)} == raised


@given(st.sampled_from([one.name for one in fields(Versions)]), st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_no_string_breaks_the_checks(key: str, value: str) -> None:
    versions = replace(NOW, **{key: value})
    if not any(one.isdigit() for one in value):
        assert [one for one in check_versions(replace(intent(), versions=versions)) if one.objection.path == f"versions.{key}"]
    check_versions(replace(intent(), versions=versions))
    check_upgrade(versions, NOW)
    check_upgrade(NOW, versions)
