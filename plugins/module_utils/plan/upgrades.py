# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether one can get from the versions of the last plan to those of this one."""

from __future__ import annotations

from collections.abc import Iterator

from . import version_kinds as kinds
from . import versions_table as table
from .objections import Found
from .types import Versions
from .version_numbers import numbers_of, rke2_of

# What has databases or stored objects of its own, and no way back.
NO_WAY_BACK = ("kolla_ansible", "ovn", "capi", "caprke2", "capo", "korc", "argocd")


def check_upgrade(before: Versions | None, after: Versions) -> list[Found]:
    """What is unknown is not judged here: check_versions says so."""
    if before is None or before == after:
        return []
    return [*_rke2(before, after), *_openstack(before, after), *_ceph(before, after), *_host(before, after), *_others(before, after)]


def _back(key: str, old: str, new: str) -> Found:
    return kinds.VERSION_DOWNGRADE.of(key, f"{key} would go from {old} back to {new}", path=f"versions.{key}")


def _rke2(before: Versions, after: Versions) -> Iterator[Found]:
    old, new = rke2_of(before.rke2), rke2_of(after.rke2)
    if old is None or new is None:
        return
    if new[0] < old[0] or new < table.ETCD_36_FROM <= old:
        yield _back("rke2", before.rke2, after.rke2)
    if new[0] > old[0] + 1:
        steps = ", ".join(f"1.{minor}" for minor in range(old[0] + 1, new[0] + 1))
        text = f"rke2 would go from {before.rke2} to {after.rke2}; the steps are {steps}"
        yield kinds.VERSION_SKIPPED.of("rke2", text, path="versions.rke2")
    if old < table.ETCD_DOOR and old[0] == table.ETCD_DOOR[0] and new >= table.ETCD_36_FROM:
        text = f"rke2 {before.rke2} has an etcd older than 3.5.26, and {after.rke2} has etcd 3.6"
        yield kinds.ETCD_DOOR.of("rke2", text, path="versions.rke2")


def _openstack(before: Versions, after: Versions) -> Iterator[Found]:
    releases = list(table.OPENSTACK)
    if before.openstack not in releases or after.openstack not in releases:
        return
    old, new = releases.index(before.openstack), releases.index(after.openstack)
    if new < old:
        yield _back("openstack", before.openstack, after.openstack)
    slurp = table.OPENSTACK[before.openstack].slurp and table.OPENSTACK[after.openstack].slurp
    leap = 2 if slurp else 1
    if new > old + leap:
        text = f"openstack would go from {before.openstack} to {after.openstack}; the steps are {', '.join(releases[old + 1 : new + 1])}"
        yield kinds.VERSION_SKIPPED.of("openstack", text, path="versions.openstack")


def _ceph(before: Versions, after: Versions) -> Iterator[Found]:
    if before.ceph not in table.CEPH or after.ceph not in table.CEPH:
        return
    old, new = table.CEPH[before.ceph][0], table.CEPH[after.ceph][0]
    if new < old:
        yield _back("ceph", before.ceph, after.ceph)
    if new > old + table.CEPH_LEAP:
        between = ", ".join(name for name, (number, _) in table.CEPH.items() if old < number < new)
        text = f"ceph would go from {before.ceph} to {after.ceph}; go by way of {between}"
        yield kinds.VERSION_SKIPPED.of("ceph", text, path="versions.ceph")


def _host(before: Versions, after: Versions) -> Iterator[Found]:
    (old, _, old_number), (new, _, new_number) = before.os.partition("-"), after.os.partition("-")
    if old != new:
        yield kinds.OS_CHANGED.of("os", f"the hosts have {before.os}, and versions.os is {after.os}", path="versions.os")
    elif _number(new_number) < _number(old_number):
        yield _back("os", before.os, after.os)


def _number(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _others(before: Versions, after: Versions) -> Iterator[Found]:
    for key in NO_WAY_BACK:
        old, new = numbers_of(getattr(before, key)), numbers_of(getattr(after, key))
        if old and new and new[:2] < old[:2]:
            yield _back(key, getattr(before, key), getattr(after, key))
