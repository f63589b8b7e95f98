# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""$expand (DSP0266, query parameters), within exactly what a root advertises."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .spec import Json

Mode = Literal[".", "*", "~"]
Find = Callable[[str], Json | None]
SYNTAX = re.compile(r"([.*~])(?:\(\$levels=(\d+)\))?")
ADVERTISED_AS: dict[str, str] = {".": "NoLinks", "*": "ExpandAll", "~": "Links"}


class ExpandRefused(Exception):
    """The query asks for more than the BMC offers."""


@dataclass(frozen=True, slots=True)
class Expand:
    mode: Mode
    levels: int


def parse_expand(value: str, root: Json) -> Expand:
    """What the client wants, checked against ProtocolFeaturesSupported of the root."""
    match = SYNTAX.fullmatch(value)
    if not match:
        raise ExpandRefused(f"$expand={value} is not understood")
    features = root.get("ProtocolFeaturesSupported") or {}
    offered = features.get("ExpandQuery") or {}
    mode, levels = match[1], int(match[2] or 1)
    if not offered.get(ADVERTISED_AS[mode]):
        raise ExpandRefused(f"$expand={mode} is not supported")
    if match[2] and not offered.get("Levels"):
        raise ExpandRefused("$levels is not supported")
    if not 1 <= levels <= offered.get("MaxLevels", 1):
        raise ExpandRefused(f"$levels={levels} is beyond the maximum of {offered.get('MaxLevels', 1)}")
    return Expand(mode, levels)  # type: ignore[arg-type]


def is_link(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and isinstance(value.get("@odata.id"), str)


def expanded(document: Json, expand: Expand, find: Find, *, members_only: bool) -> Json:
    """The document with its links replaced by what they lead to; one that leads nowhere stays a link."""
    if not members_only:
        return {key: _grown(value, expand, find, in_links=key == "Links") for key, value in document.items()}
    members = document.get("Members")
    if not isinstance(members, list):
        return document
    return {**document, "Members": [find(member["@odata.id"]) or member if is_link(member) else member for member in members]}


def _grown(value: Any, expand: Expand, find: Find, *, in_links: bool) -> Any:
    if is_link(value):
        wanted = expand.mode == "*" or (expand.mode == "~") == in_links
        # A fragment points into a document that the reader has or can read: BMCs leave it as it is.
        target = find(value["@odata.id"]) if wanted and "#" not in value["@odata.id"] else None
        if target is None:
            return value
        if expand.levels == 1:
            return target
        return expanded(target, Expand(expand.mode, expand.levels - 1), find, members_only=False)
    if isinstance(value, dict):
        return {key: _grown(item, expand, find, in_links=in_links or key == "Links") for key, item in value.items()}
    if isinstance(value, list):
        return [_grown(item, expand, find, in_links=in_links) for item in value]
    return value
