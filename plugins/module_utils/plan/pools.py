# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pools of Ceph: those that the services need, or the operator's, and whether the site can hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .intent import Intent
from .objections import Found, Kind
from .types import Pool
from .wishes import CephWish, PoolWish

TOO_MANY_COPIES = Kind(
    code="too_many_copies",
    title="More copies than failure domains",
    rank=10,
    why="Each copy goes to another failure domain; with too few of them every placement group stays undersized for ever.",
    cure="Add storage servers (or racks), or ask for fewer copies",
    follows=("too_few_servers", "too_few_storage"),
)
ONE_COPY = Kind(
    code="one_copy",
    title="Data is kept once",
    rank=10,
    why="One dead disk loses data, and no repair brings it back.",
    cure="Ask for three copies",
)
TWO_COPIES = Kind(
    code="two_copies",
    title="Data is kept twice",
    severity="warning",
    rank=30,
    why="While one copy is being made again, a second dead disk loses data; and two copies that differ cannot tell which is right.",
    cure="Ask for three copies",
)
CHUNKS_TOO_WIDE = Kind(
    code="chunks_too_wide",
    title="An erasure code has more chunks than failure domains",
    rank=10,
    why="Each chunk goes to another failure domain; with too few of them the pool never becomes active.",
    cure="Choose a code with fewer data and coding chunks, or add failure domains",
    follows=("too_few_servers", "too_few_storage"),
)
CHUNKS_NO_SPARE = Kind(
    code="chunks_no_spare",
    title="An erasure code fills all failure domains",
    severity="warning",
    rank=50,
    why="After the loss of one failure domain its chunks have no place to be made again; the pool stays degraded until it is back.",
    cure="Choose a code with one chunk less, or add a failure domain",
)
CHUNKS_WEAK = Kind(
    code="chunks_weak",
    title="An erasure code survives one loss only",
    severity="warning",
    rank=50,
    why="While one chunk is being made again, a second dead disk loses data.",
    cure="Ask for at least two coding chunks",
)
POOL_FORM = Kind(
    code="pool_form",
    title="A pool has no clear form",
    rank=40,
    why="A pool is either copied or erasure-coded.",
    cure="Give `copies`, or `data_chunks` together with `coding_chunks`",
)
DUPLICATE_POOL = Kind(
    code="duplicate_pool",
    title="Two pools have one name",
    rank=40,
    why="Ceph knows pools by their names; the second would overwrite the settings of the first.",
    cure="Rename one of them, or take it out",
)
SHARES_TOO_LARGE = Kind(
    code="pool_shares",
    title="The shares of the pools are more than all",
    rank=50,
    why="The shares say how the capacity is divided; more than 100 % cannot be promised.",
    cure="Lower them until they add up to at most 100",
)
POOL_NEEDS_COPIES = Kind(
    code="pool_needs_copies",
    title="A pool that cannot be erasure-coded",
    rank=40,
    why="Erasure-coded pools hold no keys (omap), and images, indexes and the metadata of file systems are made of them.",
    cure="Give the pool `copies`",
)
RBD_DATA_POOL = Kind(
    code="rbd_data_pool",
    title="An erasure-coded pool for block devices",
    severity="warning",
    rank=70,
    why="It can hold only the data of block devices; their headers need a replicated pool beside it.",
    cure="Use it as the data pool of a replicated one",
)
POOL_MISSING = Kind(
    code="pool_missing",
    title="A pool that a service needs is missing",
    rank=40,
    why="The service does not start, or fails at the first request.",
    cure="Add it to ceph.pools, or leave ceph.pools out to get all that is needed",
)
# Kolla's names (ceph_glance_pool_name, ceph_cinder_pool_name, ceph_nova_pool_name, ceph_cinder_backup_pool_name), and how much is for each
# in percent; `volumes` gets what is left.
OPENSTACK = {"images": 10, "volumes": 0, "vms": 20, "backups": 10}
OBJECT_GATEWAY = {
    ".rgw.root": 0,
    "default.rgw.log": 0,
    "default.rgw.control": 0,
    "default.rgw.meta": 0,
    "default.rgw.buckets.index": 1,
    "default.rgw.buckets.data": 10,
}
FILE_SYSTEM = {"cephfs_metadata": 1, "cephfs_data": 8}


def plan_pools(intent: Intent, domains: int) -> tuple[tuple[Pool, ...], list[Found]]:
    """The pools, and what speaks against them on a site with so many failure domains."""
    wish = intent.ceph
    if wish.pools is None:
        return default_pools(wish), list(_copies("ceph.copies", "ceph.copies", wish.copies, domains))
    found = list(_list_checks(wish))
    for number, one in enumerate(wish.pools):
        found += _pool_checks(one, f"ceph.pools.{number}", domains)
    return tuple(_pool(one, wish.copies) for one in wish.pools), found


