# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files by which Kolla's services find Ceph, laid where each of them looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from .tree import File, Tree

CONF: Final = "ceph.conf"
# Which files of the hand-over go where below config/; a service reads nothing of the others'.
PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    CONF: ("glance", "cinder", "nova"),
    "ceph.client.glance.keyring": ("glance",),
    "ceph.client.cinder.keyring": ("cinder/cinder-volume", "cinder/cinder-backup", "nova"),
    "ceph.client.cinder-backup.keyring": ("cinder/cinder-backup",),
}


def ceph_files(handed: Tree) -> dict[str, File]:
    """What Ceph handed over, by path. An empty file counts as none: Kolla would take it without a word."""
    return {f"config/{place}/{name}": _as_kolla_reads(name, handed[name]) for name in there(handed) for place in PLACES[name]}


def there(handed: Tree) -> Iterator[str]:
    yield from (name for name in PLACES if name in handed and handed[name].text.strip())


def _as_kolla_reads(name: str, file: File) -> File:
    """cephadm indents ceph.conf, which Kolla's parser takes for continued lines."""
    if name == CONF:
        return File("".join(f"{line.strip()}\n" for line in file.text.splitlines()))
    return File(file.text, secret=True)
