# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a configuration directory for the checks: what is in it, and what in it cannot be read."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

import yaml

from ..plan.servers import PlannedServer
from ..plan.types import Plan
from .check_ini import Inventory, parse_inventory
from .effective import UNKNOWN, Setting, Variables, merged
from .findings import Finding, Kind
from .package import Package
from .tree import File, Tree

HOSTS, GLOBALS, PASSWORDS = "inventory/hosts", "globals.yml", "passwords.yml"
HOST_VARS, GROUP_VARS = "inventory/host_vars/", "inventory/group_vars/"
ENDINGS = (".yml", ".yaml", ".json")
# Stands for Kolla's configuration directory in values.
CONFIG = "@config"

FILE_MISSING = Kind(
    "file_missing",
    "A file without which Kolla cannot run is not there",
    "Render the topology: frontier.vitro.render",
    "Stops at once: without an inventory or globals.yml nothing runs",
)
YAML_BROKEN = Kind(
    "yaml_broken",
    "A file is no YAML, or no map from keys to values",
    "Correct the file at the place that is named; if it is a rendered one, render it again",
    "Stops at once, with Ansible's message about the file",
)
KEY_TWICE = Kind(
    "key_twice",
    "A key stands in one file twice, and the last one counts",
    "Remove one of the two",
    "Ansible warns in passing and takes the last one",
)
INVENTORY_BROKEN = Kind(
    "inventory_broken",
    "A line of the inventory is neither a section nor a host",
    "Correct the line, or render the topology again",
    "Ansible warns that it cannot parse the inventory, and goes on with an empty one",
)


# libyaml's is ten times as fast; not every PyYAML has it.
FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(FAST):  # type: ignore[misc]
    """Notes keys that stand twice; takes values that Ansible would decrypt for unknown."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.twice: list[tuple[str, int]] = []

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - PyYAML's own
        names = [(key.value, key.start_mark.line + 1) for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        seen: set[str] = set()
        for name, line in names:
            if name in seen:
                self.twice.append((name, line))
            seen.add(name)
        made: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return made


_Loader.add_constructor("!vault", lambda _loader, _node: UNKNOWN)
_Loader.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(node))


def read_yaml(path: str, file: File, findings: list[Finding]) -> dict[str, Any]:
    """The keys of a file; what is wrong with it goes to the findings. Of a secret file they name places only."""
    try:
        loader = _Loader(file.text)
        data = loader.get_single_data()
    except yaml.MarkedYAMLError as exc:
        line = exc.problem_mark.line + 1 if exc.problem_mark else 1
        said = "" if file.secret or path == PASSWORDS else f": {exc.problem}"
        findings.append(YAML_BROKEN.of(path, f"line {line} is no YAML{said}", value=f"line {line}"))
        return {}
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as exc:
        findings.append(YAML_BROKEN.of(path, f"it is no YAML: {type(exc).__name__}"))
        return {}
    findings += [KEY_TWICE.of(path, f"`{key}` stands again in line {line}", key=key, value=f"line {line}") for key, line in loader.twice]
    if data is None:
        return {}
    if not isinstance(data, dict):
        findings.append(YAML_BROKEN.of(path, f"it is a {type(data).__name__} and no map from keys to values"))
        return {}
    return {str(key): value for key, value in data.items()}


@dataclass
class Site:
    """A plan, and the directory that was made of it."""

    plan: Plan
    tree: Tree
    package: Package
    now: datetime
    inventory: Inventory
    variables: Variables
    findings: list[Finding] = field(default_factory=list)

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        return self.variables.members

    @cached_property
    def servers(self) -> dict[str, PlannedServer]:
        """Those that stand in the rack, by name."""
        return {one.name: one for one in self.plan.servers if one.state == "present"}

    def hosts(self, *groups: str) -> list[str]:
        """Planned hosts in any of these groups of the inventory."""
        found = {host for group in groups for host in self.members.get(group, ())}
        return [name for name in self.servers if name in found]


def read_site(plan: Plan, tree: Tree, package: Package, now: datetime) -> Site:
    findings = [
        FILE_MISSING.of(path, f"there is no {path}") for path in (HOSTS, GLOBALS) if path not in tree or not tree[path].text.strip()
    ]
    inventory = parse_inventory(tree[HOSTS].text if HOSTS in tree else "")
    findings += [
        INVENTORY_BROKEN.of(HOSTS, f"line {number} is neither a section nor a host: `{line[:60]}`", value=line[:60])
        for number, line in inventory.broken.items()
    ]
    extra = merged(_settings(path, tree, findings) for path in _extra_files(tree))
    variables = Variables(
        extra=extra,
        hosts=dict(_by_name(HOST_VARS, tree, findings)),
        groups={name: given for name, given in _by_name(GROUP_VARS, tree, findings) if name != "all"},
        defaults=package_defaults(package),
        members=inventory.members(),
    )
    return Site(plan, tree, package, now, inventory, variables, findings)


def _extra_files(tree: Tree) -> Iterator[str]:
    """In the order in which Kolla hands them to Ansible."""
    yield from (path for path in (GLOBALS, PASSWORDS) if path in tree)
    yield from sorted(path for path in tree if path.startswith("globals.d/") and path.count("/") == 1 and path.endswith(ENDINGS))


def _settings(path: str, tree: Tree, findings: list[Finding]) -> dict[str, Setting]:
    return {key: Setting(path, value) for key, value in read_yaml(path, tree[path], findings).items()}


def _by_name(folder: str, tree: Tree, findings: list[Finding]) -> Iterator[tuple[str, dict[str, Setting]]]:
    """Variables of hosts or groups: NAME.yml, NAME, or files in a folder NAME."""
    found: dict[str, dict[str, Setting]] = {}
    for path in sorted(path for path in tree if path.startswith(folder)):
        first = PurePosixPath(path.removeprefix(folder)).parts[0]
        name = first.removesuffix(PurePosixPath(first).suffix) if first.endswith(ENDINGS) else first
        found.setdefault(name, {}).update(_settings(path, tree, findings))
    yield from found.items()


_DEFAULTS: dict[Package, dict[str, Any]] = {}


def package_defaults(package: Package) -> dict[str, Any]:
    """What every variable is by default; read once. Those for all groups win over those of roles, as in Ansible."""
    if package not in _DEFAULTS:
        ansible = package.data / "ansible"
        files = [*sorted(ansible.glob("roles/*/defaults/*.yml")), *sorted(ansible.glob("group_vars/**/*.yml"))]
        # Paths below Kolla's configuration directory then begin with this.
        found: dict[str, Any] = {"CONFIG_DIR": CONFIG}
        for path in files:
            found |= yaml.load(path.read_text(), Loader=FAST) or {}  # noqa: S506 - one of the safe loaders
        _DEFAULTS[package] = found
    return _DEFAULTS[package]
