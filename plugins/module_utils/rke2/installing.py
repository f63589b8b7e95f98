# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts files of a release into their places on a host: archives where RKE2 takes them in, programs onto a prefix."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import Final

from .digests import Digests, digest_of
from .errors import ReleaseRefused
from .node import KEPT, read_program
from .unit import systemctl

USUAL, OTHER = Path("/usr/local"), Path("/opt/rke2")
UNITS: Final = Path("/etc/systemd/system")
PARTS: Final = frozenset({"bin", "lib", "share"})


def place(source: Path, dest: Path, digest: str) -> None:
    """In one step: RKE2 watches the folder, and would take in half a file."""
    _prove(source, digest)
    partial = dest.with_name(f".{dest.name}.partial")
    try:
        dest.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.copyfile(source, partial)
        partial.chmod(0o644)
        partial.replace(dest)
    except OSError as exc:
        partial.unlink(missing_ok=True)
        raise ReleaseRefused(f"Cannot write {dest}: {exc.strerror}", cure="Make room there, and run again") from None
    digests = Digests(KEPT)
    # What lies there now is read once more: it is what RKE2 will read.
    if (found := digests.of(dest)) != digest:
        dest.unlink()
        raise ReleaseRefused(
            f"{dest} was written wrongly: its sha256 is {found[:12]}, not {digest[:12]}", cure="Look at the disk of the host, and run again"
        )
    digests.save()


def install(source: Path, version: str, digest: str) -> None:
    """Unpack the programs as they are; where the prefix is another one, units say so, and stand where systemd looks for them."""
    _prove(source, digest)
    prefix = _prefix()
    try:
        with tarfile.open(source) as archive:
            for member in archive:
                _unpack(archive, member, prefix)
    except (OSError, tarfile.TarError) as exc:
        raise ReleaseRefused(f"Cannot unpack the programs of {version} to {prefix}: {exc}") from None
    systemctl("daemon-reload")
    found = read_program()
    if found["version"] != version:
        said = found["version"] or "nothing"
        raise ReleaseRefused(f"{prefix}/bin/rke2 says that it is {said}, and {version} was wanted", cure="Bring the files of that version")


def _prefix() -> Path:
    """As install.sh of the release has it; what is installed stays where it is."""
    if (OTHER / "bin/rke2").exists():
        return OTHER
    return OTHER if os.path.ismount(USUAL) or not os.access(USUAL, os.W_OK) else USUAL


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, prefix: Path) -> None:
    parts = PurePosixPath(member.name).parts
    parts = parts[1:] if parts[:1] == (".",) else parts
    if not member.isfile() or not parts or parts[0] not in PARTS or ".." in parts:
        return
    dest = prefix.joinpath(*parts)
    content = archive.extractfile(member)
    if content is None:
        return
    is_text = dest.suffix in (".service", ".sh")
    if dest.suffix == ".service" and prefix != USUAL:
        dest = UNITS / dest.name
    dest.parent.mkdir(parents=True, exist_ok=True)
    partial = dest.with_name(f".{dest.name}.partial")
    with partial.open("wb") as file:
        if is_text and prefix != USUAL:
            file.write(content.read().replace(str(USUAL).encode(), str(prefix).encode()))
        else:
            shutil.copyfileobj(content, file)
        os.fchmod(file.fileno(), member.mode & 0o755)
    partial.replace(dest)


def _prove(source: Path, digest: str) -> None:
    if (found := digest_of(source)) != digest:
        raise ReleaseRefused(f"{source.name} did not come whole: its sha256 is {found[:12]}, not {digest[:12]}", cure="Run again")
