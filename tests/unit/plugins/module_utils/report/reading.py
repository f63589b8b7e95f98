# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests see of a page and of a plan: elements and text as a reader of HTML finds them, and every string in a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from html import unescape
from html.parser import HTMLParser
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.report.elements import EMPTY, text


class Page(HTMLParser):
    """Elements with their attributes, and the text between them; refuses what is not closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self._texts: list[str] = []
        self.feed(source)
        self.close()
        assert self._open == []
        self.text = " ".join("".join(self._texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] != ["style"]:
            self._texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def values(self, attribute: str) -> list[str]:
        return [value for _, attributes in self.elements if (value := attributes.get(attribute)) is not None]


def seen(value: str) -> str:
    """The value as a reader finds it in the text of the page."""
    return " ".join(unescape(text(value)).split())


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string in a record, with the names of the fields that lead to it."""
    if isinstance(value, str):
        yield path, value
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from strings((key, one), path)
    elif isinstance(value, tuple):
        for one in value:
            yield from strings(one, path)


def replaced(value: Any, change: Callable[[str], str]) -> Any:
    """The record with every string changed, whatever its type allows."""
    if isinstance(value, str):
        return change(value)
    if is_dataclass(value):
        return type(value)(**{field.name: replaced(getattr(value, field.name), change) for field in fields(value)})
    if isinstance(value, Mapping):
        return {change(key): replaced(one, change) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(replaced(one, change) for one in value)
    return value
