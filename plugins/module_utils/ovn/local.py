# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a member: made for a new cluster or to join one, moved away, never deleted."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .errors import ClusterRefused, OvnSilent
from .raft import DATABASES, File, read_file
from .wire import control

SCHEMAS: Final = "/usr/share/ovn"
LIMIT: Final = 120


@dataclass(frozen=True, slots=True)
class Change:
    """What was done, and what the host was before and is after it."""

    done: str
    before: str
    after: str
    aside: str = ""


def tool(*arguments: str) -> str:
    """What `ovsdb-tool` prints; it works on files, and daemons have no question for it."""
    try:
        done = subprocess.run(["ovsdb-tool", *arguments], check=False, capture_output=True, text=True, timeout=LIMIT)  # noqa: S603, S607 - a list, no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise ClusterRefused(f"Cannot run ovsdb-tool {arguments[0]}: {exc}", cure="Install openvswitch-common") from None
    if done.returncode:
        raise ClusterRefused(f"ovsdb-tool {arguments[0]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def plan_file(before: File | None, *, founder: bool, remotes: Sequence[str]) -> str:
    """What is to be done with the file: nothing, make a cluster, or join one."""
    if before and before.kind == "cluster":
        return ""
    if before and (before.kind == "unknown" or before.content):
        raise ClusterRefused(f"{before.path} is in the way, and may be somebody's", cure="Back it up and move it away")
    if founder:
        return "create"
    if not remotes:
        raise ClusterRefused(
            "There is no member to join, and this one is not to make the cluster", cure="Ask all members, or name the founder"
        )
    return "join"


def write_file(what: str, kind: str, path: Path, local: str, remotes: Sequence[str], election_ms: int) -> str:
    """Make the file beside its place and then move it there: a cut leaves no half of one. Where an old one was moved to."""
    aside = move_away(path) if path.exists() else ""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    new.with_name(f".{new.name}.~lock~").unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    name = DATABASES[kind]
    if what == "create":
        tool(f"--election-timer={election_ms}", "create-cluster", str(new), f"{SCHEMAS}/ovn-{kind}.ovsschema", local)
    else:
        tool("join-cluster", str(new), name, local, *remotes)
    new.replace(path)
    return aside


def move_away(path: Path, why: str = "old") -> str:
    """The file keeps its content under another name, beside its place."""
    aside = path.with_name(f"{path.name}.{why}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    path.rename(aside)
    return str(aside)


def make_alone(path: Path, local: str, election_ms: int) -> str:
    """What the file of a member has, as a cluster of its own with nobody else in it. The old file stays beside it."""
    before = read_file(path)
    if before is None or before.kind != "cluster":
        raise ClusterRefused(f"{path} is no database of a cluster", cure="Name the member that has one")
    plain, new = path.with_name(f".{path.name}.alone"), path.with_name(f".{path.name}.new")
    for one in (plain, new):
        one.unlink(missing_ok=True)
    tool("cluster-to-standalone", str(plain), str(path))
    tool(f"--election-timer={election_ms}", "create-cluster", str(new), str(plain), local)
    aside = move_away(path, "lost-majority")
    new.replace(path)
    plain.unlink()
    return aside


def ensure_file(kind: str, path: Path, local: str, remotes: Sequence[str], election_ms: int, *, founder: bool, check_mode: bool) -> Change:
    before = read_file(path)
    what = plan_file(before, founder=founder, remotes=remotes)
    if not what:
        return Change("", _words(before), _words(before))
    done = f"{DATABASES[kind]} made at {local}" if what == "create" else f"{local} joins {DATABASES[kind]} at {', '.join(remotes)}"
    if check_mode:
        return Change(done, _words(before), done)
    refuse_running(kind)
    aside = write_file(what, kind, path, local, remotes, election_ms)
    return Change(done, _words(before), _words(read_file(path)), aside)


def ensure_away(kind: str, path: Path, *, check_mode: bool) -> Change:
    before = read_file(path)
    if before is None:
        return Change("", "no file", "no file")
    if check_mode:
        return Change(f"{path} moved away", _words(before), "no file")
    refuse_running(kind)
    return Change(f"{path} moved away", _words(before), "no file", move_away(path))


def ensure_alone(kind: str, path: Path, local: str, election_ms: int, *, check_mode: bool) -> Change:
    before, done = read_file(path), f"{DATABASES[kind]} has {local} only"
    if check_mode:
        return Change(done, _words(before), done)
    refuse_running(kind)
    aside = make_alone(path, local, election_ms)
    return Change(done, _words(before), _words(read_file(path)), aside)


def refuse_running(kind: str) -> None:
    """A file that a daemon has open must not be moved."""
    try:
        control(f"/run/ovn/ovn{kind}_db.ctl", "version", timeout=5)
    except OvnSilent:
        return
    raise ClusterRefused(
        f"The server of {DATABASES[kind]} runs, and its file must not be touched", cure=f"Stop ovn-ovsdb-server-{kind} first"
    )


def _words(file: File | None) -> str:
    if file is None:
        return "no file"
    return (
        f"{file.kind} {file.cluster[:8]} server {file.server[:4]} at {file.address}".replace("  ", " ")
        if file.kind == "cluster"
        else file.kind
    )
