# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Image archives as `docker save` writes them, made without any engine. The same trees give the same bytes."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Image:
    """One layer: a tree."""

    name: str
    tree: Path
    command: str = ""


def write_archive(path: Path, images: Sequence[Image]) -> None:
    """manifest.json comes first, so that a reader after one image need not scan the whole file."""
    blobs: dict[str, bytes] = {}
    manifest = []
    for image in images:
        layer = _layer(image.tree)
        digest = hashlib.sha256(layer).hexdigest()
        config = json.dumps(_config(image, digest), sort_keys=True).encode()
        name = f"{hashlib.sha256(config).hexdigest()}.json"
        blobs |= {name: config, f"{digest}/layer.tar": layer}
        manifest.append({"Config": name, "RepoTags": [image.name], "Layers": [f"{digest}/layer.tar"]})
    with tarfile.open(path, "w") as tar:
        for name, content in {"manifest.json": json.dumps(manifest).encode(), **blobs}.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


def _layer(tree: Path) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path in sorted(tree.rglob("*")):
            tar.add(path, str(path.relative_to(tree)), recursive=False, filter=_clean)
    return plain.getvalue()


def _clean(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    return info


def _config(image: Image, digest: str) -> dict[str, object]:
    return {
        "architecture": "amd64",
        "os": "linux",
        "created": "1970-01-01T00:00:00Z",
        "config": {"Entrypoint": [image.command]} if image.command else {},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "history": [{"created": "1970-01-01T00:00:00Z", "created_by": "lab"}],
    }
