# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import struct
import zipfile

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import SnapshotRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.snapshot import MAGIC, META, _fnv, read_snapshot

PAGE = 4096


def page(number, flags, elements):
    """A page of bolt: heads of elements, then their keys and values."""
    shape = "<IIII" if flags == 2 else "<IIQ"
    heads, body = b"", b""
    size = struct.calcsize(shape)
    for at, (kind, key, value) in enumerate(elements):
        start = (len(elements) - at) * size + len(body)
        heads += struct.pack(shape, kind, start, len(key), len(value)) if flags == 2 else struct.pack(shape, start, len(key), value)
        body += key + (value if flags == 2 else b"")
    return (struct.pack("<QHHI", number, flags, len(elements), 0) + heads + body).ljust(PAGE, b"\0")


def meta(number, transaction, pages, root=3):
    content = META.pack(MAGIC, 2, PAGE, 0, root, 0, 2, pages, transaction)
    return (struct.pack("<QHHI", number, 4, 0, 0) + content + _fnv(content).to_bytes(8, "little")).ljust(PAGE, b"\0")


def revision(number):
    return struct.pack(">Q", number) + b"_" + struct.pack(">Q", 0)


def database():
    """Heads, a free list, the bucket of buckets, and `key` as a tree of two leaves."""
    bucket = struct.pack("<QQ", 4, 0)
    return b"".join([
        meta(0, 8, 7), meta(1, 9, 7), page(2, 16, []),
        page(3, 2, [(1, b"key", bucket), (1, b"meta", struct.pack("<QQ", 5, 0))]),
        page(4, 1, [(0, revision(2), 5), (0, revision(40), 6)]),
        page(5, 2, [(0, revision(2), b"a"), (0, revision(39), b"b")]),
        page(6, 2, [(0, revision(40), b"c"), (0, revision(41), b"d")]),
    ])  # fmt: skip


def snapshot(content):
    return content + hashlib.sha256(content).digest()


def written(path, content):
    path.write_bytes(content)
    return path


def test_a_whole_one_tells_its_newest_revision(tmp_path):
    whole = snapshot(database())
    told = read_snapshot(written(tmp_path / "s", whole))
    assert (told.bytes, told.revision, told.sha256) == (len(whole), 41, hashlib.sha256(whole).hexdigest())


def test_one_that_is_packed_is_looked_into(tmp_path):
    with zipfile.ZipFile(tmp_path / "s.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("s", snapshot(database()))
    told = read_snapshot(tmp_path / "s.zip")
    assert (told.revision, told.bytes) == (41, (tmp_path / "s.zip").stat().st_size)


def test_the_second_head_counts_where_the_first_is_damaged(tmp_path):
    content = bytearray(database())
    content[30] ^= 1
    assert read_snapshot(written(tmp_path / "s", snapshot(bytes(content)))).revision == 41


def packed(content):
    return b"PK\3\4" + content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is cut off, or is none: 0 bytes"),
        (snapshot(database())[:-100], "is cut off"),
        (snapshot(database())[:-512], "is damaged: its bytes have another sum"),
        (snapshot(database()).replace(b"key", b"kez"), "is damaged"),
        (snapshot(bytes(7 * PAGE)), "is no database of etcd's"),
        (snapshot(database().replace(b"key", b"kez")), "cannot be read: b'key'"),
        (snapshot(meta(0, 8, 7) + meta(1, 9, 7)), "is no database of etcd's"),
        (snapshot(meta(0, 8, 7, 9) + meta(1, 9, 7, 9) + bytes(5 * PAGE)), "page 9 is not there"),
    ],
    ids=["empty", "cut", "cut at a sector", "altered", "zeros", "without keys", "without pages", "no such page"],
)
def test_anything_else_is_refused(tmp_path, content, words):
    with pytest.raises(SnapshotRefused, match="Take another one") as caught:
        read_snapshot(written(tmp_path / "s", content))
    assert words in caught.value.text


def test_one_that_is_not_there(tmp_path):
    with pytest.raises(SnapshotRefused, match=r"Cannot read the snapshot .*No such file"):
        read_snapshot(tmp_path / "s")
