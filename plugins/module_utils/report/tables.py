# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables, sections and lists as every part of the report has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .elements import Child, Markup, tag

# A column: its heading, and `n` for numbers, `nw` for what is not broken, `wide` for sentences
Column = tuple[Child, str | None]


def table(caption: str, columns: Sequence[Column], bodies: Iterable[Markup], *, dense: bool = False) -> Markup:
    """A table in a box of its own that scrolls where the screen is too narrow, by keys too."""
    head = tag("thead", tag("tr", (tag("th", what, scope="col", class_=kind) for what, kind in columns)))
    inside = tag("table", tag("caption", caption), head, *bodies, class_="dense" if dense else None)
    return tag("div", inside, class_="scroll", role="region", aria_label=caption, tabindex=0)


def body(rows: Iterable[Markup], *, group: bool = False) -> Markup:
    return tag("tbody", rows, class_="group" if group else None)


def row(columns: Sequence[Column], cells: Sequence[Child], *, anchor: str | None = None) -> Markup:
    """A row whose first cell is its heading."""
    heading = tag("th", cells[0], scope="row", class_=columns[0][1])
    others = (tag("td", cell, class_=column[1]) for cell, column in zip(cells[1:], columns[1:], strict=True))
    return tag("tr", heading, others, id=anchor)


def simple(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[Child]]) -> Markup:
    return table(caption, columns, (body(row(columns, cells) for cells in rows),))


def section(anchor: str, heading: str, *content: Child, runs_on: bool = False) -> Markup:
    """`runs_on`: on paper it follows what is before it."""
    name = f"{anchor}-heading"
    return tag(
        "section",
        tag("h2", heading, id=name),
        content,
        id=anchor,
        aria_labelledby=name,
        class_="run" if runs_on else None,
    )


def folded(title: str, content: Child, *, opened: bool) -> Markup:
    """Closed, it is not printed either: only what is elsewhere in short, or too long for paper, may be closed."""
    return tag("details", tag("summary", title), content, open=opened)


def lines(items: Iterable[Child]) -> Markup:
    return tag("ul", (tag("li", item) for item in items))
