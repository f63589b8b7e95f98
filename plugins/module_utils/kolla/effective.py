# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Kolla will see: the variables of a configuration directory in Kolla's own order, templates resolved as far as files can tell."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError, Undefined, meta
from jinja2.sandbox import SandboxedEnvironment

TEMPLATE = re.compile(r"\{[{%#]")
WHOLE = re.compile(r"\s*\{\{(?P<expression>(?:(?!\}\}|\{\{).)*)\}\}\s*", re.DOTALL)
TRUE, FALSE = ("yes", "on", "1", "true", "y", "t"), ("no", "off", "0", "false", "n", "f", "")
# What only a run of Ansible against the hosts knows.
OF_A_RUN = frozenset({"ansible_facts", "hostvars", "vars", "lookup", "query", "q", "omit", "ansible_play_batch", "ansible_version"})
# A template that refers to itself through others ends here.
DEEPEST = 20


class Unknown(enum.Enum):
    """A value that files cannot tell: it is judged by nobody."""

    VALUE = "unknown"


UNKNOWN = Unknown.VALUE


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and the file that gives it; Kolla's own defaults have none."""

    file: str
    value: Any


def to_bool(value: object) -> bool | None:
    """As Ansible's filter `bool` takes it, None for what is neither."""
    if isinstance(value, bool) or value is None:
        return bool(value)
    text = str(value).strip().lower()
    return True if text in TRUE else False if text in FALSE else None


def to_int(value: object) -> int | None:
    """A whole number, also as text; not a truth value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value.strip(), re.ASCII) else None


def is_template(value: object) -> bool:
    return isinstance(value, str) and bool(TEMPLATE.search(value))


def has_template(value: object) -> bool:
    """Whether a template stands anywhere in a value."""
    if isinstance(value, Mapping):
        return any(has_template(one) for one in value.values())
    return any(has_template(one) for one in value) if isinstance(value, list) else is_template(value)


def template_mistake(value: object) -> str | None:
    """Why a value cannot be a template, if it looks like one."""
    if isinstance(value, Mapping):
        return next((said for one in value.values() if (said := template_mistake(one))), None)
    if isinstance(value, list):
        return next((said for one in value if (said := template_mistake(one))), None)
    try:
        if isinstance(value, str) and TEMPLATE.search(value):
            _environment().parse(value)
    except TemplateError as exc:
        return str(exc)
    return None


@cache
def _environment() -> SandboxedEnvironment:
    made = SandboxedEnvironment(undefined=StrictUndefined)
    made.filters["bool"] = lambda value: bool(to_bool(value))
    return made


@cache
def _names(template: str) -> frozenset[str]:
    return frozenset(meta.find_undeclared_variables(_environment().parse(template)))


def _rendered(template: str, names: Mapping[str, Any]) -> Any:
    """One expression keeps its type, as in Ansible; anything around it makes a text."""
    if whole := WHOLE.fullmatch(template):
        return _environment().compile_expression(whole["expression"], undefined_to_none=False)(**names)
    return _environment().from_string(template).render(names)


@dataclass
class Variables:
    """`extra` are globals.yml, passwords.yml and globals.d, which win; then come those of hosts, of groups, and Kolla's defaults."""

    extra: Mapping[str, Setting]
    hosts: Mapping[str, Mapping[str, Setting]]
    groups: Mapping[str, Mapping[str, Setting]]
    defaults: Mapping[str, Any]
    members: Mapping[str, tuple[str, ...]]
    _seen: dict[tuple[str, str | None], Any] = field(default_factory=dict)

    def setting(self, key: str, host: str | None = None) -> Setting | None:
        """Who sets a key, and to what; None where that is Kolla itself."""
        if key in self.extra:
            return self.extra[key]
        if host is None:
            return None
        if key in self.hosts.get(host, ()):
            return self.hosts[host][key]
        # Of two groups the smaller one is the deeper one, whose variables win.
        holders = [name for name, given in self.groups.items() if key in given and host in self.members.get(name, ())]
        deepest = min(holders, key=lambda name: (len(self.members[name]), name), default=None)
        return self.groups[deepest][key] if deepest else None

    def file(self, key: str, host: str | None = None) -> str:
        """Where a reader looks for a key."""
        found = self.setting(key, host)
        return found.file if found else "globals.yml"

    def value(self, key: str, host: str | None = None) -> Any:
        """What Kolla takes a key for; UNKNOWN if files do not tell."""
        if (key, host) not in self._seen:
            self._seen[key, host] = self._value(key, host, 0)
        return self._seen[key, host]

    def default(self, key: str) -> Any:
        """What a key would be if nobody set it, with everything else as it is."""
        return self._resolved(self.defaults.get(key), None, 1)

    def true(self, key: str, host: str | None = None) -> bool:
        """Whether a switch is on for sure."""
        value = self.value(key, host)
        return value is not UNKNOWN and to_bool(value) is True

    def text(self, key: str, host: str | None = None) -> str | None:
        """A text or number as text, "" for nothing; None if files do not tell."""
        value = self.value(key, host)
        return None if value is UNKNOWN or isinstance(value, Mapping | list) else "" if value is None else str(value)

    def _value(self, key: str, host: str | None, depth: int) -> Any:
        found = self.setting(key, host)
        return self._resolved(found.value if found else self.defaults.get(key), host, depth)

    def _resolved(self, value: Any, host: str | None, depth: int) -> Any:
        if isinstance(value, Mapping | list):
            return UNKNOWN if has_template(value) else value
        if not is_template(value):
            return value
        try:
            names = _names(value)
            if depth > DEEPEST or names & OF_A_RUN:
                return UNKNOWN
            known = {name: self._name(name, host, depth + 1) for name in names if self._defined(name, host)}
            made = UNKNOWN if any(one is UNKNOWN for one in known.values()) else _rendered(value, known)
            return UNKNOWN if isinstance(made, Undefined) else made
        except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError):
            return UNKNOWN

    def _defined(self, name: str, host: str | None) -> bool:
        return name in ("groups", "inventory_hostname") or self.setting(name, host) is not None or name in self.defaults

    def _name(self, name: str, host: str | None, depth: int) -> Any:
        if name == "groups":
            return self.members
        if name == "inventory_hostname":
            return host or UNKNOWN
        return self._value(name, host, depth)


def merged(layers: Iterable[Mapping[str, Setting]]) -> dict[str, Setting]:
    """Later layers win."""
    return {key: setting for layer in layers for key, setting in layer.items()}
