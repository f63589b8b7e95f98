# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan import versions_table
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Versions
from ansible_collections.frontier.vitro.plugins.module_utils.rke2 import versions
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.keys import CRITICAL, MANAGED, SECRET, known_keys
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.versions import image_tag, step, version_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v1.35.7+rke2r1", (35, 7, 1)),
        ("v1.35.7-rke2r1", None),
        ("v1.35.7+rke2r1-rc3", None),
        ("v1.35.7", None),
        ("latest", None),
        ("stable", None),
    ],
)
def test_version(text, expected):
    assert version_of(text) == expected


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [
        ("v1.34.1+rke2r1", "v1.34.1+rke2r1", "same"),
        ("v1.34.1+rke2r1", "v1.34.1+rke2r2", "up"),
        ("v1.34.9+rke2r1", "v1.35.0+rke2r1", "up"),
        ("v1.34.2+rke2r1", "v1.34.1+rke2r1", "back"),
        ("v1.34.2+rke2r1", "v1.36.0+rke2r1", "skipped"),
        ("v1.33.7+rke2r2", "v1.34.1+rke2r1", "door"),
        ("v1.33.7+rke2r3", "v1.34.1+rke2r1", "up"),
        ("v1.33.5+rke2r1", "v1.33.11+rke2r1", "door"),
        ("v1.33.5+rke2r1", "v1.33.7+rke2r3", "up"),
        ("", "v1.34.1+rke2r1", "unknown"),
    ],
)
def test_step(before, after, way):
    assert step(before, after) == way


def test_the_plan_and_the_role_know_the_same():
    """Both keep their own table, since no subject takes logic from another."""
    assert tuple(versions_table.RKE2) == versions.LINES
    assert (versions_table.ETCD_DOOR, versions_table.ETCD_36_FROM) == (versions.ETCD_DOOR, versions.ETCD_36)
    assert version_of(Versions().rke2)


def test_image_tag():
    assert image_tag("v1.35.7+rke2r1") == "v1.35.7-rke2r1"


def test_keys():
    known = known_keys(35)
    assert {*MANAGED, *CRITICAL, *SECRET, "cni", "etcd-snapshot-retention", "etcd-s3-config-secret"} <= known
    assert "secrets-encryption-provider" not in known_keys(32)
    # K3s has these, RKE2 does not.
    assert not {"flannel-backend", "cluster-init", "docker", "disable-helm-controller", "https-listen-port"} & known
