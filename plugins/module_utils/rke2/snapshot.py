# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of etcd: whether a file is a whole one, asked of the file itself. Standard library only: hosts look at theirs.

A snapshot is a bolt database with the SHA-256 of its bytes behind it (go.etcd.io/etcd, etcdutl/snapshot/v3_snapshot.go). Bolt has two heads
with sums of their own, of which the newer counts, and trees of pages (go.etcd.io/bbolt, internal/common). The last key of the bucket `key`
is the newest revision.
"""

from __future__ import annotations

import hashlib
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from .errors import SnapshotRefused

MAGIC: Final = 0xED0CDAED
SUM: Final = 32
SECTOR: Final = 512
CHUNK: Final = 1 << 20
PAGE: Final = struct.Struct("<QHHI")
META: Final = struct.Struct("<IIIIQQQQQ")
LEAF, BRANCH, BUCKET = 0x02, 0x01, 0x01
ELEMENTS: Final = {LEAF: struct.Struct("<IIII"), BRANCH: struct.Struct("<IIQ")}
DEEPEST: Final = 64


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`sha256` is that of the whole file; `revision` the newest that it has."""

    bytes: int
    sha256: str
    revision: int


@dataclass(frozen=True, slots=True)
class _Head:
    page_size: int
    root: int
    pages: int
    transaction: int


def read_snapshot(path: Path) -> Snapshot:
    """What a whole snapshot tells; anything else is refused. One that RKE2 has packed (`etcd-snapshot-compress`) is looked into."""
    try:
        if zipfile.is_zipfile(path):
            return _packed(path)
        with path.open("rb") as file:
            return _plain(file, path.stat().st_size, str(path))
    except OSError as exc:
        raise SnapshotRefused(f"Cannot read the snapshot {path}: {exc.strerror or exc}") from None


def _packed(path: Path) -> Snapshot:
    try:
        with zipfile.ZipFile(path) as archive:
            (inside,) = archive.infolist()
            with archive.open(inside) as file:
                told = _plain(file, inside.file_size, str(path))  # type: ignore[arg-type]
    except (zipfile.BadZipFile, ValueError) as exc:
        raise SnapshotRefused(f"The snapshot {path} is packed and cannot be opened: {exc}") from None
    with path.open("rb") as file:
        return Snapshot(path.stat().st_size, _sum_of(file, path.stat().st_size)[0], told.revision)


def _plain(file: BinaryIO, size: int, where: str) -> Snapshot:
    if size % SECTOR != SUM:
        raise SnapshotRefused(f"The snapshot {where} is cut off, or is none: {size} bytes are no pages with a sum behind them")
    whole, content, kept = _sum_of(file, size)
    if content != kept:
        raise SnapshotRefused(f"The snapshot {where} is damaged: its bytes have another sum than the one behind them")
    head = _newest(_head(file, at) for at in _places(file))
    if head is None or head.pages * head.page_size > size - SUM:
        raise SnapshotRefused(f"The snapshot {where} is no database of etcd's")
    try:
        return Snapshot(size, whole, _revision(file, head))
    except (struct.error, ValueError, KeyError) as exc:
        raise SnapshotRefused(f"The snapshot {where} cannot be read: {exc}") from None


def _sum_of(file: BinaryIO, size: int) -> tuple[str, bytes, bytes]:
    """The sum of all bytes, that of those before the sum in the file, and that sum."""
    content, left = hashlib.sha256(), size - SUM
    while left > 0 and (part := file.read(min(CHUNK, left))):
        content.update(part)
        left -= len(part)
    kept, whole = file.read(SUM), content.copy()
    whole.update(kept)
    return whole.hexdigest(), content.digest(), kept


def _places(file: BinaryIO) -> list[int]:
    """Where the heads are: the first tells how large pages are; if it is damaged, they are as large as those of most systems."""
    first = _head(file, 0)
    return [0, first.page_size if first else 4096]


def _head(file: BinaryIO, at: int) -> _Head | None:
    file.seek(at + PAGE.size)
    raw = file.read(META.size + 8)
    if len(raw) < META.size + 8:
        return None
    magic, version, page_size, _, root, _, _, pages, transaction = META.unpack_from(raw)
    total = int.from_bytes(raw[META.size :], "little")
    return _Head(page_size, root, pages, transaction) if (magic, version) == (MAGIC, 2) and _fnv(raw[: META.size]) == total else None


def _newest(heads: object) -> _Head | None:
    there = [one for one in heads if one]  # type: ignore[attr-defined]
    return max(there, key=lambda one: one.transaction) if there else None


def _fnv(raw: bytes) -> int:
    """FNV-1a of 64 bits."""
    total = 0xCBF29CE484222325
    for byte in raw:
        total = (total ^ byte) * 0x100000001B3 % (1 << 64)
    return total


def _revision(file: BinaryIO, head: _Head) -> int:
    """Through the tree of buckets to `key`, and down its right edge."""
    buckets = {key: (value, flags) for key, value, flags in _leaves(file, head, head.root, 0)}
    value, flags = buckets[b"key"]
    if not flags & BUCKET:
        raise ValueError("`key` is no bucket")
    page = int.from_bytes(value[:8], "little")
    if page == 0:
        inline = _elements(value[16:])
        return _number(inline[-1][0]) if inline else 0
    for _ in range(DEEPEST):
        raw = _page(file, head, page)
        elements = _elements(raw)
        if not elements:
            return 0
        if PAGE.unpack_from(raw)[1] & LEAF:
            return _number(elements[-1][0])
        page = int.from_bytes(elements[-1][1], "little")
    raise ValueError("its tree has no end")


def _number(key: bytes) -> int:
    return int.from_bytes(key[:8], "big")


def _leaves(file: BinaryIO, head: _Head, page: int, depth: int) -> list[tuple[bytes, bytes, int]]:
    raw = _page(file, head, page)
    elements = _elements(raw)
    if PAGE.unpack_from(raw)[1] & LEAF:
        return elements
    if depth > DEEPEST:
        raise ValueError("its tree has no end")
    return [leaf for _, child, _ in elements for leaf in _leaves(file, head, int.from_bytes(child, "little"), depth + 1)]


def _page(file: BinaryIO, head: _Head, number: int) -> bytes:
    if number >= head.pages:
        raise ValueError(f"page {number} is not there")
    file.seek(number * head.page_size)
    raw = file.read(head.page_size)
    more = PAGE.unpack_from(raw)[3]
    return raw + file.read(more * head.page_size)


def _elements(raw: bytes) -> list[tuple[bytes, bytes, int]]:
    """Key, value and flags of each; the value of a branch is the number of the page below."""
    _, flags, count, _ = PAGE.unpack_from(raw)
    shape = ELEMENTS[flags & (LEAF | BRANCH)]
    found = []
    for number in range(count):
        at = PAGE.size + number * shape.size
        if flags & LEAF:
            told, start, keys, values = shape.unpack_from(raw, at)
            key = raw[at + start : at + start + keys]
            found.append((key, raw[at + start + keys : at + start + keys + values], told))
        else:
            start, keys, child = shape.unpack_from(raw, at)
            found.append((raw[at + start : at + start + keys], child.to_bytes(8, "little"), 0))
    return found
