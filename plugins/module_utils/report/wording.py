# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the report says sizes, speeds, places and lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..bmc.hardware import Location

GIB = 1024**3
UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")


def disk_size(size: int) -> str:
    """Three digits in the units on a disk's sticker."""
    number, step = float(size), 0
    while number >= 999.5 and step < len(UNITS) - 1:
        number, step = number / 1000, step + 1
    return f"{number:.3g}\u00a0{UNITS[step]}"


def gib(size: int) -> str:
    number = size / GIB
    return f"{number:.0f}" if number >= 100 or number == int(number) else f"{number:.1f}"


def kept_safe(size: int, domain: str) -> str:
    """What the number of safe bytes says. 0: three copies on three domains have no fourth to go to."""
    if size:
        return f"all copies can be made again after the loss of the largest {domain}"
    return f"after the loss of a {domain} copies cannot be made again until it is back"


def memory_size(size: int) -> str:
    return f"{size / GIB / 1024:.3g}\u00a0TiB" if size >= 10 * 1024 * GIB else f"{gib(size)}\u00a0GiB"


def speed(mbps: int | None) -> str:
    if mbps is None:
        return "unknown speed"
    return f"{mbps / 1000:g}\u00a0Gbit/s" if mbps >= 1000 else f"{mbps}\u00a0Mbit/s"


def place(at: Location) -> str:
    rack = f"rack {at.rack}" if at.rack else None
    unit = f"unit {at.unit}" if at.unit is not None else None
    site = f"site {at.site}" if at.site else None
    return ", ".join(filter(None, (site, rack, unit))) or "place unknown"


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts R2 before R10."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", name))


def shortened(name: str, letters: int) -> str:
    """A name that fits: the middle is left out, as names of one site differ at their end."""
    if len(name) <= letters:
        return name
    tail = letters // 2
    return f"{name[: letters - tail - 1]}…{name[-tail:]}"


def numbered(items: Sequence[object], what: str) -> str:
    return f"{len(items)} {what}" if len(items) == 1 else f"{len(items)} {what}s"


def commas(items: Iterable[str]) -> str:
    return ", ".join(items)


def switched(switches: Iterable[tuple[str, bool]]) -> str:
    """What is on, and what is off."""
    given = tuple(switches)
    on, off = ([name for name, wanted in given if wanted is on] for on in (True, False))
    return ", ".join(f"{word} {' and '.join(names)}" for word, names in (("with", on), ("without", off)) if names)
