# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a BMC answered: status, headers and body, and how to read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from .payload import Resource, dig, link_path


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Resource:
        """The payload; a BMC may send HTML, half a document, or two glued together."""
        found = json.loads(self.body)
        if isinstance(found, dict):
            return found
        raise ValueError("not an object")


def looks_like(answer: Answer) -> str:
    if answer.body.lstrip()[:1] == b"<":
        return "HTML"
    return f"{len(answer.body)} bytes of broken text" if answer.body else "nothing"


def message(answer: Answer) -> str:
    """What the BMC says about its refusal, shortened."""
    try:
        extended = dig(answer.json(), "error", "@Message.ExtendedInfo") or [{}]
        said = dig(extended[0], "Message")
    except (ValueError, LookupError, TypeError):
        return ""
    return f" ({said.strip()[:120]})" if isinstance(said, str) and said.strip() else ""


def seconds(value: str | None) -> float:
    """Retry-After in seconds; a date is taken as at once."""
    return float(value) if value and value.isdecimal() else 0.0


def next_page(page: Resource) -> str | None:
    link = page.get("Members@odata.nextLink")
    path = link if isinstance(link, str) else link_path(link)
    return path if path and path.startswith("/") else None
