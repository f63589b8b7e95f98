# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a server does when a whole cluster is restored. Each step can be done again: a restore that was cut off is run from its beginning.

Every server begins as an empty one, so that old hosts and new ones go the same way; what it had is moved aside, never deleted. Standard
library only.
"""

from __future__ import annotations

import contextlib
import os
import signal
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from . import layout
from .cluster import read_nodes
from .errors import RestoreFailed, Rke2Refused, Rke2Silent
from .nodes import forget_password, remove_node, stale
from .snapshot import read_snapshot
from .taking import ETC, PROGRAMS, SNAPSHOT, TOKEN, program, run, sum_of

JOIN: Final = ETC / "config.yaml.d/10-vitro-join.yaml"
BROUGHT: Final = "vitro-restore.tar"
# Static pods outlive the unit, and etcd among them would go on with its old members.
PLANE: Final = frozenset({"etcd", "kube-apiserver", "kube-controller", "kube-scheduler", "cloud-controlle"})
SECONDS: Final = 900
ENDING: Final = 30
# As long as the API takes to notice that a node is gone, and some more.
NOTICED: Final = 120
PAUSE: Final = 2.0


def brought(data: Path, total: str) -> tuple[Path, bool]:
    """Where the backup has to be, and whether it is there already."""
    path = data / BROUGHT
    data.mkdir(parents=True, exist_ok=True)
    return path, path.exists() and sum_of(path) == total


def set_aside(data: Path, *, check_mode: bool) -> list[str]:
    """Let a server begin anew: end what outlived its unit, and move away what it knows of its cluster."""
    folder = data / "server"
    if not check_mode:
        _end(_runs, "A restore that was cut off")
    if not (folder / "db").exists() and not (folder / "tls").exists():
        return []
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")  # noqa: UP017 - Python 3.10 knows no datetime.UTC
    kept = data / f"server-before-{stamp}"
    if not check_mode:
        _end(_plane, "The old control plane")
        folder.rename(kept)
    return [f"{folder} moved to {kept}"]


def reset(data: Path, total: str) -> None:
    """Make a cluster of one member of the snapshot that was brought. RKE2 does it in the foreground, and ends."""
    path, whole = brought(data, total)
    if not whole:
        raise RestoreFailed(f"The backup in {path} is not the one that was brought", cure="Run the restore again")
    snapshot = data / "vitro-restore-snapshot"
    try:
        snapshot = _unpacked(path, snapshot)
        read_snapshot(snapshot)
        # With an address to join in it, RKE2 refuses; without one it founds. The role writes the file again.
        JOIN.unlink(missing_ok=True)
        _show_token(data / "server/token")
        # Its own settings of S3 would let it look for the file there.
        run([program(), "server", "--cluster-reset", f"--cluster-reset-restore-path={snapshot}", "--etcd-s3=false"], SECONDS)
    finally:
        snapshot.unlink(missing_ok=True)
    path.unlink()


def _show_token(path: Path) -> None:
    """For a reset RKE2 wants to see a token here, or among its arguments; one that its configuration leads to does not count."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write((ETC / TOKEN).read_bytes())


def _unpacked(path: Path, target: Path) -> Path:
    """The snapshot of a backup; RKE2 knows by the name whether one is packed."""
    with tarfile.open(path) as tar:
        inside = tar.extractfile(SNAPSHOT)
        if inside is None:
            raise RestoreFailed(f"{path} has no snapshot")
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            while part := inside.read(1 << 20):
                file.write(part)
    return target.rename(f"{target}.zip") if zipfile.is_zipfile(target) else target


def forget_passwords(data: Path, nodes: list[str]) -> list[str]:
    """Every node brings its own password once more: those of hosts that were installed anew are others than the snapshot has."""
    api = layout.api(data)
    return [name for name in nodes if forget_password(api, name)]


def forget_stale(data: Path, nodes: list[str]) -> list[str]:
    """Take out nodes that the snapshot remembers, that nobody wants, and that do not answer. It takes a while until the API notices."""
    until = time.monotonic() + NOTICED
    while True:
        there = read_nodes(data)
        gone = stale([one.name for one in there], nodes, [one.name for one in there if one.ready])
        undecided = [one.name for one in there if one.name not in nodes and one.ready]
        if not undecided or time.monotonic() > until:
            break
        time.sleep(PAUSE)
    for name in gone:
        remove_node(data, name)
    return gone


def await_api(data: Path, patience: float) -> None:
    """Until this server's own API answers."""
    until = time.monotonic() + patience
    while True:
        try:
            read_nodes(data)
            return
        except (Rke2Silent, Rke2Refused) as exc:
            if time.monotonic() > until:
                raise RestoreFailed(f"The restored server does not answer after {patience:g} s: {exc.text}") from None
        time.sleep(PAUSE)


def _end(find: Callable[[], Iterator[int]], what: str) -> None:
    for pid in find():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + ENDING
    while left := [*find()]:
        if time.monotonic() > until:
            raise RestoreFailed(f"{what} does not end: {', '.join(map(str, left))}", cure="End these processes, and run again")
        time.sleep(PAUSE)


def _runs() -> Iterator[int]:
    """RKE2 itself, whose unit is stopped: a reset goes on when the run that began it is cut off."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str((folder / "exe").readlink()).removesuffix(" (deleted)") in PROGRAMS:
                yield int(folder.name)


def _plane() -> Iterator[int]:
    """Processes of the control plane that run as pods. Those of others, such as an etcd of Kolla, do not."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().strip() in PLANE and "kubepods" in (folder / "cgroup").read_text():
                yield int(folder.name)
        except OSError:
            continue
