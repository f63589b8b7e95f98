# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The network map: ports on the left, networks as lanes on the right, and a line from every interface to the networks on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..plan.servers import Interface
from .elements import Child, Markup, tag
from .palette import LANES
from .site import Alike, Site
from .wiring import Line, Trunk, lanes, shape, trunks
from .wording import shortened, speed

LINE = 22
PORTS, PORT = 8, 196
BONDS, BOND = 224, 124
LABELS, LABEL = 372, 142
FIRST_LANE = 544
LANE = 46
ADDRESS = 150
HEAD = 40
TITLE = 24
GAP = 12
# The names of the lanes are said again after so many servers.
AGAIN = 5


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where the lanes are."""

    lanes: tuple[str, ...]
    places: Mapping[str, int]

    @property
    def end(self) -> int:
        return FIRST_LANE + LANE * (len(self.lanes) - 1) + 14

    def colour(self, network: str) -> str:
        return f"net{(self.places[network] - FIRST_LANE) // LANE % LANES}"


def network_map(site: Site) -> Markup:
    names = lanes(site.plan)
    sheet = Sheet(names, {name: FIRST_LANE + LANE * n for n, name in enumerate(names)})
    drawn, top = list[Child](), 0
    for number, alike in enumerate(site.drawn(shape)):
        if number % AGAIN == 0:
            drawn.append(_heads(sheet, top))
            top += HEAD
        block, height = _block(alike, sheet, top)
        drawn.append(block)
        top += height + GAP
    width = sheet.end + ADDRESS
    behind = [tag("line", x1=at, x2=at, y1=HEAD - 4, y2=top, class_=f"lane {sheet.colour(name)}") for name, at in sheet.places.items()]
    picture = tag(
        "svg",
        tag("title", "Network map"),
        tag("desc", "Which ports of each server make which interface, and which networks run on it, as in the table of interfaces."),
        behind,
        drawn,
        role="img",
        aria_label="Network map; the table of interfaces says the same",
        width=width,
        height=top,
        viewBox=f"0 0 {width} {top}",
    )
    return tag("div", picture, class_="scroll map", role="region", aria_label="Network map", tabindex=0)


def _heads(sheet: Sheet, top: int) -> Markup:
    """In two rows, so that long names do not meet."""
    back = tag("rect", x=FIRST_LANE - 34, y=top, width=sheet.end - FIRST_LANE + 68, height=HEAD - 5, class_="back")
    names = (
        tag("text", shortened(name, 12), x=at, y=top + 13 + 17 * (n % 2), text_anchor="middle")
        for n, (name, at) in enumerate(sheet.places.items())
    )
    left = (tag("text", what, x=at, y=top + 30, class_="soft") for what, at in (("ports", PORTS), ("bonds", BONDS), ("interfaces", LABELS)))
    return tag("g", back, left, tag("text", "address", x=sheet.end + 8, y=top + 30, class_="soft"), names)


def _block(alike: Alike, sheet: Sheet, top: int) -> tuple[Markup, int]:
    server = alike.first
    more = len(alike.servers) - 1
    said = f"{server.name} and {more} more that are wired alike" if more else server.name
    absent = " (absent)" if server.state != "present" else ""
    drawn: list[Child] = [tag("text", said, absent, x=PORTS, y=top + 15, class_="bold")]
    height = TITLE
    for trunk in trunks(server, sheet.lanes):
        drawn.append(list(_trunk(trunk, sheet, top + height, own_addresses=not more)))
        height += _lines(trunk) * LINE + 4
    drawn.append(tag("line", x1=0, x2=sheet.end + ADDRESS, y1=top + height + GAP / 2, y2=top + height + GAP / 2, class_="thin"))
    return tag("g", drawn), height


def _lines(trunk: Trunk) -> int:
    return max(len(trunk.ports), len(trunk.lines), 1)


def _spread(middle: float, position: int, count: int) -> float:
    return middle + (position - (count - 1) / 2) * LINE


def _trunk(trunk: Trunk, sheet: Sheet, top: int, *, own_addresses: bool) -> Iterator[Child]:
    middle = top + _lines(trunk) * LINE / 2
    bond = trunk.top.kind == "bond"
    joint = BONDS if bond else LABELS - 14
    for n, port in enumerate(trunk.ports):
        at = _spread(middle, n, len(trunk.ports))
        yield _box(PORTS, PORT, at, _port(port), "port")
        yield _wire(PORTS + PORT, at, joint, middle)
    if bond:
        yield _box(BONDS, BOND, middle, f"{shortened(trunk.top.name, 9)} {_mode(trunk.top)}", "port")
    for n, line in enumerate(trunk.lines):
        at = _spread(middle, n, len(trunk.lines))
        yield _wire(BONDS + BOND if bond else LABELS - 14, middle, LABELS - 2, at)
        yield from _line(line, sheet, at, own_addresses=own_addresses)


def _line(line: Line, sheet: Sheet, at: float, *, own_addresses: bool) -> Iterator[Child]:
    interface = line.interface
    vlan = f" VLAN {interface.vlan}" if interface.vlan is not None else ""
    yield tag("text", f"{shortened(interface.name, 15)}{vlan}", x=LABELS + 2, y=at + 4)
    last = max(sheet.places[name] for name in line.networks)
    yield tag("line", x1=LABELS + LABEL, x2=last, y1=at, y2=at, class_="wire")
    own = {address.network for address in interface.addresses}
    for name in line.networks:
        kind = sheet.colour(name) if name in own else f"{sheet.colour(name)} hollow"
        yield tag("circle", tag("title", name), cx=sheet.places[name], cy=at, r=5, class_=kind)
    if own_addresses:
        said = ", ".join(address.cidr for address in interface.addresses) or "no address"
        yield tag("text", shortened(said, 22), x=sheet.end + 8, y=at + 4, class_=None if own else "soft")


def _port(port: Interface) -> str:
    where = "/".join(filter(None, (port.adapter, port.port)))
    return f"{shortened(port.name, 10)} · {shortened(where, 12)} · {speed(port.speed_mbps).removesuffix('bit/s')}"


def _mode(bond: Interface) -> str:
    return {"802.3ad": "LACP", "active-backup": "a/b"}.get(bond.mode or "", "")


def _box(left: int, width: int, middle: float, said: str, kind: str) -> Sequence[Markup]:
    return (
        tag("rect", x=left, y=middle - 9, width=width, height=18, rx=2, class_=kind),
        tag("text", said, x=left + 6, y=middle + 4),
    )


def _wire(x1: int, y1: float, x2: int, y2: float) -> Markup:
    if y1 == y2:
        return tag("line", x1=x1, x2=x2, y1=y1, y2=y2, class_="wire")
    half = (x1 + x2) / 2
    return tag("path", d=f"M{x1} {y1:g}C{half:g} {y1:g} {half:g} {y2:g} {x2} {y2:g}", class_="wire")
