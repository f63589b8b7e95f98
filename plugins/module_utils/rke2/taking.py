# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a server gives to a backup: a snapshot that was looked into, its tokens and its configuration, in one file that only root can read.

Tokens come first, so that whoever opens the file need not read a whole snapshot to find them. Standard library only.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .errors import Rke2Refused, SnapshotRefused
from .snapshot import Snapshot, read_snapshot

NAME: Final = "vitro"
ETC: Final = Path("/etc/rancher/rke2")
SNAPSHOT: Final = "snapshot"
TOKEN: Final = "token"  # noqa: S105 - a name
AGENT_TOKEN: Final = "agent-token"  # noqa: S105 - a name
PLAN: Final = "plan.json"
SECONDS: Final = 900


PROGRAMS: Final = ("/usr/local/bin/rke2", "/opt/rke2/bin/rke2", "/usr/bin/rke2")


@dataclass(frozen=True, slots=True)
class Taken:
    path: Path
    bytes: int
    sha256: str
    snapshot: Snapshot


def program() -> str:
    """Where the program is: on its own prefix, on that of a host whose /usr/local is read-only, or from a package."""
    for one in PROGRAMS:
        if os.access(one, os.X_OK):
            return one
    raise Rke2Refused(f"There is no program rke2 on this host; looked for {', '.join(PROGRAMS)}", cure="Bring it with frontier.vitro.rke2")


def take(data: Path, plan: str) -> Taken:
    """Make a snapshot, look into it, and put all that belongs to it into one file. Earlier ones of ours are removed."""
    folder = data / "server/db/snapshots"
    sweep(data)
    # The program reads the token itself, and those of S3 come from RKE2's own configuration: none is in its arguments.
    run([program(), "etcd-snapshot", "save", "--name", NAME])
    made = sorted(folder.glob(f"{NAME}-*"), key=lambda one: one.stat().st_mtime)
    if not made:
        raise SnapshotRefused(f"RKE2 says that it made a snapshot, and there is none of the name {NAME} in {folder}")
    told = read_snapshot(made[-1])
    path = _target(data)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            for name, content in _small(data, plan):
                info = tarfile.TarInfo(name)
                info.size, info.mode = len(content), 0o600
                tar.addfile(info, io.BytesIO(content))
            tar.add(made[-1], SNAPSHOT)
        file.flush()
        os.fsync(file.fileno())
    return Taken(path, path.stat().st_size, sum_of(path), told)


def sweep(data: Path) -> None:
    """What is on the controller by now need not be here: RKE2 never removes a snapshot that was asked for."""
    _target(data).unlink(missing_ok=True)
    there = [one.name for one in (data / "server/db/snapshots").glob(f"{NAME}-*")]
    if there:
        run([program(), "etcd-snapshot", "delete", *there])


def _small(data: Path, plan: str) -> Iterator[tuple[str, bytes]]:
    """Everything but the snapshot, by its name in the file."""
    token = (ETC / TOKEN) if (ETC / TOKEN).exists() else data / "server/token"
    yield TOKEN, token.read_bytes()
    agent = (ETC / AGENT_TOKEN) if (ETC / AGENT_TOKEN).exists() else data / "server/agent-token"
    if agent.exists():
        yield AGENT_TOKEN, agent.read_bytes()
    if plan:
        yield PLAN, plan.encode()
    for path in sorted([*ETC.glob("*.yaml"), *ETC.glob("config.yaml.d/*.y*ml")]):
        if path.name != "rke2.yaml":
            yield f"etc/{path.relative_to(ETC)}", path.read_bytes()


def _target(data: Path) -> Path:
    return data / "server/vitro-backup.tar"


def sum_of(path: Path) -> str:
    # Python 3.10, which some hosts have, knows no hashlib.file_digest.
    total = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            total.update(part)
    return total.hexdigest()


def run(command: list[str], seconds: float = SECONDS) -> str:
    """What a program of RKE2's said. Its files are made for their owner, and readable where etcd's user has to read them."""
    try:
        done = subprocess.run(  # noqa: S603 - RKE2 itself
            command, check=False, capture_output=True, text=True, timeout=seconds, umask=0o022
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise Rke2Refused(f"{' '.join(command[:3])} did not end well: {exc}") from None
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if "level=warning" not in line]
        raise Rke2Refused(f"{' '.join(command[:3])} ended with {done.returncode}: {' '.join(said[-3:])[-600:]}")
    return done.stdout
