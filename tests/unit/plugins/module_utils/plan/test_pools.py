# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.plan import pools as module
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Kind
from ansible_collections.frontier.vitro.plugins.module_utils.plan.pools import minimum_of, plan_pools

from tests.unit.plugins.module_utils.plan.racks import intent


def pool(name: str, application: str = "rbd", **form: Any) -> dict[str, Any]:
    return {"name": name, "application": application, **(form or {"copies": 3})}


OPENSTACK = [pool(name) for name in ("images", "volumes", "vms", "backups")]
ALL = [*OPENSTACK, pool("buckets.data", "rgw"), pool("fs_meta", "cephfs"), pool("fs_data", "cephfs")]


def codes(domains: int = 6, **ceph: Any) -> list[str]:
    return [one.objection.code for one in plan_pools(intent(ceph=ceph), domains)[1]]


@pytest.mark.parametrize("gateway", [True, False])
@pytest.mark.parametrize("file_system", [True, False])
def test_default_pools(gateway: bool, file_system: bool) -> None:
    pools, found = plan_pools(intent(ceph={"object_gateway": gateway, "file_system": file_system}), 3)
    assert found == []
    assert sum(one.share for one in pools) == 100
    assert {one.application for one in pools} == {"rbd"} | ({"rgw"} if gateway else set()) | ({"cephfs"} if file_system else set())
    assert {(one.copies, one.minimum) for one in pools} == {(3, 2)}
    assert len({one.name for one in pools}) == len(pools)


def test_pools_of_the_operator() -> None:
    wish = [*ALL, pool("archive.data", "rgw", data_chunks=4, coding_chunks=2, share=40)]
    pools, found = plan_pools(intent(ceph={"pools": wish}), 7)
    assert found == []
    assert [one.name for one in pools] == [one["name"] for one in wish]
    assert (pools[-1].data_chunks, pools[-1].coding_chunks, pools[-1].minimum, pools[-1].copies) == (4, 2, 5, None)


@pytest.mark.parametrize(("copies", "wanted"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_minimum(copies: int, wanted: int) -> None:
    assert minimum_of(copies) == wanted


CODED = {"data_chunks": 4, "coding_chunks": 2}
CASES = [
    pytest.param(2, {}, "too_many_copies", id="three copies on two servers"),
    pytest.param(6, {"copies": 1}, "one_copy", id="one copy"),
    pytest.param(6, {"copies": 2}, "two_copies", id="two copies"),
    pytest.param(6, {"pools": [*ALL, pool("p", copies=1)]}, "one_copy", id="one copy of one pool"),
    pytest.param(5, {"pools": [*ALL, pool("x.data", "rgw", **CODED)]}, "chunks_too_wide", id="code too wide"),
    pytest.param(6, {"pools": [*ALL, pool("x.data", "rgw", **CODED)]}, "chunks_no_spare", id="code fills all"),
    pytest.param(9, {"pools": [*ALL, pool("x.data", "rgw", data_chunks=4, coding_chunks=1)]}, "chunks_weak", id="one coding chunk"),
    pytest.param(9, {"pools": [*ALL, pool("p", copies=3, **CODED)]}, "pool_form", id="copies and chunks"),
    pytest.param(9, {"pools": [*ALL, {"name": "p", "application": "rbd"}]}, "pool_form", id="neither"),
    pytest.param(9, {"pools": [*ALL, pool("p", data_chunks=4)]}, "pool_form", id="half a code"),
    pytest.param(9, {"pools": [*ALL, pool("p", copies=3, coding_chunks=2)]}, "pool_form", id="copies and half a code"),
    pytest.param(9, {"pools": [*ALL, pool("images")]}, "duplicate_pool", id="twice"),
    pytest.param(9, {"pools": [*ALL, pool("p", copies=3, share=60), pool("q", copies=3, share=50)]}, "pool_shares", id="110 percent"),
    pytest.param(9, {"pools": [*ALL[:-2], pool("meta", "cephfs", **CODED), pool("data", "cephfs")]}, "pool_needs_copies", id="metadata"),
    pytest.param(9, {"pools": [*ALL[1:], pool("images", **CODED)]}, "pool_needs_copies", id="coded images"),
    pytest.param(9, {"pools": [*ALL, pool("x.index", "rgw", **CODED)]}, "pool_needs_copies", id="coded index"),
    pytest.param(9, {"pools": [*ALL, pool("cold", **CODED)]}, "rbd_data_pool", id="coded block devices"),
    pytest.param(9, {"pools": ALL[1:]}, "pool_missing", id="no images"),
    pytest.param(9, {"pools": [*OPENSTACK, *ALL[-2:]]}, "pool_missing", id="no object pool"),
    pytest.param(9, {"pools": ALL[:-1]}, "pool_missing", id="file system with one pool"),
]


@pytest.mark.parametrize(("domains", "ceph", "code"), CASES)
def test_objection(domains: int, ceph: dict[str, Any], code: str) -> None:
    assert code in codes(domains, **ceph)


def test_one_mistake_hides_no_other() -> None:
    wish = [*ALL[1:], pool("p", copies=1), pool("q", data_chunks=8, coding_chunks=1), pool("p", copies=2, share=101 - 1)]
    assert set(codes(6, pools=wish)) == {
        "pool_missing",
        "duplicate_pool",
        "one_copy",
        "two_copies",
        "chunks_too_wide",
        "chunks_weak",
        "rbd_data_pool",
    }


def test_services_that_are_off_need_no_pools() -> None:
    assert codes(9, pools=OPENSTACK, object_gateway=False, file_system=False) == []


def test_every_kind_is_raised() -> None:
    declared = {value.code for value in vars(module).values() if isinstance(value, Kind)}
    assert declared == {case.values[2] for case in CASES}
