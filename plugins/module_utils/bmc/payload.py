# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading values out of Redfish payloads, where anything may be missing, null, padded or of the wrong type."""

from __future__ import annotations

import math
import re
from typing import Any

Resource = dict[str, Any]

# Texts that firmware ships where a value should stand.
PLACEHOLDERS = frozenset(
    [
        "",
        "n/a",
        "na",
        "none",
        "null",
        "unknown",
        "not available",
        "not specified",
        "not applicable",
        "no asset tag",
        "default string",
        "undefined",
        "empty",
        "to be filled by o.e.m.",
        "to be filled by oem",
        "system serial number",
        "system product name",
        "system manufacturer",
        "chassis serial number",
        "base board serial number",
        "0123456789",
        "123456789",
        "1234567890",
    ]
)

SEPARATORS = str.maketrans("", "", "-:. ")
MAC = re.compile("[0-9a-f]{12}")


def dig(value: Any, *keys: str) -> Any:
    """The value under nested keys, or None as soon as one is missing."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def text(value: Any) -> str | None:
    """A text without padding, or None when it says nothing."""
    if not isinstance(value, str):
        return None
    stripped = printable(value)
    if stripped.lower() in PLACEHOLDERS or not stripped.strip("0 .:_-"):
        return None
    return stripped


def printable(value: str) -> str:
    """Without padding, and without what would move a terminal's cursor or cannot be written as UTF-8."""
    return "".join(one for one in " ".join(value.split()) if one.isprintable())


def name(resource: Resource) -> str:
    """What a resource is called among its siblings."""
    return text(resource.get("Id")) or printable(str(resource.get("Id") or resource.get("Name") or "?"))


def number(value: Any) -> float | None:
    """A positive number; firmware writes 0 where it means unknown."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value if value > 0 else None


def count(value: Any) -> int | None:
    found = number(value)
    return None if found is None else int(found)


def items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def resources(value: Any) -> list[Resource]:
    return [item for item in items(value) if isinstance(item, dict)]


def link_path(link: Any) -> str | None:
    """Where a link points: without fragment and trailing slash, so that one resource has one name."""
    path = dig(link, "@odata.id")
    if not isinstance(path, str) or not path.startswith("/"):
        return None
    return path.split("#", 1)[0].rstrip("/") or None


def is_whole(link: Any) -> bool:
    """Whether an expanding BMC has put the resource itself in the place of its link."""
    return isinstance(link, dict) and ("Id" in link or "Members" in link)


def is_absent(resource: Resource) -> bool:
    return bool(dig(resource, "Status", "State") == "Absent")


def mac(value: Any) -> str | None:
    """Six lower-case octets; longer ones are WWNs or GUIDs, and zero or multicast ones are nobody's."""
    if not isinstance(value, str):
        return None
    digits = value.translate(SEPARATORS).lower()
    if not MAC.fullmatch(digits) or not digits.strip("0") or int(digits[:2], 16) & 1:
        return None
    return ":".join(digits[i : i + 2] for i in range(0, 12, 2))
