# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders as a release of RKE2 has them: the program, its tarball, image archives, their lists and the sums."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path

from .archive import Image, write_archive
from .compile import HERE, compile_pause, compile_program, compile_runtime, prepare, say

VERSIONS = ("v1.34.1+rke2r1", "v1.34.2+rke2r1")
VERSION = re.compile(r"v1\.\d+\.\d+\+rke2r\d+")
LICENSE = "A stand-in for tests, not RKE2. Built from libraries under Apache-2.0.\n"


def build(versions: Sequence[str] = VERSIONS) -> Path:
    """The folder with a folder for each version; made once for what it is made of."""
    if wrong := [one for one in versions if not VERSION.fullmatch(one)]:
        raise SystemExit(f"{wrong[0]} is no version of RKE2, such as {VERSIONS[0]}")
    cache = Path(os.environ.get("VITRO_CACHE") or Path.home() / ".cache/vitro") / "rke2"
    folder = cache / inputs(versions)
    made = folder / "releases"
    if made.exists():
        return made
    source, making = folder / "source", folder / "releases.new"
    shutil.rmtree(making, ignore_errors=True)
    prepare(source)
    runtime, pause = folder / "runtime", folder / "pause"
    for version in versions:
        compile_program(source, version, folder / f"rke2-{version}")
    compile_runtime(source, versions[0], runtime / "bin")
    shutil.copytree(HERE / "standin/charts", runtime / "charts", dirs_exist_ok=True)
    compile_pause(pause / "pause")
    for version in versions:
        say(f"{version}: the release")
        write_release(making / version, version, folder / f"rke2-{version}", runtime, pause)
    making.rename(made)
    return made


def inputs(versions: Sequence[str]) -> str:
    """A number for all that a release is made of."""
    total = hashlib.sha256("\n".join(versions).encode())
    for path in sorted(one for one in HERE.rglob("*") if one.is_file() and one.suffix not in (".md", ".pyc")):
        total.update(str(path.relative_to(HERE)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:12]


def write_release(folder: Path, version: str, program: Path, runtime: Path, pause: Path) -> None:
    folder.mkdir(parents=True)
    shutil.copy(program, folder / "rke2.linux-amd64")
    (folder / "rke2.linux-amd64.tar.gz").write_bytes(tarball(program))
    core = [Image(f"rancher/rke2-runtime:{version.replace('+', '-')}", runtime), Image("rancher/mirrored-pause:lab", pause, "/pause")]
    canal = [Image("rancher/hardened-flannel:lab", pause, "/pause")]
    for name, images in {"rke2-images-core": core, "rke2-images-canal": canal, "rke2-images": [*core, *canal]}.items():
        plain = folder / "archive.tar"
        write_archive(plain, images)
        subprocess.run(["zstd", "-q", "-T0", "-3", "--rm", str(plain), "-o", str(folder / f"{name}.linux-amd64.tar.zst")], check=True)
        (folder / f"{name}.linux-amd64.txt").write_text("".join(f"{one.name}\n" for one in images))
    files = sorted(folder.iterdir())
    sums = [f"{hashlib.file_digest(path.open('rb'), 'sha256').hexdigest()}  {path.name}\n" for path in files]
    (folder / "sha256sum-amd64.txt").write_text("".join(sums))


def tarball(program: Path) -> bytes:
    """What is unpacked onto a prefix: programs, units, and the settings of the kernel that the CIS profile wants."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path in sorted(one for one in (HERE / "bundle").rglob("*") if one.is_file()):
            name = str(path.relative_to(HERE / "bundle"))
            _add(tar, name, path.read_bytes(), 0o755 if name.startswith("bin/") else 0o644)
        _add(tar, "bin/rke2", program.read_bytes(), 0o755)
        _add(tar, "share/rke2/LICENSE.txt", LICENSE.encode(), 0o644)
    return gzip.compress(plain.getvalue(), 1, mtime=0)


def _add(tar: tarfile.TarFile, name: str, content: bytes, mode: int) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), mode
    tar.addfile(info, io.BytesIO(content))
