# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded trees: FOLDER/<tree>/tree.json, with what to expect of it in expected.json."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from .spec import BmcSpec, Json, Power, Recording, SpecRefused, Tree

MAC = re.compile(r"\b((?:[0-9a-fA-F]{2}:){3})([0-9a-fA-F]{2})((?::[0-9a-fA-F]{2}){2})\b(?!:)")
BARE_MAC = re.compile(r'"([0-9A-F]{6})([0-9A-F]{2})([0-9A-F]{4})"')


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
    """One BMC for each tree, or the trees in turn until there are `count`."""
    recordings = read_recordings(Path(folder))
    wanted = len(recordings) if count is None else count
    copies = (replace(recording, copy=copy) for copy in range(wanted) for recording in recordings)
    return [BmcSpec(recording=recording) for recording in islice(copies, wanted)]


def switched(recording: Recording, power: Power) -> Tree:
    """A recording knows one state only: for the other we change PowerState and leave the rest."""
    tree: Tree = _copied(recording, recording.tree)
    if power == "on":
        return tree
    return {path: {**document, "PowerState": "Off"} if "PowerState" in document else document for path, document in tree.items()}


def expected_of(recording: Recording, power: Power) -> Json:
    facts: Json = _copied(recording, recording.expected)
    if power == "on":
        return facts
    return {**facts, "servers": [{**server, "power": "off"} for server in facts.get("servers", [])]}


def _copied(recording: Recording, value: Any) -> Any:
    """Tree and expectation go through the same replacements, so whatever these hit, the two agree."""
    if not recording.copy:
        return value
    step = recording.copy
    text = json.dumps(value)
    for mac in (MAC, BARE_MAC):
        text = mac.sub(lambda found: found[0].replace(found[2], f"{(int(found[2], 16) + step) % 256:02x}", 1), text)
    for server in recording.expected.get("servers", []):
        if server.get("uuid"):
            first = server["uuid"].split("-")[0]
            text = re.sub(f'"{first}(-[0-9a-f-]{{27}})"', rf'"{int(first, 16) ^ step:08x}\1"', text, flags=re.IGNORECASE)
        own = [server.get("serial"), *(disk["serial"] for disk in server.get("disks") or [])]
        # On a Dell the SKU is the service tag; on the others it is a part number that all servers of a kind share.
        own += [server.get("sku")] if server.get("manufacturer") == "Dell Inc." else []
        for token in filter(None, own):
            text = text.replace(f'"{token}"', f'"{token}-{step}"')
    return json.loads(text)


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
        {**server, "disks": server.get("disks") and [disk for disk in server["disks"] if disk["serial"] != serial]}
        for server in recording.expected.get("servers", [])
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
