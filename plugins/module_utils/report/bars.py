# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory and cores of each server as bars, with the numbers beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..plan.servers import CpuShares, MemoryShares
from .elements import Child, Markup, tag
from .site import Site
from .tables import Column, section, simple
from .wording import gib

WIDTH = 320
HEIGHT = 18
# A letter fits into a part of this width.
LETTER = 13


class Share(NamedTuple):
    """A part of a bar: its name, its letter, and the colour of the role that it belongs to."""

    name: str
    letter: str
    colour: str


MEMORY = (
    Share("system", "S", "system"),
    Share("osd", "O", "storage"),
    Share("control", "C", "control"),
    Share("fmc", "F", "fmc"),
    Share("compute", "H", "hypervisor"),
    Share("guests", "G", "compute"),
)
CPU = tuple(one for one in MEMORY if one.name != "compute")
WORDS = {"osd": "OSDs", "fmc": "FMC", "compute": "hypervisor"}


def memory_and_cpu(site: Site) -> Markup:
    if not site.servers:
        return section("memory", "Memory and CPU", tag("p", "The plan has no servers."))
    alike = [(site.who(one), one.first) for one in site.drawn(lambda one: (one.memory, one.cpu))]
    memory = [(who, server.memory) for who, server in alike]
    cpu = [(who, server.cpu) for who, server in alike]
    one_row = " Servers with the same shares have one row." if site.large else ""
    return section(
        "memory",
        "Memory and CPU",
        tag("p", f"What each server gives to whom. All bars have one scale; the frame is what the server has.{one_row}"),
        _table("Memory in GiB", memory, MEMORY, gib),
        _table("Cores", cpu, CPU, str),
    )


def _table(
    caption: str, rows: Sequence[tuple[Child, MemoryShares | CpuShares]], shares: Sequence[Share], said: Callable[[int], str]
) -> Markup:
    heads: list[Column] = [
        ((tag("span", one.letter, class_=f"key {one.colour}", aria_hidden="true"), WORDS.get(one.name, one.name)), "n") for one in shares
    ]
    columns: tuple[Column, ...] = (("Server", None), ("shares", None), ("total", "n"), *heads)
    scale = max(1, *(max(of.total, sum(_parts(of, shares))) for _, of in rows))
    cells = [
        (who, bar(of.total, _parts(of, shares), shares, scale, said), said(of.total), *(said(part) for part in _parts(of, shares)))
        for who, of in rows
    ]
    return simple(caption, columns, cells)


def _parts(of: MemoryShares | CpuShares, shares: Sequence[Share]) -> list[int]:
    return [getattr(of, one.name) for one in shares]


def bar(total: int, parts: Sequence[int], shares: Sequence[Share], scale: int, said: Callable[[int], str]) -> Markup:
    """The parts one after the other. What is beyond the frame is not there."""
    drawn, start = list[Child](), 0
    for share, part in zip(shares, parts, strict=True):
        left, right = _at(start, scale), _at(start + part, scale)
        start += part
        if right > left:
            drawn.append(tag("rect", x=left, y=2, width=right - left, height=HEIGHT - 4, class_=share.colour))
        if right - left >= LETTER:
            drawn.append(tag("text", share.letter, x=(left + right) / 2, y=13, class_="letter"))
    drawn.append(tag("rect", x=0.5, y=1.5, width=max(_at(total, scale) - 1, 1), height=HEIGHT - 3, class_="total"))
    over = tag("strong", f"{said(start - total)} too much", class_="no") if start > total else None
    label = ", ".join(f"{WORDS.get(share.name, share.name)} {said(part)}" for share, part in zip(shares, parts, strict=True) if part)
    picture = tag(
        "svg",
        drawn,
        role="img",
        aria_label=f"{label or 'nothing'} of {said(total)}",
        width=WIDTH,
        height=HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )
    return tag("div", picture, over)


def _at(value: int, scale: int) -> int:
    return value * WIDTH // scale
