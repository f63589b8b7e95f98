# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation with a running cluster.

The `ceph` program is one process and one connection for each question, and in a cephadm cluster a container on top. Here one container asks
all questions over one connection, by librados. What is secret goes by its standard input and comes in a file, never as an argument and
never printed: podman keeps what containers print in the journal.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ..errors import VitroError
from .inside import ask

# Starting the container, on a busy host.
START_SECONDS: Final = 120
LONGEST: Final = 400


class ClusterSilent(VitroError):
    code = "ceph_silent"
    cure = (
        "See that more than half of the monitors run and reach each other (systemctl list-units 'ceph-*@mon.*' on each of them), "
        "and that this host has /etc/ceph/ceph.conf and the key of client.admin"
    )


class CommandRefused(VitroError):
    code = "ceph_refused"


@dataclass(frozen=True, slots=True)
class Command:
    """One command as Ceph's own command table has it. `data` is what it reads; `manager` says that the manager answers it."""

    prefix: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    data: str = ""
    manager: bool = False
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    said: str


@dataclass(frozen=True, slots=True)
class Session:
    """`fsid` is the cluster's; a host may know several."""

    fsid: str
    cephadm: str = "cephadm"
    timeout: int = 60

    def ask(self, commands: Sequence[Command], patience: int = 900) -> list[Answer]:
        """The answers in order. All commands up to the first that is refused were carried out.

        A question has its answer at once; some changes are made while one waits, such as that of hosts to which the manager logs in.
        """
        if not commands:
            return []
        wanted = [
            {"command": {"prefix": one.prefix, **one.arguments}, "data": one.data, "manager": one.manager, "may_fail": one.may_fail}
            for one in commands
        ]
        said = self.run(ask, {"timeout": self.timeout, "patience": patience, "commands": wanted}, patience)
        if "lost" in said:
            raise ClusterSilent(f"No monitor of the cluster {self.fsid} answered within {self.timeout} s: {said['lost']}")
        answers = [Answer(code, out, words) for code, out, words in said["answers"]]
        last = answers[-1]
        if last.code and not commands[len(answers) - 1].may_fail:
            done = f" ({len(answers) - 1} of {len(commands)} were carried out before)" if len(answers) > 1 else ""
            raise CommandRefused(f"Ceph refused `{commands[len(answers) - 1].prefix}`{done}: {_words(last)}")
        return answers

    def read(self, **questions: Command) -> dict[str, Any]:
        """What the cluster says to each question, as values."""
        asked = [
            Command(one.prefix, {**one.arguments, "format": "json"}, one.data, manager=one.manager, may_fail=one.may_fail)
            for one in questions.values()
        ]
        answers = self.ask(asked, self.timeout)
        return {name: _value(one) for name, one in zip(questions, answers, strict=True)}

    def read_if_there(self, questions: Mapping[str, Command], empty: Mapping[str, Any], *, check_mode: bool) -> dict[str, Any]:
        """In check mode before the first run there is no cluster to ask yet, and everything would be made."""
        if check_mode and not (Path("/var/lib/ceph") / self.fsid).is_dir():
            return dict(empty)
        return self.read(**questions)

    def run(self, script: ModuleType, given: Mapping[str, Any], patience: int = 900) -> dict[str, Any]:
        """What a file of `inside` says when it runs in Ceph's image."""
        limit = self.timeout + patience + START_SECONDS
        with tempfile.TemporaryDirectory(prefix="vitro-", dir="/run" if os.access("/run", os.W_OK) else None) as folder:
            command = [
                self.cephadm,
                "shell",
                "--fsid",
                self.fsid,
                "--mount",
                f"{folder}:/answer",
                "--",
                "python3",
                "-c",
                inspect.getsource(script),
            ]
            try:
                done = subprocess.run(  # noqa: S603 - a list, and no shell
                    command, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=limit
                )
            except subprocess.TimeoutExpired:
                raise ClusterSilent(f"`cephadm shell` gave nothing within {limit} s") from None
            except OSError as exc:
                raise ClusterSilent(f"Cannot run {self.cephadm}: {exc.strerror}") from None
            # An answer is whole or not there; what happens to the program after that does not matter.
            answer = Path(folder) / "answer"
            if not answer.is_file():
                raise ClusterSilent(f"`cephadm shell` ended with {done.returncode}: {_end(done.stderr or done.stdout)}")
            said: dict[str, Any] = json.loads(answer.read_text())
        return said


def _value(answer: Answer) -> Any:
    """Some commands have a sentence in the place of an empty list, whatever the format: `orch osd rm status` does."""
    if answer.code or answer.out.lstrip()[:1].isalpha():
        return None
    return json.loads(answer.out) if answer.out.strip() else None


def _words(answer: Answer) -> str:
    return (answer.said or answer.out).strip()[:LONGEST] or os.strerror(abs(answer.code))


def _end(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return " / ".join(lines[-3:])[-LONGEST:] or "it said nothing"
