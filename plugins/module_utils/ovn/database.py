# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of an OVSDB database, asked and changed in one transaction per question."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .errors import OvnRefused, OvnSilent
from .wire import opened

Row = dict[str, Any]
Operation = Mapping[str, Any]
# While a leader is elected a follower says so, or nothing: what was not acknowledged may be asked again if it is safe to repeat.
PAUSE: Final = 0.5
SWITCH: Final = "/run/openvswitch/db.sock"


@dataclass(frozen=True, slots=True)
class Database:
    """`patience` is for how many seconds a question is asked again while nobody answers."""

    name: str
    socket: str
    timeout: float = 30
    patience: float = 0

    def transact(self, operations: Sequence[Operation]) -> list[dict[str, Any]]:
        """The results in order. All was done, or nothing."""
        if not operations:
            return []
        with opened(self.socket, self.timeout) as wire:
            answers: list[dict[str, Any]] = wire.call("transact", [self.name, *operations])
        for number, answer in enumerate(answers):
            if answer and answer.get("error"):
                what = (
                    f"{operations[number]['op']} {operations[number].get('table', '')}".strip()
                    if number < len(operations)
                    else "the commit"
                )
                words = f"{answer['error']}: {answer.get('details', '')}".rstrip(": ")
                raise OvnRefused(f"{self.name} refused {what}: {words}. Nothing of it was done")
        return answers

    def read(self, **tables: Sequence[str]) -> dict[str, list[Row]]:
        """Rows of tables with these columns, as plain values; `_uuid` is always among them."""
        asked = [select(table, columns) for table, columns in tables.items()]
        until = time.monotonic() + self.patience
        while True:
            try:
                answers = self.transact(asked)
                break
            except (OvnRefused, OvnSilent):
                if time.monotonic() > until:
                    raise
                time.sleep(PAUSE)
        return {
            table: [{column: plain(value) for column, value in row.items()} for row in answer["rows"]]
            for table, answer in zip(tables, answers, strict=True)
        }

    def schema(self) -> dict[str, Any]:
        with opened(self.socket, self.timeout) as wire:
            said: dict[str, Any] = wire.call("get_schema", [self.name])
        return said


def northbound(**options: Any) -> Database:
    return Database("OVN_Northbound", "/run/ovn/ovnnb_db.sock", **options)


def southbound(**options: Any) -> Database:
    return Database("OVN_Southbound", "/run/ovn/ovnsb_db.sock", **options)


def switch(**options: Any) -> Database:
    return Database("Open_vSwitch", SWITCH, **options)


def plain(value: Any) -> Any:
    """A value of RFC 7047 as Python has it: sets are lists, and references the text of their UUID."""
    match value:
        case ["set", members]:
            return [plain(one) for one in members]
        case ["map", pairs]:
            return {key: plain(one) for key, one in pairs}
        case ["uuid" | "named-uuid", name]:
            return name
    return value


def many(value: Any) -> list[Any]:
    """A set of one stands as its member."""
    return value if isinstance(value, list) else [value]


def one_of(value: Any) -> Any:
    """A column that has a value or none."""
    found = many(value)
    return found[0] if found else None


def to_map(pairs: Mapping[str, str]) -> list[Any]:
    return ["map", [[key, value] for key, value in sorted(pairs.items())]]


def to_set(values: Sequence[Any]) -> list[Any]:
    return ["set", list(values)]


def uuid(name: str) -> list[str]:
    return ["uuid", name]


def named(name: str) -> list[str]:
    return ["named-uuid", name]


def select(table: str, columns: Sequence[str], where: Sequence[Any] = ()) -> Operation:
    return {"op": "select", "table": table, "where": list(where), "columns": ["_uuid", *columns]}


def insert(table: str, row: Mapping[str, Any], name: str = "") -> Operation:
    return {"op": "insert", "table": table, "row": dict(row)} | ({"uuid-name": name} if name else {})


def update(table: str, row: Mapping[str, Any], where: Sequence[Any] = ()) -> Operation:
    return {"op": "update", "table": table, "where": list(where), "row": dict(row)}


def delete(table: str, where: Sequence[Any]) -> Operation:
    return {"op": "delete", "table": table, "where": list(where)}


def mutate(table: str, column: str, how: str, value: Any, where: Sequence[Any] = ()) -> Operation:
    return {"op": "mutate", "table": table, "where": list(where), "mutations": [[column, how, value]]}


def by_uuid(name: str) -> list[Any]:
    return [["_uuid", "==", uuid(name)]]


def set_keys(table: str, column: str, pairs: Mapping[str, str], gone: Sequence[str] = (), where: Sequence[Any] = ()) -> Operation:
    """Keys of a map get values, others stay. A key is deleted before it is written: `insert` leaves one that is there."""
    keys = [*pairs, *gone]
    changes = [[column, "delete", to_set(keys)]] if keys else []
    changes += [[column, "insert", to_map(pairs)]] if pairs else []
    return {"op": "mutate", "table": table, "where": list(where), "mutations": changes}
