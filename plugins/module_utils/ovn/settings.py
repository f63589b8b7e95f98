# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the databases listen, and how patient everybody is with them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .database import Database, Operation, Row, insert, mutate, named, northbound, set_keys, southbound, to_set, update, uuid
from .errors import OvnRefused, OvnSilent
from .raft import DATABASES, Status, parse_status
from .wire import control

GLOBALS: Final = {"nb": "NB_Global", "sb": "SB_Global"}
SLOWEST: Final = 60
PAUSE: Final = 0.5


def database_of(kind: str, **options: Any) -> Database:
    return northbound(**options) if kind == "nb" else southbound(**options)


def read_settings(kind: str, database: Database) -> dict[str, list[Row]]:
    tables = {GLOBALS[kind]: ["connections", "options"], "Connection": ["target", "inactivity_probe"]}
    return database.read(**tables)


def plan_settings(
    kind: str, live: Mapping[str, Sequence[Row]], target: str, probe_ms: int, options: Mapping[str, str]
) -> tuple[list[str], list[Operation]]:
    """What differs, a line each, and the operations that change it in one transaction. Without a target, connections are
    somebody else's and stay as they are. Options that nobody asked for stay."""
    table = GLOBALS[kind]
    rows, lines, work = live[table], [], []
    where = [["_uuid", "==", uuid(rows[0]["_uuid"])]] if rows else []
    if not rows:
        # Whoever comes second finds a row and is refused: there can be one only.
        work += [
            {"op": "wait", "table": table, "timeout": 0, "where": [], "columns": ["_uuid"], "until": "==", "rows": []},
            insert(table, {}, "root"),
        ]
        where = [["_uuid", "==", named("root")]]
    for line, operations in (_connection(table, live, target, probe_ms, where), _options(table, rows, options, where)):
        lines += line
        work += operations
    return (lines or [f"{table} made"], work) if work else ([], [])


def _connection(
    table: str, live: Mapping[str, Sequence[Row]], target: str, probe_ms: int, where: Sequence[Any]
) -> tuple[list[str], list[Operation]]:
    if not target:
        return [], []
    there = next((one for one in live["Connection"] if one["target"] == target), None)
    if there and there["inactivity_probe"] == probe_ms:
        return [], []
    line = f"{target}: listens, probe every {probe_ms} ms"
    if there:
        return [line], [update("Connection", {"inactivity_probe": probe_ms}, [["target", "==", target]])]
    made = insert("Connection", {"target": target, "inactivity_probe": probe_ms}, "connection")
    return [line], [made, mutate(table, "connections", "insert", to_set([named("connection")]), where)]


def _options(table: str, rows: Sequence[Row], options: Mapping[str, str], where: Sequence[Any]) -> tuple[list[str], list[Operation]]:
    before = rows[0]["options"] if rows else {}
    differ = {key: value for key, value in options.items() if before.get(key) != value}
    return [f"{table} {key} = {value}" for key, value in sorted(differ.items())], [
        set_keys(table, "options", differ, where=where)
    ] if differ else []


def next_timer(now: int, wanted: int) -> int:
    """Raft lets a timer at most double in one step; down it goes at once."""
    return min(wanted, 2 * now)


def ensure_settings(
    kind: str, target: str, probe_ms: int, options: Mapping[str, str], *, timeout: float = 30, check_mode: bool = False
) -> list[str]:
    """What was changed. A leader that is just being elected refuses, and is asked again."""
    database = database_of(kind, timeout=timeout, patience=SLOWEST)
    until = time.monotonic() + SLOWEST
    while True:
        lines, work = plan_settings(kind, read_settings(kind, database), target, probe_ms, options)
        if check_mode or not work:
            return lines
        try:
            database.transact(work)
        except (OvnRefused, OvnSilent):
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE)
        else:
            return lines


def ensure_timer(kind: str, wanted: int, *, timeout: float = 30, check_mode: bool = False) -> list[str]:
    """Bring the election timer to its value, step by step. Only the leader can; on others nothing happens."""
    path, name = f"/run/ovn/ovn{kind}_db.ctl", DATABASES[kind]
    status = _status(path, kind, timeout)
    before = status.election_ms
    if status.role != "leader" or before == wanted:
        return []
    until, asked = time.monotonic() + SLOWEST, 0
    while not check_mode and status.role == "leader" and status.election_ms != wanted and time.monotonic() < until:
        step = next_timer(status.election_ms or wanted, wanted)
        if step != asked:
            control(path, "cluster/change-election-timer", name, str(step), timeout=timeout)
            asked = step
        time.sleep(PAUSE)
        status = _status(path, kind, timeout)
    return [f"{name}: election after {wanted} ms, not {before}"]


def _status(path: str, kind: str, timeout: float) -> Status:
    return parse_status(control(path, "cluster/status", DATABASES[kind], timeout=timeout))
