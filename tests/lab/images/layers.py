# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Images as OCI describes them, without an engine: one large layer that all share, and a small one each."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path

from .cache import cache, scripts, users
from .catalogue import IMAGES, Recipe

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
CHUNK = 1 << 20


@dataclass(frozen=True)
class Blob:
    """A file by its digest; `plain` is that of a layer before it was packed."""

    path: Path
    digest: str
    size: int
    kind: str
    plain: str = ""

    @property
    def described(self) -> dict[str, object]:
        return {"mediaType": self.kind, "digest": self.digest, "size": self.size}


def shared_layer(tree: Path) -> Blob:
    """The tree, packed once."""
    packed, told = tree.with_suffix(".layer.gz"), tree.with_suffix(".layer.json")
    if not told.exists():
        plain = hashlib.sha256()
        with tree.open("rb") as source, gzip.GzipFile(packed, "wb", compresslevel=1, mtime=0) as target:
            while part := source.read(CHUNK):
                plain.update(part)
                target.write(part)
        told.write_text(json.dumps({"plain": f"sha256:{plain.hexdigest()}", "digest": _digest_of(packed)}))
    known = json.loads(told.read_text())
    return Blob(packed, known["digest"], packed.stat().st_size, LAYER, known["plain"])


def image(name: str, base: Blob) -> tuple[bytes, list[Blob]]:
    """The manifest of one image, and all that it is made of."""
    recipe = IMAGES[name]
    own = _own_layer(name, recipe)
    config = _kept(f"{name}.json", json.dumps(_config(name, recipe, [base, own]), sort_keys=True).encode(), CONFIG)
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config.described,
        "layers": [base.described, own.described],
    }
    return json.dumps(manifest, sort_keys=True).encode(), [base, own, config]


def _own_layer(name: str, recipe: Recipe) -> Blob:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for folder, owner in recipe.folders:
            info = tarfile.TarInfo(folder)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            info.uid, info.gid = users()[owner]
            tar.addfile(info)
        for file in recipe.files:
            content = file.content(scripts())
            info = tarfile.TarInfo(file.target)
            info.mode, info.size = file.mode, len(content)
            tar.addfile(info, io.BytesIO(content))
    made = _kept(f"{name}.layer.gz", gzip.compress(plain.getvalue(), mtime=0), LAYER)
    return Blob(made.path, made.digest, made.size, LAYER, f"sha256:{hashlib.sha256(plain.getvalue()).hexdigest()}")


def _config(name: str, recipe: Recipe, layers: list[Blob]) -> dict[str, object]:
    variables = {"PATH": recipe.path, "LANG": "en_US.UTF-8", "KOLLA_BASE_DISTRO": "debian", "KOLLA_BASE_ARCH": "x86_64", **recipe.variables}
    run = {
        "Env": [f"{key}={value}" for key, value in variables.items()],
        "Entrypoint": list(recipe.entry),
        "Cmd": ["kolla_start"],
        "User": recipe.user,
        "Labels": {"name": name, "maintainer": "tests/lab/images of frontier.vitro, not the Kolla project", "kolla_version": "22.2.0"},
    }
    root = {"type": "layers", "diff_ids": [layer.plain for layer in layers]}
    return {"architecture": "amd64", "os": "linux", "config": run, "rootfs": root}


def _kept(name: str, content: bytes, kind: str) -> Blob:
    folder = cache() / "blobs"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return Blob(folder / name, f"sha256:{hashlib.sha256(content).hexdigest()}", len(content), kind)


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
