# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""HTML elements. What is put into one is text and is escaped, unless it is an element itself: markup cannot be passed as a string.

Only the elements and attributes that the report needs are known here. None of them runs code, and a link leads to a place on the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Final, TypeAlias

# Python's name of an attribute: its name in HTML
ATTRIBUTES: Final = {
    **{name: name for name in ("charset", "colspan", "content", "href", "id", "lang", "media", "name", "open", "role", "rowspan", "scope")},
    **{name: name for name in ("cx", "cy", "d", "dx", "dy", "fill", "height", "r", "rx", "tabindex", "transform", "viewBox", "width")},
    **{name: name for name in ("x", "x1", "x2", "y", "y1", "y2", "patternUnits", "patternTransform")},
    "aria_describedby": "aria-describedby",
    "aria_hidden": "aria-hidden",
    "aria_label": "aria-label",
    "aria_labelledby": "aria-labelledby",
    "class_": "class",
    "http_equiv": "http-equiv",
    "text_anchor": "text-anchor",
}
EMPTY: Final = frozenset(("br", "meta"))
NAMES: Final = EMPTY | {
    *("html", "head", "title", "style", "body", "header", "nav", "main", "section", "footer", "h1", "h2", "h3"),
    *("p", "div", "span", "a", "b", "strong", "small", "code", "ul", "ol", "li", "dl", "dt", "dd"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure", "figcaption"),
    *("svg", "desc", "defs", "pattern", "g", "rect", "circle", "line", "path", "text"),
}

Child: TypeAlias = "Markup | str | int | Iterable[Child] | None"
Attribute: TypeAlias = "str | int | float | bool | None"


class Markup:
    """A finished piece of the page. Only `tag` makes them."""

    __slots__ = ("written",)

    def __init__(self, written: str) -> None:
        self.written = written

    def __str__(self) -> str:
        return self.written


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """An element. Attributes that are None or False are left out; a child that is None is nothing."""
    if name not in NAMES:
        raise ValueError(f"the report has no <{name}>")
    opening = f"<{name}{_attributes(attributes)}>" if attributes else f"<{name}>"
    if name in EMPTY:
        return Markup(opening)
    content = _style(children) if name == "style" else "".join(map(_written, children))
    return Markup(f"{opening}{content}</{name}>")


def document(root: Markup) -> str:
    return f"<!DOCTYPE html>\n{root}\n"


# Names of networks, links, classes and the like come again and again.
@lru_cache(maxsize=4096)
def text(value: str) -> str:
    """What a browser shows as the value, letter by letter; letters that cannot be seen or turn the line around are shown as such."""
    if not value.isprintable():
        value = "".join(one if one.isprintable() or one in "\n\t\u00a0" else "\ufffd" for one in value)
    return escape(value, quote=True)


def _written(child: Child) -> str:
    if isinstance(child, Markup):
        return child.written
    if isinstance(child, str):
        return text(child)
    if child is None:
        return ""
    if isinstance(child, int):
        return str(child)
    return "".join(map(_written, child))


def _attributes(given: dict[str, Attribute]) -> str:
    parts = []
    for key, value in given.items():
        if value is None or value is False:
            continue
        name = ATTRIBUTES[key]
        if value is True:
            parts.append(f" {name}")
            continue
        shown = f"{value:g}" if isinstance(value, float) else text(str(value))
        if name == "href" and not shown.startswith("#"):
            raise ValueError(f"a link of the report stays on the page, and {shown} does not")
        parts.append(f' {name}="{shown}"')
    return "".join(parts)


def _style(children: tuple[Child, ...]) -> str:
    """Browsers take a style sheet letter by letter, so nothing in it can be escaped, and nothing may end it."""
    sheet = "".join(one for one in children if isinstance(one, str))
    if "<" in sheet:
        raise ValueError("a style sheet has no <")
    return sheet
