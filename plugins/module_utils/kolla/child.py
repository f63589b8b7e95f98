# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs kolla-ansible, watches it, and keeps its log without secrets."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ..errors import VitroError
from .command import Call, Outcome, environment
from .package import Package
from .secrets import Redactor, private_folder

GRACE_SECONDS = 30


class LogUnwritable(VitroError):
    code = "kolla_log"
    cure = "Make room or correct the rights there; nothing was started"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run has besides its call: where callbacks are, how many hosts at once, and the vault passwords by their ids."""

    callbacks: Path
    forks: int
    vault_passwords: Sequence[tuple[str, bytes]] = ()


def run(
    call: Call, package: Package, around: Surroundings, redact: Redactor, log: Path, report: Callable[[str], None]
) -> tuple[int, Outcome]:
    """Run to the end; the status, and what happened. Each line is redacted before it is written or shown."""
    outcome = Outcome(redact)
    with private_folder() as folder, _log(log) as kept:
        events = folder / "events"
        events.touch()
        passwords = list(_passwords(folder, around.vault_passwords))
        variables = environment(package, around.callbacks, events, os.environ) | {"ANSIBLE_FORKS": str(around.forks)}
        with _started(call.arguments_for(package, passwords), call.config, variables) as child, events.open(encoding="utf-8") as told:
            for line in child.stdout or ():
                kept.write(redact(line))
                kept.flush()
                _hear(told, outcome, report)
            status = child.wait()
            _hear(told, outcome, report)
    return status, outcome


def _hear(told: TextIO, outcome: Outcome, report: Callable[[str], None]) -> None:
    for line in told:
        said = outcome.add(line)
        if said:
            report(said)


@contextlib.contextmanager
def _started(arguments: list[str], folder: Path, variables: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """The child, which does not outlive us: an orphan would go on to change hosts that nobody watches."""
    child = subprocess.Popen(  # noqa: S603 - a list, and no shell
        arguments,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        bufsize=1,
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
        if child.stdout:
            child.stdout.close()


def _passwords(folder: Path, secrets: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, Path]]:
    for number, (vault_id, secret) in enumerate(secrets):
        path = folder / f"vault-{number}"
        path.touch(mode=0o600)
        path.write_bytes(secret)
        yield vault_id, path


@contextlib.contextmanager
def _log(path: Path) -> Iterator[TextIO]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w", encoding="utf-8")
    except OSError as exc:
        raise LogUnwritable(f"Cannot write the log {path}: {exc.strerror}") from exc
    with file:
        path.chmod(0o600)
        yield file
