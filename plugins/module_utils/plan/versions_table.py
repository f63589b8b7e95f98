# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which versions go together, as data. Each table names its source; what is not in a table is not known to fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Line = tuple[int, int]
Life = Literal["", "ending", "ended"]


@dataclass(frozen=True, slots=True)
class Openstack:
    """`hosts` are the operating systems that Kolla's prechecks accept; a SLURP release may be followed by the next SLURP release."""

    kolla: int
    hosts: tuple[str, ...]
    ovn: Line
    slurp: bool


@dataclass(frozen=True, slots=True)
class Capi:
    """`management` is the range of Kubernetes minors under it; `floors` the first patch of the line that knows a minor."""

    management: tuple[int, int] | None = None
    floors: Mapping[int, int] = field(default_factory=dict)
    life: Life = ""


@dataclass(frozen=True, slots=True)
class Capo:
    """`capi` is the oldest core line that it works with, `korc` the K-ORC that it was built with."""

    capi: Line
    korc: Line


# kolla-ansible: the major follows the OpenStack release (setup of stable/2025.1, stable/2025.2, stable/2026.1; releases 20.x, 21.x, 22.x).
# Hosts: doc/source/user/support-matrix.rst of 2025.1 and of 2026.1, for the latter with what the prechecks of 22.2.0 accept beyond it
# (bookworm, CentOS 10). For 2025.2 that page was not at hand: its Kolla moved to Rocky 10, and trixie came with 2026.1.
# OVN: neutron, doc/source/install/ovs-ovn-requirements.rst: the oldest branch that Neutron is tested with.
# SLURP: releases.openstack.org: the first release of each year.
OPENSTACK: Mapping[str, Openstack] = {
    "2025.1": Openstack(kolla=20, hosts=("debian-12", "rocky-9", "ubuntu-24.04", "centos-9", "centos-10"), ovn=(24, 3), slurp=True),
    "2025.2": Openstack(kolla=21, hosts=("debian-12", "rocky-10", "ubuntu-24.04", "centos-10"), ovn=(24, 3), slurp=False),
    "2026.1": Openstack(kolla=22, hosts=("debian-13", "debian-12", "rocky-10", "ubuntu-24.04", "centos-10"), ovn=(24, 3), slurp=True),
}

# kolla-ansible 22.2.0 marks bookworm for removal in the next release; 2025.1 is the last one for Rocky 9 and CentOS 9.
HOSTS: Mapping[str, Life] = {
    "debian-13": "",
    "debian-12": "ending",
    "ubuntu-24.04": "",
    "rocky-10": "",
    "rocky-9": "ending",
    "centos-10": "",
    "centos-9": "ending",
}

# docs.ceph.com/en/latest/releases: quincy ended on 2025-01-13, reef in March 2026; squid is maintained until the end of October 2026 or
# the release after tentacle, tentacle until June 2027. An upgrade may go over at most two releases.
CEPH: Mapping[str, tuple[int, Life]] = {"quincy": (17, "ended"), "reef": (18, "ended"), "squid": (19, "ending"), "tentacle": (20, "")}
CEPH_LEAP = 2

# ovn.org: two releases each year; every fourth one is of long support.
OVN: tuple[str, ...] = ("22.03", "24.03", "24.09", "25.03", "25.09", "26.03")

# rke2: channels.yaml and docs/release-notes; 1.33 is at its last releases.
RKE2: Mapping[int, Life] = {33: "ending", 34: "", 35: "", 36: ""}
# etcd 3.5 → 3.6 is safe from etcd 3.5.26 on only (rancher/rke2#9580, k3s-io/k3s#13485): v1.33.7+rke2r3 has it. 1.34 and newer, and 1.33
# from .11 on, have etcd 3.6.
ETCD_DOOR = (33, 7, 3)
ETCD_36_FROM = (33, 11, 0)

# cluster-api.sigs.k8s.io, reference/versions: Kubernetes of the management cluster; v1.11 is no longer maintained.
CAPI: Mapping[Line, Capi] = {
    (1, 11): Capi(life="ended"),
    (1, 12): Capi(management=(31, 36), floors={35: 1, 36: 8}),
    (1, 13): Capi(management=(32, 36), floors={36: 1}),
    (1, 14): Capi(management=(33, 36)),
}
# go.mod of each release of cluster-api-provider-rke2: the core line that it is built against.
CAPRKE2: Mapping[Line, Line] = {(0, 20): (1, 10), (0, 21): (1, 10), (0, 22): (1, 11), (0, 23): (1, 12), (0, 24): (1, 12), (0, 25): (1, 13)}
# README of cluster-api-provider-openstack, and go.mod for K-ORC. v0.12 is the first that needs K-ORC.
CAPO: Mapping[Line, Capo] = {
    (0, 12): Capo(capi=(1, 9), korc=(1, 0)),
    (0, 13): Capo(capi=(1, 11), korc=(2, 3)),
    (0, 14): Capo(capi=(1, 12), korc=(2, 4)),
    (0, 15): Capo(capi=(1, 13), korc=(2, 6)),
}
# K-ORC: majors that serve images.openstack.k-orc.cloud/v1alpha1; its CRDs use CEL, so Kubernetes 1.29 or newer.
KORC: tuple[int, ...] = (1, 2)
KORC_KUBERNETES = 29
# cloud-provider-openstack has one line for each Kubernetes minor.
CLOUD_PROVIDER: tuple[int, ...] = (33, 34, 35, 36)
# argo-cd.readthedocs.io, operator-manual/installation: the three newest minors get fixes.
ARGOCD: Mapping[Line, Life] = {(3, 2): "ending", (3, 3): "", (3, 4): "", (3, 5): ""}
