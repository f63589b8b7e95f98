# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan as the sections of the report see it: where each server stands on the page, and which servers are alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..plan.servers import PlannedServer
from ..plan.types import Plan
from .elements import Child, Markup, tag
from .wording import commas

LETTERS: Final = {
    "control": "C",
    "network": "N",
    "compute": "P",
    "storage": "S",
    "monitoring": "M",
    "fmc": "F",
    "arbiter": "A",
    "spare": "R",
}
WORDS: Final = {"fmc": "FMC"}
# Up to here every server is drawn; above, one for all that are alike.
DRAWN = 24
NAMED = 6
PLAIN = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Shown:
    server: PlannedServer
    anchor: str

    def link(self) -> Markup:
        return tag("a", self.server.name, href=f"#{self.anchor}")


@dataclass(frozen=True, slots=True)
class Alike:
    """Servers that differ in nothing that a drawing shows; the first stands for all."""

    servers: tuple[Shown, ...]

    @property
    def first(self) -> PlannedServer:
        return self.servers[0].server


@dataclass(frozen=True, slots=True)
class Site:
    plan: Plan
    servers: tuple[Shown, ...]
    anchors: dict[str, str]

    @property
    def large(self) -> bool:
        return len(self.servers) > DRAWN

    def link(self, name: str) -> Child:
        """The name; as a link where it is that of a server."""
        anchor = self.anchors.get(name)
        return tag("a", name, href=f"#{anchor}") if anchor else name

    def links(self, names: Sequence[str]) -> Child:
        """All names; those of a long list are folded away behind the first ones."""
        linked = _between(self.link(name) for name in names)
        if len(names) <= NAMED:
            return linked or "none"
        folded = tag("summary", f"{commas(names[:3])} and {len(names) - 3} more")
        return tag("details", folded, linked)

    def alike(self, key: Callable[[PlannedServer], Hashable]) -> tuple[Alike, ...]:
        """Servers with the same key together, in the order of the plan."""
        found: dict[Hashable, list[Shown]] = {}
        for one in self.servers:
            found.setdefault(key(one.server), []).append(one)
        return tuple(Alike(tuple(servers)) for servers in found.values())

    def drawn(self, key: Callable[[PlannedServer], Hashable]) -> tuple[Alike, ...]:
        """On a small site each server by itself."""
        return self.alike(key) if self.large else tuple(Alike((one,)) for one in self.servers)

    def who(self, alike: Alike) -> Child:
        """The servers of a row or drawing."""
        if len(alike.servers) == 1:
            return alike.servers[0].link()
        names = tuple(one.server.name for one in alike.servers)
        return (f"{len(names)} servers ", tag("div", self.links(names), class_="names"))


def site_of(plan: Plan) -> Site:
    shown, anchors = [], dict[str, str]()
    for position, server in enumerate(plan.servers, 1):
        plain = PLAIN.fullmatch(server.name) and server.name not in anchors
        anchor = f"server-{server.name}" if plain else f"place-{position}"
        anchors.setdefault(server.name, anchor)
        shown.append(Shown(server, anchor))
    return Site(plan, tuple(shown), anchors)


def letter(role: str) -> str:
    return LETTERS.get(role) or role[:1].upper()


def chip(role: str) -> Markup:
    return tag("span", tag("b", letter(role)), WORDS.get(role, role), class_=f"chip {role}")


def roles_of(plan: Plan) -> tuple[str, ...]:
    """The roles that somebody has, in the order of the legend."""
    used = {role for server in plan.servers for role in server.roles}
    return (*(role for role in LETTERS if role in used), *sorted(used - LETTERS.keys()))


def _between(items: Iterable[Child]) -> list[Child]:
    joined: list[Child] = []
    for item in items:
        joined += [", ", item] if joined else [item]
    return joined
