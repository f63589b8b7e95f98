# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of kolla-ansible: how it is called, and what its events say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import VitroError, numbered
from .package import Package
from .secrets import Redactor

EVENTS = "VITRO_KOLLA_EVENTS"
MOST_REASONS = 20


class CommandFailed(VitroError):
    code = "kolla_failed"


@dataclass(frozen=True, slots=True)
class Call:
    """A command of kolla-ansible with what narrows it."""

    command: str
    config: Path
    limit: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    skip_tags: tuple[str, ...] = ()
    variables: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()

    def arguments_for(self, package: Package, vault_passwords: Iterable[tuple[str, Path]]) -> list[str]:
        """The command line. Variables go as one JSON object, so that types stay and a value cannot become an option."""
        line = [
            str(package.venv / "bin/kolla-ansible"),
            self.command,
            "--configdir",
            str(self.config),
            "-i",
            str(self.config / "inventory"),
        ]
        for vault_id, path in vault_passwords:
            line += ["--vault-id", f"{vault_id}@{path}"]
        for option, values in (("--limit", self.limit), ("--tags", self.tags), ("--skip-tags", self.skip_tags)):
            line += [option, ",".join(values)] if values else []
        line += ["--extra-vars", json.dumps(self.variables, sort_keys=True)] if self.variables else []
        return [*line, *self.arguments]


def environment(package: Package, callbacks: Path, events: Path, inherited: Mapping[str, str]) -> dict[str, str]:
    """The environment of the child: its own programs first, our events on, and nothing of the Ansible that calls it."""
    kept = {key: value for key, value in inherited.items() if not key.startswith(("ANSIBLE_", "PYTHON"))}
    return {
        **kept,
        "PATH": f"{package.venv / 'bin'}:{inherited.get('PATH', '/usr/bin:/bin')}",
        "PYTHONUTF8": "1",
        # Where the role kolla_deploy puts openstack.kolla; collections of the `ansible` package are found without it.
        "ANSIBLE_COLLECTIONS_PATH": str(package.venv / "collections"),
        "ANSIBLE_CALLBACK_PLUGINS": str(callbacks),
        "ANSIBLE_CALLBACKS_ENABLED": "kolla_events",
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_HOST_KEY_CHECKING": inherited.get("ANSIBLE_HOST_KEY_CHECKING", "True"),
        "ANSIBLE_SSH_PIPELINING": "True",
        EVENTS: str(events),
    }


@dataclass(frozen=True, slots=True)
class Failure:
    host: str
    task: str
    message: str


@dataclass(slots=True)
class Outcome:
    """What the events of a run tell; `add` takes one line and gives what a person should see of it."""

    redact: Redactor
    play: str = ""
    tasks: int = 0
    failures: list[Failure] = field(default_factory=list)
    hosts: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, line: str) -> str | None:
        try:
            event = json.loads(self.redact(line))
        except ValueError:
            return None
        kind = event.pop("event", None)
        if kind == "play":
            self.play = event["name"]
            return self.play
        if kind == "task":
            self.tasks += 1
        elif kind in ("failed", "unreachable"):
            failure = Failure(event["host"], event["task"], event["message"])
            self.failures.append(failure)
            return f"{failure.host}: {failure.task}: {failure.message}"
        elif kind == "recap":
            self.hosts[event.pop("host")] = event
        return None

    @property
    def lost(self) -> list[str]:
        """Hosts on which something failed, also where Kolla went on with the others and ended well."""
        return sorted(host for host, counts in self.hosts.items() if counts.get("failures") or counts.get("unreachable"))

    @property
    def changed(self) -> int:
        return sum(counts.get("changed", 0) for counts in self.hosts.values())


def explain(call: Call, outcome: Outcome, status: int, log: Path | None) -> str | None:
    """Why a run failed, in words; None if it did not."""
    if status == 0 and not outcome.lost:
        return None
    where = f" on {', '.join(outcome.lost)}" if outcome.lost else ""
    hosts: dict[tuple[str, str], list[str]] = {}
    for one in outcome.failures:
        hosts.setdefault((one.task, one.message.rstrip(". ")), []).append(one.host)
    reasons = [f"{', '.join(names)}: task `{task}`: {message}" for (task, message), names in hosts.items()]
    more = [f"and {len(reasons) - MOST_REASONS} more"] if len(reasons) > MOST_REASONS else []
    told = numbered([*reasons[:MOST_REASONS], *more]) or "it ended before it reached a host"
    ended = f"kolla-ansible {call.command} failed{where} (status {status})"
    return f"{ended}: {told}. The whole log, without secrets, is {log}" if log else f"{ended}: {told}"
