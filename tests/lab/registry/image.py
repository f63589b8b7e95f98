# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A tiny image: one layer with one file, as OCI describes it. The same name always gives the same digest."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from dataclasses import dataclass

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


@dataclass(frozen=True)
class Image:
    manifest: bytes
    blobs: dict[str, bytes]


def tiny_image(name: str) -> Image:
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        info = tarfile.TarInfo("name")
        info.size = len(name)
        tar.addfile(info, io.BytesIO(name.encode()))
    packed = gzip.compress(layer.getvalue(), mtime=0)
    root = {"type": "layers", "diff_ids": [digest(layer.getvalue())]}
    config = json.dumps({"architecture": "amd64", "os": "linux", "config": {}, "rootfs": root}).encode()
    described = [_descriptor(config, "config.v1+json"), _descriptor(packed, "layer.v1.tar+gzip")]
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": described[0], "layers": described[1:]}
    return Image(json.dumps(manifest).encode(), {digest(blob): blob for blob in (config, packed)})


def digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _descriptor(data: bytes, kind: str) -> dict[str, object]:
    return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest(data), "size": len(data)}
