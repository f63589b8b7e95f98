# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The image into a registry, by the registry's own API: one layer, packed once."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

from tests.lab.registry import LabRegistry
from tests.lab.registry.image import MANIFEST, digest

from .image import config, tree

CHUNK = 1 << 20


@dataclass(frozen=True)
class Layer:
    """`plain` is the digest of the tar before it was packed."""

    path: Path
    digest: str
    plain: str


def layer() -> Layer:
    made = tree()
    packed, told = made.with_suffix(".layer.gz"), made.with_suffix(".layer.json")
    if not told.exists():
        plain = hashlib.sha256()
        with made.open("rb") as source, gzip.GzipFile(packed, "wb", compresslevel=1, mtime=0) as target:
            while part := source.read(CHUNK):
                plain.update(part)
                target.write(part)
        with packed.open("rb") as file:
            own = hashlib.file_digest(file, "sha256").hexdigest()
        told.write_text(json.dumps({"digest": f"sha256:{own}", "plain": f"sha256:{plain.hexdigest()}"}))
    return Layer(path=packed, **json.loads(told.read_text()))


def push(registry: LabRegistry, image: str) -> None:
    """Under `repository:tag`."""
    repository, _, tag = image.rpartition(":")
    one = layer()
    described = config(one.plain, image)
    with one.path.open("rb") as file:
        registry.put_blob(repository, one.digest, file, one.path.stat().st_size)
    registry.put_blob(repository, digest(described), io.BytesIO(described), len(described))
    kind = "application/vnd.oci.image"
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": {"mediaType": f"{kind}.config.v1+json", "digest": digest(described), "size": len(described)},
        "layers": [{"mediaType": f"{kind}.layer.v1.tar+gzip", "digest": one.digest, "size": one.path.stat().st_size}],
    }
    registry.put_manifest(repository, tag, json.dumps(manifest, sort_keys=True).encode())