def default_pools(wish: CephWish) -> tuple[Pool, ...]:
    """What OpenStack, the object gateway and the file system need."""
    groups: list[tuple[str, dict[str, int]]] = [("rbd", dict(OPENSTACK))]
    groups += [("rgw", OBJECT_GATEWAY)] if wish.object_gateway else []
    groups += [("cephfs", FILE_SYSTEM)] if wish.file_system else []
    groups[0][1]["volumes"] = 100 - sum(sum(names.values()) for _, names in groups)
    return tuple(
        Pool(name=name, application=application, copies=wish.copies, minimum=minimum_of(wish.copies), share=share)  # type: ignore[arg-type]
        for application, names in groups
        for name, share in names.items()
    )


def minimum_of(copies: int) -> int:
    """Ceph's own rule (osd_pool_default_min_size 0): as many copies as must be there before a write is taken."""
    return copies - copies // 2


def _pool(wish: PoolWish, copies: int) -> Pool:
    data, coding = wish.data_chunks, wish.coding_chunks
    if wish.copies is None and data and coding:
        # Ceph's default: one chunk more than the data needs, where the code has one to spare.
        minimum = data + min(1, coding - 1)
        return Pool(name=wish.name, application=wish.application, minimum=minimum, data_chunks=data, coding_chunks=coding, share=wish.share)
    copies = wish.copies or copies
    return Pool(name=wish.name, application=wish.application, copies=copies, minimum=minimum_of(copies), share=wish.share)


def _list_checks(wish: CephWish) -> Iterator[Found]:
    pools = wish.pools or ()
    for name, count in sorted(Counter(one.name for one in pools).items()):
        if count > 1:
            yield DUPLICATE_POOL.of(name, f"{count} pools are called `{name}`", path="ceph.pools")
    total = sum(one.share for one in pools)
    if total > 100:
        yield SHARES_TOO_LARGE.of("ceph.pools", f"the shares add up to {total} %, at most 100 are allowed", path="ceph.pools")
    yield from _missing(wish, pools)


def _missing(wish: CephWish, pools: Sequence[PoolWish]) -> Iterator[Found]:
    there = {one.name for one in pools if one.application == "rbd"}
    for name in OPENSTACK:
        if name not in there:
            yield POOL_MISSING.of(name, f"OpenStack needs the pool `{name}` with application `rbd`", path="ceph.pools")
    kinds = Counter(one.application for one in pools)
    if wish.object_gateway and not kinds["rgw"]:
        yield POOL_MISSING.of("rgw", "ceph.object_gateway is on, and no pool has the application `rgw`", path="ceph.pools")
    if wish.file_system and kinds["cephfs"] < 2:
        text = f"ceph.file_system is on and needs a pool for metadata and one for data; {kinds['cephfs']} have the application `cephfs`"
        yield POOL_MISSING.of("cephfs", text, path="ceph.pools")


def _pool_checks(wish: PoolWish, path: str, domains: int) -> Iterator[Found]:
    data, coding = wish.data_chunks, wish.coding_chunks
    coded = data is not None and coding is not None
    if (wish.copies is None) != coded or (data is None) != (coding is None):
        given = [f"{key} {value}" for key, value in (("copies", wish.copies), ("data_chunks", data), ("coding_chunks", coding)) if value]
        yield POOL_FORM.of(wish.name, f"`{wish.name}` has {' and '.join(given) or 'neither copies nor chunks'}", path=path)
    elif wish.copies is not None:
        yield from _copies(wish.name, f"{path}.copies", wish.copies, domains)
    elif data and coding:
        yield from _chunks(wish, path, data, coding, domains)


def _copies(subject: str, path: str, copies: int, domains: int) -> Iterator[Found]:
    if copies > domains:
        yield TOO_MANY_COPIES.of(subject, f"{copies} copies, and {domains} failure domains have OSDs", path=path)
    if copies == 1:
        yield ONE_COPY.of(subject, "1 copy is asked for, at least 2 are allowed and 3 are recommended", path=path)
    if copies == 2:
        yield TWO_COPIES.of(subject, "2 copies are asked for, 3 are recommended", path=path)


def _chunks(wish: PoolWish, path: str, data: int, coding: int, domains: int) -> Iterator[Found]:
    code = f"`{wish.name}` has {data} + {coding} chunks"
    if data + coding > domains:
        yield CHUNKS_TOO_WIDE.of(wish.name, f"{code}, and {domains} failure domains have OSDs", path=path)
    if data + coding == domains:
        yield CHUNKS_NO_SPARE.of(wish.name, f"{code}, and there are just {domains} failure domains", path=path)
    if coding < 2:
        yield CHUNKS_WEAK.of(wish.name, f"{code}", path=f"{path}.coding_chunks")
    keys = wish.application == "cephfs" and "meta" in wish.name
    keys = keys or (wish.application == "rgw" and not wish.name.endswith("data"))
    if keys or wish.name in OPENSTACK:
        yield POOL_NEEDS_COPIES.of(wish.name, f"{code}, and its application `{wish.application}` writes keys to it", path=path)
    elif wish.application == "rbd":
        yield RBD_DATA_POOL.of(wish.name, code, path=path)
