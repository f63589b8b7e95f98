# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the versions that the intent asks for go together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from . import version_kinds as kinds
from . import versions_table as table
from .intent import Intent
from .objections import Found
from .types import Versions
from .upgrades import check_upgrade
from .version_numbers import numbers_of, rke2_of

__all__ = ["check_upgrade", "check_versions"]

PRERELEASE = re.compile(r"-?(?:rc|alpha|beta|dev|pre)\.?\d*", re.IGNORECASE)


def check_versions(intent: Intent) -> list[Found]:
    """Each version by itself, then every pair that has to fit."""
    versions = intent.versions
    return [
        *_host(versions, intent.openstack.distribution),
        *_openstack(versions),
        *_ceph(versions),
        *_rke2(versions),
        *_capi(versions),
        *_providers(versions),
        *_korc(versions),
        *_cloud_provider(versions),
        *_argocd(versions),
        *_fips(intent),
    ]


def _line(version: str) -> table.Line | None:
    numbers = numbers_of(version)
    return numbers[:2] if numbers else None


def _unknown(key: str, version: str, known: Iterable[str]) -> Found:
    path, lines = f"versions.{key}", ", ".join(known)
    if PRERELEASE.search(version):
        return kinds.VERSION_PRERELEASE.of(key, f"{key} {version} is no release; known lines: {lines}", path=path)
    return kinds.VERSION_UNKNOWN.of(key, f"{key} {version} is not known; known lines: {lines}", path=path)


def _life(key: str, version: str, life: table.Life, better: Iterable[str]) -> Iterator[Found]:
    if life:
        kind = kinds.VERSION_ENDED if life == "ended" else kinds.VERSION_ENDING
        yield kind.of(key, f"{key} {version}; maintained lines: {', '.join(better)}", path=f"versions.{key}")


def _dotted(line: table.Line) -> str:
    return f"v{line[0]}.{line[1]}"


def _host(versions: Versions, distribution: str) -> Iterator[Found]:
    host = versions.os
    if host not in table.HOSTS:
        yield _unknown("os", host, table.HOSTS)
        return
    yield from _life("os", host, table.HOSTS[host], (one for one, life in table.HOSTS.items() if not life))
    if host.split("-")[0] != distribution:
        fitting = ", ".join(one for one in table.HOSTS if one.startswith(distribution))
        text = f"versions.os is {host} and openstack.distribution is {distribution}; with {distribution} go {fitting}"
        yield kinds.OS_DISTRIBUTION.of("os, distribution", text, path="openstack.distribution")
    release = table.OPENSTACK.get(versions.openstack)
    if release and host not in release.hosts:
        text = f"OpenStack {versions.openstack} does not take {host}; it takes {', '.join(release.hosts)}"
        yield kinds.OS_OPENSTACK.of("os, openstack", text, path="versions.os")


def _openstack(versions: Versions) -> Iterator[Found]:
    release, kolla, ovn = table.OPENSTACK.get(versions.openstack), numbers_of(versions.kolla_ansible), _line(versions.ovn)
    majors = [f"{one.kolla}.x for {name}" for name, one in table.OPENSTACK.items()]
    if release is None:
        yield _unknown("openstack", versions.openstack, table.OPENSTACK)
    if kolla is None or kolla[0] not in {one.kolla for one in table.OPENSTACK.values()}:
        yield _unknown("kolla_ansible", versions.kolla_ansible, majors)
    elif release and kolla[0] != release.kolla:
        text = f"kolla-ansible {versions.kolla_ansible} does not fit OpenStack {versions.openstack}, which needs {release.kolla}.x"
        yield kinds.KOLLA_RELEASE.of("kolla_ansible, openstack", text, path="versions.kolla_ansible")
    if ovn is None or ".".join(versions.ovn.split(".")[:2]) not in table.OVN:
        yield _unknown("ovn", versions.ovn, table.OVN)
    elif release and ovn < release.ovn:
        text = f"OVN {versions.ovn} does not fit OpenStack {versions.openstack}, which needs {release.ovn[0]}.{release.ovn[1]:02d} or newer"
        yield kinds.OVN_TOO_OLD.of("ovn, openstack", text, path="versions.ovn")


def _ceph(versions: Versions) -> Iterator[Found]:
    if versions.ceph not in table.CEPH:
        yield _unknown("ceph", versions.ceph, (name for name, (_, life) in table.CEPH.items() if life != "ended"))
        return
    yield from _life("ceph", versions.ceph, table.CEPH[versions.ceph][1], (name for name, (_, life) in table.CEPH.items() if not life))


def _rke2(versions: Versions) -> Iterator[Found]:
    found = rke2_of(versions.rke2)
    if found is None or found[0] not in table.RKE2:
        yield _unknown("rke2", versions.rke2, (f"v1.{minor}.Z+rke2rN" for minor in table.RKE2))
        return
    yield from _life("rke2", versions.rke2, table.RKE2[found[0]], (f"1.{minor}" for minor, life in table.RKE2.items() if not life))


