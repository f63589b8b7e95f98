# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An inventory in Ansible's INI form: groups, their hosts and children."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

SECTION = re.compile(r"\[(?P<name>[^\s\[\]:]+)(?::(?P<kind>children|vars|hosts))?\]")
NAME = re.compile(r"[A-Za-z0-9._-]+(?:\[[0-9a-z]+:[0-9a-z]+\][A-Za-z0-9._-]*)?")


@dataclass
class Group:
    hosts: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)


@dataclass
class Inventory:
    """`broken` are the lines that are no inventory, by their numbers; `declared` are groups with a section of their own."""

    groups: dict[str, Group] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    broken: dict[int, str] = field(default_factory=dict)

    def members(self) -> dict[str, tuple[str, ...]]:
        """Every group with all hosts in it and below it. A group inside itself adds nothing."""
        known: dict[str, tuple[str, ...]] = {}
        for name in self.groups:
            self._resolve(name, known, ())
        return known

    def loops(self) -> list[str]:
        """Groups that lie inside themselves."""
        return sorted(name for name in self.groups if name in self._below(name, set()))

    @property
    def hosts(self) -> set[str]:
        return {host for group in self.groups.values() for host in group.hosts}

    def _resolve(self, name: str, known: dict[str, tuple[str, ...]], above: tuple[str, ...]) -> tuple[str, ...]:
        if name not in known:
            group = self.groups.get(name, Group())
            below = [self._resolve(child, known, (*above, name)) for child in group.children if child not in (*above, name)]
            found = tuple(dict.fromkeys([*group.hosts, *(host for hosts in below for host in hosts)]))
            if above:
                return found
            known[name] = found
        return known[name]

    def _below(self, name: str, seen: set[str]) -> set[str]:
        for child in self.groups.get(name, Group()).children:
            if child not in seen:
                seen.add(child)
                self._below(child, seen)
        return seen


def parse_inventory(text: str) -> Inventory:
    found = Inventory()
    group, kind = Group(), "hosts"
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition(" #")[0].strip()
        if not line or line[0] in "#;":
            continue
        if section := SECTION.fullmatch(line):
            group, kind = found.groups.setdefault(section["name"], Group()), section["kind"] or "hosts"
            found.declared.add(section["name"])
        elif kind == "vars":
            continue
        elif not NAME.fullmatch(word := line.split()[0]) or (kind == "children" and word != line):
            found.broken[number] = line
        elif kind == "children":
            group.children.append(word)
        else:
            group.hosts.append(word)
    return found


def with_hosts(children: Inventory, hosts: Mapping[str, tuple[str, ...]]) -> Inventory:
    """The inventory that host groups and a package's part of children make together."""
    own = {name: Group(hosts=list(names)) for name, names in hosts.items()}
    return Inventory({**own, **children.groups}, {*own, *children.declared})
