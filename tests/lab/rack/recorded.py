# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded trees: FOLDER/<tree>/tree.json, with what to expect of it in expected.json."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from .spec import BmcSpec, Json, Power, Recording, SpecRefused, Tree


def read_recordings(folder: Path) -> list[Recording]:
    found = []
    for path in sorted(folder.glob("*/tree.json")):
        expected = path.with_name("expected.json")
        facts = json.loads(expected.read_text()) if expected.exists() else {}
        found.append(Recording(name=path.parent.name, tree=json.loads(path.read_text()), expected=facts))
    if not found:
        raise SpecRefused(f"Cannot serve recorded trees from {folder}: there is no <tree>/tree.json in it")
    return found


def recorded_rack(folder: Path | str, count: int | None = None) -> list[BmcSpec]:
    """One BMC for each tree, or the trees in turn until there are `count`; repeats are the same to the last byte."""
    recordings = read_recordings(Path(folder))
    return [BmcSpec(recording=recording) for recording in islice(cycle(recordings), len(recordings) if count is None else count)]


def switched(tree: Tree, power: Power) -> Tree:
    """A recording knows one state only: for the other we change PowerState and leave the rest."""
    if power == "on":
        return tree
    return {path: {**document, "PowerState": "Off"} if "PowerState" in document else document for path, document in tree.items()}


def _without(recording: Recording, path: str) -> Recording:
    def prune(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: prune(item) for key, item in value.items()}
        if isinstance(value, list):
            return [prune(item) for item in value if not (isinstance(item, dict) and item.get("@odata.id") == path)]
        return value

    return replace(recording, tree={key: prune(document) for key, document in recording.tree.items() if key != path})


def _members(tree: Tree, kind: str, size: str) -> list[tuple[str, Json]]:
    return [(path, d) for path, d in tree.items() if str(d.get("@odata.type", "")).startswith(f"#{kind}.") and d.get(size)]


def without_drive(recording: Recording, index: int) -> Recording:
    path, document = _members(recording.tree, "Drive", "CapacityBytes")[index]
    serial = str(document.get("SerialNumber", "")).strip()
    servers = [
        {**s, "disks": s.get("disks") and [d for d in s["disks"] if d["serial"] != serial]} for s in recording.expected.get("servers", [])
    ]
    return replace(_without(recording, path), expected={**recording.expected, "servers": servers})


def without_dimm(recording: Recording, index: int) -> Recording:
    """Only where `expected` speaks of one server can it be corrected; elsewhere it is left as it was."""
    path, document = _members(recording.tree, "Memory", "CapacityMiB")[index]
    servers: list[Json] = recording.expected.get("servers", [])
    if len(servers) == 1 and servers[0].get("memory"):
        memory = servers[0]["memory"]
        less = {**memory, "gib": memory["gib"] - document["CapacityMiB"] // 1024, "dimms": memory["dimms"] - 1}
        servers = [{**servers[0], "memory": less}]
    return replace(_without(recording, path), expected={**recording.expected, "servers": servers})