def _capi(versions: Versions) -> Iterator[Found]:
    numbers, kubernetes = numbers_of(versions.capi), rke2_of(versions.rke2)
    line = table.CAPI.get(numbers[:2]) if numbers else None
    maintained = [_dotted(one) for one, entry in table.CAPI.items() if not entry.life]
    if numbers is None or line is None:
        yield _unknown("capi", versions.capi, maintained)
        return
    yield from _life("capi", versions.capi, line.life, maintained)
    if kubernetes is None or line.management is None:
        return
    minor, (oldest, newest) = kubernetes[0], line.management
    if not oldest <= minor <= newest:
        text = f"CAPI {versions.capi} does not fit RKE2 {versions.rke2}: it runs on Kubernetes 1.{oldest} to 1.{newest}"
        yield kinds.CAPI_KUBERNETES.of("capi, rke2", text, path="versions.capi")
    elif numbers[2] < line.floors.get(minor, 0):
        floor = f"{_dotted(numbers[:2])}.{line.floors[minor]}"
        text = f"CAPI {versions.capi} does not fit RKE2 {versions.rke2}: Kubernetes 1.{minor} needs {floor} or newer"
        yield kinds.CAPI_KUBERNETES.of("capi, rke2", text, path="versions.capi")


def _providers(versions: Versions) -> Iterator[Found]:
    core, rke2, capo = _line(versions.capi), _line(versions.caprke2), _line(versions.capo)
    built = table.CAPRKE2.get(rke2) if rke2 else None
    needs = table.CAPO.get(capo) if capo else None
    if built is None:
        yield _unknown("caprke2", versions.caprke2, map(_dotted, table.CAPRKE2))
    elif core and core in table.CAPI and core != built:
        fitting = ", ".join(_dotted(one) for one, its in table.CAPRKE2.items() if its == core) or "none yet"
        text = f"CAPRKE2 {versions.caprke2} is built against CAPI {_dotted(built)}; with CAPI {versions.capi} goes CAPRKE2 {fitting}"
        kind = kinds.CAPI_CAPRKE2 if core < built else kinds.CAPI_CAPRKE2_UNTESTED
        yield kind.of("caprke2, capi", text, path="versions.caprke2")
    if needs is None:
        yield _unknown("capo", versions.capo, map(_dotted, table.CAPO))
    elif core and core in table.CAPI and core < needs.capi:
        text = f"CAPO {versions.capo} does not fit CAPI {versions.capi}: it needs {_dotted(needs.capi)} or newer"
        yield kinds.CAPI_CAPO.of("capo, capi", text, path="versions.capo")


def _korc(versions: Versions) -> Iterator[Found]:
    korc, capo, kubernetes = _line(versions.korc), _line(versions.capo), rke2_of(versions.rke2)
    if korc is None or korc[0] not in table.KORC:
        yield _unknown("korc", versions.korc, (f"v{major}.x" for major in table.KORC))
        return
    needs = table.CAPO.get(capo) if capo else None
    if needs and korc < needs.korc:
        text = f"K-ORC {versions.korc} is older than {_dotted(needs.korc)}, with which CAPO {versions.capo} is built"
        yield kinds.KORC_CAPO.of("korc, capo", text, path="versions.korc")
    if kubernetes and kubernetes[0] < table.KORC_KUBERNETES:
        text = f"K-ORC {versions.korc} does not fit RKE2 {versions.rke2}: it needs Kubernetes 1.{table.KORC_KUBERNETES} or newer"
        yield kinds.KORC_KUBERNETES.of("korc, rke2", text, path="versions.rke2")


def _cloud_provider(versions: Versions) -> Iterator[Found]:
    line, kubernetes = _line(versions.cloud_provider), rke2_of(versions.rke2)
    if line is None or line[0] != 1 or line[1] not in table.CLOUD_PROVIDER:
        yield _unknown("cloud_provider", versions.cloud_provider, (f"v1.{minor}" for minor in table.CLOUD_PROVIDER))
    elif kubernetes and line[1] != kubernetes[0]:
        kind = kinds.CLOUD_PROVIDER_NEAR if abs(line[1] - kubernetes[0]) == 1 else kinds.CLOUD_PROVIDER_KUBERNETES
        text = f"cloud-provider-openstack {versions.cloud_provider} does not fit RKE2 {versions.rke2}; v1.{kubernetes[0]} does"
        yield kind.of("cloud_provider, rke2", text, path="versions.cloud_provider")


def _argocd(versions: Versions) -> Iterator[Found]:
    line = _line(versions.argocd)
    if line is None or line not in table.ARGOCD:
        yield _unknown("argocd", versions.argocd, map(_dotted, table.ARGOCD))
        return
    yield from _life("argocd", versions.argocd, table.ARGOCD[line], (_dotted(one) for one, life in table.ARGOCD.items() if not life))


def _fips(intent: Intent) -> Iterator[Found]:
    if intent.fmc.fips and intent.fmc.cni != "canal":
        yield kinds.FIPS_CNI.of("fmc.cni", f"fmc.fips is on and fmc.cni is {intent.fmc.cni}; only canal fits", path="fmc.cni")
    if intent.fmc.fips and intent.fmc.ingress == "traefik":
        yield kinds.FIPS_INGRESS.of("fmc.ingress", "fmc.fips is on and fmc.ingress is traefik; ingress-nginx fits", path="fmc.ingress")
