# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A running database as a file, and a file as a running database. By ovsdb-client, which OVN's servers are made with: its backup is one
transaction, and so is its restore."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from .errors import BackupRefused
from .raft import DATABASES, parse_status
from .wire import control

CONTAINERS: Final = {"nb": "ovn_nb_db", "sb": "ovn_sb_db"}
# Of the time that a database may take for a question; a copy of a large one takes longer.
TIMES: Final = 10


def take(kind: str, engine: str, timeout: int) -> tuple[bytes, str]:
    """The copy, and the id of its cluster."""
    status = parse_status(control(_control(kind), "cluster/status", DATABASES[kind], timeout=timeout))
    return _client(kind, engine, timeout, "backup", None), status.cluster


def put(kind: str, path: Path, engine: str, timeout: int) -> None:
    """In one transaction, on all members. The client seeks in its input, so it must be a file."""
    _client(kind, engine, timeout, "restore", path)


def _client(kind: str, engine: str, timeout: int, what: str, source: Path | None) -> bytes:
    inside = [engine, "exec", *(["-i"] if source else []), CONTAINERS[kind]] if engine else []
    limit = timeout * TIMES
    command = [*inside, "ovsdb-client", f"--timeout={limit}", what, f"unix:/run/ovn/ovn{kind}_db.sock", DATABASES[kind]]
    try:
        with (source or Path("/dev/null")).open("rb") as given:
            done = subprocess.run(command, check=False, stdin=given, capture_output=True, timeout=limit + 10)  # noqa: S603 - a list, no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise BackupRefused(f"Cannot run ovsdb-client {what}: {exc}") from None
    if done.returncode:
        raise BackupRefused(
            f"ovsdb-client {what} of {DATABASES[kind]} ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()[-400:]}"
        )
    return done.stdout


def _control(kind: str) -> str:
    return f"/run/ovn/ovn{kind}_db.ctl"
