# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of servers: given once, kept for ever."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .identity import Identity
from .intent import Intent
from .machines import Machine
from .objections import Found, Kind

LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
DOMAIN = re.compile(rf"{LABEL.pattern}(\.{LABEL.pattern})*")
# Linux gives no more to a host, and Nova's compute service is known by it.
LONGEST_NAME = 64
FORMAT_KEYS = ("site", "number", "rack", "unit", "serial")

NAME_FORMAT = Kind(
    code="name_format",
    title="The format of names cannot be used",
    rank=30,
    why="Every server needs a name that stays.",
    cure=f"Use only {', '.join(f'{{{key}}}' for key in FORMAT_KEYS)}, for example {{site}}-{{number:02d}}",
)
NAME_INVALID = Kind(
    code="name_invalid",
    title="A name is no host name",
    rank=30,
    why="Host names are lower-case letters, digits and dashes; RabbitMQ, Ceph and Kubernetes refuse others.",
    cure="Correct it in names or name_format",
)
NAME_DUPLICATE = Kind(
    code="name_duplicate",
    title="Two servers would have one name",
    rank=30,
    why="A name stands for one server in every engine.",
    cure="Give different names, or use {number} in name_format",
)
NAME_WOULD_MOVE = Kind(
    code="name_would_move",
    title="A server would get another name",
    rank=30,
    why="Nova, Ceph, RabbitMQ and etcd know a host by its name; a renamed one is a new one to them.",
    cure="Take the name back out of names, or add `names` to allow_moves if nothing is deployed yet",
)
NAMES_UNKNOWN = Kind(
    code="names_unknown",
    title="A name is given to a server that is not found",
    severity="warning",
    why="It may be a mistyped serial.",
    cure="Correct the serial in names, or take the entry out",
)
DOMAIN_WOULD_MOVE = Kind(
    code="domain_would_move",
    title="The domain would change",
    rank=30,
    why="Every FQDN and every certificate of the site is made of it, and Keystone's endpoints are.",
    cure="Set domain back, or add `names` to allow_moves if nothing is deployed yet",
)
DOMAIN_INVALID = Kind(
    code="domain_invalid",
    title="The domain is no DNS name",
    rank=30,
    why="FQDNs and the names in certificates are made of it.",
    cure="Give a name such as cloud.example, in lower case and without a dot at the end",
)


def name_machines(identity: Identity, intent: Intent, domain: str | None = None) -> tuple[Identity, list[Found]]:
    """Every machine with its name, in the order of their places. `domain` is that of the previous plan."""
    found = list(_check(identity, intent))
    if domain and domain != intent.domain and "names" not in intent.allow_moves:
        found.append(DOMAIN_WOULD_MOVE.of("domain", f"the domain is {domain}, and would be {intent.domain}", path="domain"))
    names: dict[str, str] = {}
    for machine in identity.machines:
        old = identity.before.get(machine.id)
        wish = intent.names.get(machine.id)
        if old and wish and wish != old.name and "names" not in intent.allow_moves:
            found.append(NAME_WOULD_MOVE.of(old.name, f"names calls {machine.id} {wish}, and it is {old.name}", path=f"names.{machine.id}"))
            wish = old.name
        if wish or old:
            names[machine.id] = wish or old.name  # type: ignore[union-attr]
    taken = {*names.values(), *intent.names.values(), *(one.name for one in identity.absent)}
    try:
        names |= _new_names([one for one in identity.machines if one.id not in names], intent, taken)
    except (AttributeError, KeyError, IndexError, ValueError, TypeError) as exc:
        found.append(NAME_FORMAT.of("name_format", f"`{intent.name_format}` cannot be filled in: {exc}", path="name_format"))
        names |= {one.id: one.id.lower() for one in identity.machines if one.id not in names}
    found += _against([*names.values(), *(one.name for one in identity.absent)])
    return replace(identity, machines=tuple(replace(one, name=names[one.id]) for one in identity.machines)), found


def _new_names(machines: Sequence[Machine], intent: Intent, taken: set[str]) -> dict[str, str]:
    """The next free number for each; a format without a number gives each server the name that it gives."""
    names = {}
    number = 0
    numbered = "{number" in intent.name_format
    for machine in machines:
        name = last = ""
        while not name or (numbered and name in taken):
            number += 1
            at = machine.server.location
            name = intent.name_format.format(
                site=intent.name, number=number, rack=(at.rack or "x").lower(), unit=at.unit or 0, serial=machine.id.lower()
            )
            if name == last:
                raise ValueError("it gives no name, or the same for every number")
            last = name
        names[machine.id] = name
        taken.add(name)
    return names


def _check(identity: Identity, intent: Intent) -> Iterator[Found]:
    known = {one.id for one in identity.machines} | {one.id for one in identity.absent}
    for serial in sorted(intent.names.keys() - known):
        yield NAMES_UNKNOWN.of(
            serial, f"names gives {serial} the name {intent.names[serial]}, and no such server is found", path=f"names.{serial}"
        )
    if not DOMAIN.fullmatch(intent.domain):
        yield DOMAIN_INVALID.of("domain", f"the domain is `{intent.domain}`", path="domain")


def _against(names: Sequence[str]) -> Iterator[Found]:
    for name, times in sorted(Counter(names).items()):
        if times > 1:
            yield NAME_DUPLICATE.of(name, f"{times} servers would be called {name}")
        if not LABEL.fullmatch(name) or len(name) > LONGEST_NAME:
            yield NAME_INVALID.of(name, f"`{name}` is no host name")


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """A key that puts rack-9 before rack-10."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"([0-9]+)", name) if part)
