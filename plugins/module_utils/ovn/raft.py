# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a member knows of its clusters: from its files, and from its daemons if they run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from .errors import OvnRefused, OvnSilent
from .wire import control

# By what users call it: the name inside, and what sockets and files are called.
DATABASES: Final = {"nb": "OVN_Northbound", "sb": "OVN_Southbound"}
FOLDERS: Final = ("/var/lib/ovn",)
HEAD: Final = re.compile(rb"(OVSDB )?(CLUSTER|JSON) (\d+) ([0-9a-f]{40})\n")
MEMBER: Final = re.compile(r"^ +(?P<short>[0-9a-f]{4}) \((?P<id>[0-9a-f]{4}) at (?P<address>[^)\s]+)\)(?P<rest>.*)$", re.MULTILINE)
# Tables that only somebody's networks have rows in.
CONTENT: Final = ("Logical_Switch", "Logical_Router", "Load_Balancer", "Port_Group", "Datapath_Binding")


@dataclass(frozen=True, slots=True)
class Member:
    """`silent_ms` is for how long the leader had no answer from it; followers do not know that of one another."""

    id: str
    address: str
    silent_ms: int | None = None
    match: int | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """As a running member has it. `entries` are the first index of its log, and the one after its last."""

    server: str
    cluster: str
    address: str
    status: str
    role: str
    leader: str
    term: int
    election_ms: int | None
    entries: tuple[int, int]
    uncommitted: int
    unapplied: int
    members: tuple[Member, ...]
    disconnections: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """`kind` is cluster, alone, or unknown for a file that is none of OVSDB's. `content`: whether somebody's networks are in it."""

    path: str
    kind: str
    server: str = ""
    cluster: str = ""
    address: str = ""
    content: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """One database of a host."""

    database: str
    file: File | None = None
    status: Status | None = None
    silence: str = ""
    seconds: float = field(default=0, compare=False)

    def to_data(self) -> dict[str, Any]:
        return asdict(self)


def parse_status(text: str) -> Status:
    """The text of `cluster/status`."""
    said = dict(re.findall(r"^([A-Z][A-Za-z ]+): (.*)$", text, re.MULTILINE))
    if "Server ID" not in said:
        raise OvnRefused(
            f"This is no status of a cluster: {text.strip()[:200]}",
            cure="See whether the database is clustered: ovsdb-tool db-is-clustered FILE",
        )
    first, last = re.findall(r"\d+", said.get("Log", "")) or (0, 0)
    timer = said.get("Election timer", "")
    return Status(
        server=_long(said["Server ID"]), cluster=_long(said.get("Cluster ID", "")), address=said.get("Address", ""),
        status=said.get("Status", "not said"), role=said.get("Role", "not said"), leader=said.get("Leader", "unknown"),
        term=int(said.get("Term", 0)), election_ms=int(timer) if timer.isdigit() else None, entries=(int(first), int(last)),
        uncommitted=int(said.get("Entries not yet committed", 0)), unapplied=int(said.get("Entries not yet applied", 0)),
        members=tuple(_member(found) for found in MEMBER.finditer(text)), disconnections=int(said.get("Disconnections", 0)),
    )  # fmt: skip


def _long(text: str) -> str:
    """`ab12 (ab12…-…)` is the short and the whole id; one that has not joined yet has none."""
    found = re.search(r"\(([0-9a-f-]{36})\)", text)
    return found[1] if found else ""


def _member(found: re.Match[str]) -> Member:
    silent, match = re.search(r"last msg (\d+) ms ago", found["rest"]), re.search(r"match_index=(\d+)", found["rest"])
    return Member(found["id"], found["address"], int(silent[1]) if silent else None, int(match[1]) if match else None)


def read_file(path: Path) -> File | None:
    """What the head of a database's file says; none if there is no file."""
    try:
        with path.open("rb") as source:
            head = HEAD.match(source.readline())
            record = json.loads(source.read(int(head[3]))) if head else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return File(str(path), "unknown")
    if head is None or not isinstance(record, dict):
        return File(str(path), "unknown")
    if head[2] == b"JSON":
        return File(str(path), "alone", content=_has_content(path))
    return File(str(path), "cluster", record.get("server_id", ""), record.get("cluster_id", ""), record.get("local_address", ""))


def _has_content(path: Path) -> bool:
    """The first record of a file that stands alone is its schema; rows follow."""
    rows = path.read_text(errors="replace").split("\nOVSDB JSON ", 1)
    return len(rows) > 1 and any(f'"{table}":{{' in rows[1] for table in CONTENT)


def read_database(kind: str, path: Path, *, run: str = "/run/ovn", timeout: float = 10) -> Found:
    name, file = DATABASES[kind], read_file(path)
    try:
        status = parse_status(control(f"{run}/ovn{kind}_db.ctl", "cluster/status", name, timeout=timeout))
    except (OvnSilent, OvnRefused) as exc:
        return Found(name, file, None, exc.text)
    return Found(name, file, status)


def lag(status: Mapping[str, Any], last: int) -> int:
    """How many entries of the log a member is behind the one that has most."""
    return max(0, last - int(status["entries"][1]) + int(status["unapplied"]))
