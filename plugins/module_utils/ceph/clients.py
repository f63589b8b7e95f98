# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, what each may do, and what is handed to those who use them. Keys stay out of every diff and message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .session import Command

QUESTIONS: Final = {"auth": Command("auth ls"), "monitors": Command("mon dump")}
EMPTY: Final[Mapping[str, Any]] = {"auth": {"auth_dump": []}, "monitors": {"mons": []}}

Capabilities = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ClientChange:
    name: str
    before: Capabilities | None
    after: Capabilities

    @property
    def command(self) -> Command:
        caps = [part for one in self.after.items() for part in one]
        return Command("auth caps" if self.before is not None else "auth get-or-create", {"entity": f"client.{self.name}", "caps": caps})


def plan_clients(wanted: Mapping[str, Capabilities], live: Mapping[str, Any]) -> list[ClientChange]:
    there = {one["entity"]: one["caps"] for one in live["auth"]["auth_dump"]}
    changes = [ClientChange(name, there.get(f"client.{name}"), dict(caps)) for name, caps in wanted.items()]
    return [one for one in changes if one.before != one.after]


def keys_of(names: Sequence[str], live: Mapping[str, Any]) -> dict[str, str]:
    there = {one["entity"]: one["key"] for one in live["auth"]["auth_dump"]}
    return {name: there[f"client.{name}"] for name in names if f"client.{name}" in there}


def keyring(name: str, key: str) -> str:
    return f"[client.{name}]\nkey = {key}\n"


def client_conf(fsid: str, live: Mapping[str, Any]) -> str:
    """What a client needs to find the cluster. Not indented: Kolla's parser would take such lines for continued ones."""
    monitors = [_both(one) for one in live["monitors"]["mons"]]
    return f"[global]\nfsid = {fsid}\nmon_host = {','.join(monitors)}\n"


def _both(monitor: Mapping[str, Any]) -> str:
    vector = [f"{one['type']}:{one['addr']}/{one['nonce']}" for one in monitor["public_addrs"]["addrvec"]]
    return f"[{','.join(vector)}]"
