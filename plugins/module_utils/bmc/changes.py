# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What changed between two readings of a rack, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .document import DOCUMENT
from .hardware import Hardware

# Lists whose items have a name of their own, by the key that holds it, and what to call an item.
NAMED = {
    "processors": ("socket", "processor"),
    "modules": ("slot", "memory module"),
    "nics": ("mac", "network port"),
    "disks": ("serial", "disk"),
    "volumes": ("name", "volume"),
    "accelerators": ("slot", "accelerator"),
    "warnings": ("text", "warning"),
    "findings": ("text", "finding"),
}
# What tells an item to a reader who does not know its name by heart.
TELLING = ("model", "type", "slot", "adapter", "port", "bytes", "raid", "speed_mbps")
SIZES = ("bytes", "claimed_bytes")


def changes(before: Hardware | None, after: Hardware) -> list[str]:
    """One sentence per change; an empty list says that the hardware is as it was. What a reading cost is no change."""
    old = {server["id"]: server for server in DOCUMENT.to_data(before)["servers"]} if before else {}
    data = DOCUMENT.to_data(after)
    new = {server["id"]: server for server in data["servers"]}
    unread = {(one["address"], one["port"]): one for one in data["unread"]}
    return [
        *(f"{name}: new, {_told(new[name])}" for name in new if name not in old),
        *(_gone(old[name], unread) for name in old if name not in new),
        *(sentence for name in new if name in old for sentence in _differences(name, old[name], new[name])),
        *_unread_changes(before, unread),
    ]


def _told(server: dict[str, Any]) -> str:
    return f"{server['system']['model'] or 'a server'} behind {server['bmc']['address']}"


def _gone(server: dict[str, Any], unread: dict[Any, Any]) -> str:
    one = unread.get((server["bmc"]["address"], server["bmc"]["port"]))
    return f"{server['id']}: gone; {_told(server)} " + (f"could not be read ({one['code']})" if one else "is in no answer")


def _unread_changes(before: Hardware | None, unread: dict[Any, Any]) -> Iterator[str]:
    old = {(one.address, one.port): one.code for one in before.unread} if before else {}
    for key, one in unread.items():
        if old.get(key) != one["code"]:
            yield f"{one['address']}:{one['port']}: could not be read ({one['code']})"
    for address, port in sorted(old.keys() - unread.keys()):
        yield f"{address}:{port}: no longer fails"


def _differences(where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for key, after in new.items():
        before = old.get(key)
        if key == "read" or before == after:
            continue
        if key in NAMED and _is_named(before) and _is_named(after):
            yield from _items(where, key, before or [], after)
        elif isinstance(before, dict) and isinstance(after, dict):
            yield from _differences(f"{where}, {key}", before, after)
        else:
            yield f"{where}: {key.replace('_', ' ')} is {_value(key, after)}, was {_value(key, before)}"


def _is_named(value: Any) -> bool:
    """A list of records; the disks of a volume are a list of serials."""
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _items(where: str, key: str, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[str]:
    name, what = NAMED[key]
    old, new = ({item[name]: item for item in items} for items in (before, after))
    for one in sorted(old.keys() - new.keys()):
        yield f"{where}: {what} {one} is gone{_details(old[one], name)}"
    for one in sorted(new.keys() - old.keys()):
        yield f"{where}: {what} {one} is new{_details(new[one], name)}"
    for one in sorted(new.keys() & old.keys()):
        yield from _differences(f"{where}, {what} {one}", old[one], new[one])


def _details(item: dict[str, Any], name: str) -> str:
    told = [_value(key, item[key]) for key in TELLING if key != name and item.get(key) is not None]
    return f" ({', '.join(told)})" if told else ""


def _value(key: str, value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return ", ".join(str(one) for one in value) if value and not isinstance(value[0], dict) else f"{len(value)} of them"
    if key in SIZES:
        return f"{value / 1024**3:g} GiB" if value % 1024**3 == 0 else f"{value / 10**9:,.0f} GB"
    return f"{value} Mbit/s" if key == "speed_mbps" else str(value)
