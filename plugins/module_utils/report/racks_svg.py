# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rack elevation: one drawing per rack, units from below to above, and trays for servers whose place is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .elements import Child, Markup, tag
from .site import Shown, Site, chip, letter, roles_of
from .tables import section
from .wording import commas, natural, numbered, place, shortened

LINE = 22
RAIL = 34
# Names in a slot: bold letters of this width at most, and so many of them.
LETTER = 8
NAME_LETTERS = 19
CHIP = 17
EDGE = 6
# So many units in a row that are empty in all racks become one line.
GAP = 4
TRAY = 20


@dataclass(frozen=True, slots=True)
class Unit:
    """A line of every rack, high enough for the rack with the most servers in it; up to `last` where empty units are left out."""

    first: int
    last: int
    lines: int


@dataclass(frozen=True, slots=True)
class Form:
    """What all drawings share: the roles, where their letters begin, and the width."""

    roles: tuple[str, ...]
    chips: int
    width: int


Rack = tuple[str, str]
Placed = dict[Rack, dict[int, list[Shown]]]


def racks(site: Site) -> Markup:
    if not site.servers:
        return section("racks", "Racks", tag("p", "The plan has no servers."))
    form = _form(site)
    placed: Placed = {}
    loose: dict[str, list[Shown]] = {}
    for one in site.servers:
        at = one.server.location
        if at.rack and at.unit is not None:
            placed.setdefault((at.site or "", at.rack), {}).setdefault(at.unit, []).append(one)
        else:
            loose.setdefault(f"{_title((at.site or '', at.rack))}, unit unknown" if at.rack else "Place unknown", []).append(one)
    units = _units(placed)
    drawings = [_rack(rack, placed[rack], units, form) for rack in sorted(placed, key=lambda one: (natural(one[0]), natural(one[1])))]
    drawings += [tray for title in sorted(loose, key=natural) for tray in _trays(title, loose[title], form)]
    said = tag("p", "A stripe is a role, with its letter; a hatched server is absent. Each server leads to its row in the table below.")
    return section("racks", "Racks", said, _legend(form.roles, site), tag("div", drawings, class_="racks"))


def _legend(roles: Sequence[str], site: Site) -> Markup:
    absent = any(one.server.state != "present" for one in site.servers)
    hatched = tag("svg", tag("rect", x=0.5, y=0.5, width=21, height=13, class_="slot absent"), width=22, height=14, aria_hidden="true")
    items: list[Child] = [chip(role) for role in roles]
    if absent:
        items.append((tag("span", hatched, class_="chip"), "absent"))
    return tag("ul", (tag("li", item) for item in items), class_="legend", aria_label="Roles")


def _units(placed: Placed) -> tuple[Unit, ...]:
    """From above to below."""
    lines: dict[int, int] = {}
    for rack in placed.values():
        for unit, servers in rack.items():
            lines[unit] = max(lines.get(unit, 1), len(servers))
    found: list[Unit] = []
    for unit in sorted(lines, reverse=True):
        if found:
            empty = found[-1].first - unit - 1
            if empty > GAP:
                found.append(Unit(unit + 1, unit + empty, 1))
            else:
                found += [Unit(one, one, 1) for one in range(unit + empty, unit, -1)]
        found.append(Unit(unit, unit, lines[unit]))
    return tuple(found)


def _title(rack: tuple[str, str | None]) -> str:
    return f"Rack {rack[1]}, site {rack[0]}" if rack[0] else f"Rack {rack[1]}"


def _form(site: Site) -> Form:
    roles = roles_of(site.plan)
    longest = max(len(shown_name(one)) for one in site.servers)
    chips = RAIL + LETTER * longest + 18
    return Form(roles, chips, chips + CHIP * len(roles) + 2 * EDGE)


def shown_name(one: Shown) -> str:
    absent = one.server.state != "present"
    return f"{shortened(one.server.name, NAME_LETTERS - 9 * absent)}{' (absent)' if absent else ''}"


def _rack(rack: Rack, servers: Mapping[int, Sequence[Shown]], units: Sequence[Unit], form: Form) -> Markup:
    top, drawn = EDGE, list[Markup]()
    for unit in units:
        drawn += _unit(unit, top, form.width)
        for offset, one in enumerate(servers.get(unit.first, ())):
            drawn.append(_server(one, top + offset * LINE, form))
        top += unit.lines * LINE
    everyone = [one for unit in sorted(servers) for one in servers[unit]]
    return _drawing(_title(rack), everyone, drawn, form.width, top + EDGE)


def _unit(unit: Unit, top: int, width: int) -> Iterator[Markup]:
    yield tag("line", x1=RAIL, x2=width - EDGE, y1=top + unit.lines * LINE, y2=top + unit.lines * LINE, class_="thin")
    if unit.first == unit.last:
        yield tag("text", unit.first, x=RAIL - 6, y=top + 15, text_anchor="end", class_="soft")
    else:
        yield tag("text", f"⋮ units {unit.first} to {unit.last} are empty in all racks", x=RAIL + 6, y=top + 15, class_="soft")


def _trays(title: str, servers: Sequence[Shown], form: Form) -> Iterator[Markup]:
    parts = [servers[start : start + TRAY] for start in range(0, len(servers), TRAY)]
    for number, part in enumerate(parts, 1):
        drawn = [_server(one, EDGE + n * LINE, form) for n, one in enumerate(part)]
        counted = f"{title} ({number} of {len(parts)})" if len(parts) > 1 else title
        yield _drawing(counted, part, drawn, form.width, 2 * EDGE + len(part) * LINE)


def _drawing(title: str, servers: Sequence[Shown], drawn: Sequence[Markup], width: int, height: int) -> Markup:
    """A group, not an image: its links are for everybody."""
    frame = tag("rect", x=1, y=1, width=width - 2, height=height - 2, rx=3, class_="frame")
    described = tag("desc", f"{numbered(servers, 'server')}, from below to above: {commas(one.server.name for one in servers)}")
    return tag(
        "figure",
        tag("figcaption", tag("b", title), f" · {numbered(servers, 'server')}"),
        tag(
            "svg", tag("title", title), described, frame, drawn,
            role="group", aria_label=title, width=width, height=height, viewBox=f"0 0 {width} {height}",
        ),
        class_="rack",
    )  # fmt: skip


def _server(one: Shown, top: int, form: Form) -> Markup:
    server = one.server
    absent = server.state != "present"
    label = f"{server.name}{' (absent)' if absent else ''}: {commas(server.roles) or 'no role'}; {place(server.location)}"
    stripes = [
        (
            tag("rect", x=form.chips + n * CHIP, y=top + 3, width=CHIP - 2, height=LINE - 6, rx=1, class_=role),
            tag("text", letter(role), x=form.chips + n * CHIP + CHIP / 2 - 1, y=top + 15, class_="letter"),
        )
        for n, role in enumerate(form.roles)
        if role in server.roles
    ]
    slot = tag("rect", x=RAIL, y=top + 1, width=form.width - RAIL - EDGE, height=LINE - 2, rx=2, class_="slot absent" if absent else "slot")
    name = tag("text", shown_name(one), x=RAIL + 7, y=top + 15, class_="bold")
    return tag("a", tag("title", label), slot, name, stripes, href=f"#{one.anchor}", aria_label=label)
