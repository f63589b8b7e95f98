# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A role's inputs are described once, named after it, and nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.tree import files, load, name, roles

Mapping = dict[str, Any]


def check_defaults(options: Mapping, defaults: Mapping) -> Iterator[str]:
    """The specification and defaults/main.yml agree; a required input has no default."""
    for option, spec in options.items():
        if spec.get("required") and option in defaults:
            yield f"{option} is required, and has a default"
        elif not spec.get("required") and "default" not in spec:
            yield f"{option} is neither required nor has it a default"
        elif not spec.get("required") and option not in defaults:
            yield f"{option} is not in defaults/main.yml"
        elif not spec.get("required") and spec["default"] != defaults[option]:
            yield f"{option} is {defaults[option]!r} in defaults/main.yml and {spec['default']!r} in the specification"
    yield from (f"{option} is not in the specification" for option in defaults if option not in options)


# The one variable that belongs to the site and to no role.
INTENT = "vitro_site"


def check_names(role: str, public: Mapping, internal: Mapping, tasks: list[Mapping]) -> Iterator[str]:
    """Public names begin with the role's name, all others with two underscores and it."""
    yield from (f"{option} does not begin with {role}_" for option in public if not option.startswith(f"{role}_") and option != INTENT)
    found = [*internal, *(task["register"] for task in tasks if "register" in task)]
    found += [fact for task in tasks for fact in task.get("ansible.builtin.set_fact", {})]
    yield from (f"{variable} does not begin with __{role}_" for variable in found if not variable.startswith(f"__{role}_"))


def check_tags(role: str, tasks: list[Mapping]) -> Iterator[str]:
    """tasks/main.yml only names phases, each with tags of its own: <role>_<phase>."""
    for task in tasks:
        phase = re.fullmatch(r"(\w+)\.yml", str(task.get("ansible.builtin.import_tasks")))
        if not phase:
            yield f"{task.get('name')} imports no file of tasks"
        elif f"{role}_{phase[1]}" not in task.get("tags", []):
            yield f"{task.get('name')} has no tag {role}_{phase[1]}"
        elif wrong := [tag for tag in task["tags"] if not tag.startswith(f"{role}_")]:
            yield f"{task.get('name')} has the tag {wrong[0]}"


def flat(tasks: list[Mapping]) -> Iterator[Mapping]:
    for task in tasks or []:
        yield task
        for part in ("block", "rescue", "always"):
            yield from flat(task.get(part, []))


def phase(file: str, *tags: str) -> Mapping:
    return {"name": "X", "ansible.builtin.import_tasks": file, "tags": list(tags)}


CASES = [
    (check_defaults, ({"a_x": {"default": 1}, "a_y": {"required": True}}, {"a_x": 1}), None),
    (check_defaults, ({"a_x": {"default": 1}}, {"a_x": 2}), "a_x is 2 in"),
    (check_defaults, ({"a_x": {"default": 1}}, {}), "a_x is not in defaults"),
    (check_defaults, ({}, {"a_x": 1}), "a_x is not in the specification"),
    (check_defaults, ({"a_x": {"required": True}}, {"a_x": 1}), "a_x is required, and"),
    (check_defaults, ({"a_x": {}}, {}), "a_x is neither"),
    (check_names, ("a", {"a_x": 1}, {"__a_y": 1}, [{"register": "__a_z"}, {"ansible.builtin.set_fact": {"__a_f": 1}}]), None),
    (check_names, ("a", {"vitro_site": 1}, {}, []), None),
    (check_names, ("a", {"x": 1}, {}, []), "x does not begin with a_"),
    (check_names, ("a", {}, {"a_y": 1}, []), "a_y does not begin with __a_"),
    (check_names, ("a", {}, {}, [{"register": "found"}]), "found does not begin"),
    (check_names, ("a", {}, {}, [{"ansible.builtin.set_fact": {"fact": 1}}]), "fact does not begin"),
    (check_tags, ("a", [phase("apply.yml", "a_apply", "a_verify")]), None),
    (check_tags, ("a", [phase("apply.yml")]), "X has no tag a_apply"),
    (check_tags, ("a", [phase("apply.yml", "a_apply", "always")]), "X has the tag always"),
    (check_tags, ("a", [{"name": "X", "ansible.builtin.debug": {}}]), "X imports no file"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "given", "complaint"), CASES)
def test_rule(rule, given, complaint):
    found = list(rule(*given))
    assert len(found) == (complaint is not None)
    assert not complaint or found[0].startswith(complaint)


def options(role: Any) -> Mapping:
    """What every entry point takes, by name."""
    specs = load(role / "meta/argument_specs.yml")["argument_specs"]
    return {option: spec for entry in specs.values() for option, spec in entry.get("options", {}).items()}


@pytest.mark.parametrize("role", roles(), ids=name)
def test_role(role):
    tasks = [task for path in files(f"{name(role)}/tasks/*.yml", f"{name(role)}/handlers/*.yml") for task in flat(load(path))]
    complaints = [
        *check_defaults(options(role), load(role / "defaults/main.yml") or {}),
        *check_names(role.name, options(role), load(role / "vars/main.yml") or {}, tasks),
        *check_tags(role.name, load(role / "tasks/main.yml")),
    ]
    assert complaints == []


@pytest.mark.parametrize("role", roles(), ids=name)
def test_role_knows_no_other(role):
    """What crosses from role to role is a document, never a variable."""
    text = "\n".join(path.read_text() for path in files(f"{name(role)}/*.yml", f"{name(role)}/*.j2"))
    foreign = [option for other in roles() if other != role for option in options(other) if re.search(rf"\b{option}\b", text)]
    assert foreign == []


@pytest.mark.parametrize("role", roles(), ids=name)
def test_role_is_described(role):
    assert (role / "README.md").exists()


@pytest.mark.parametrize("path", files("playbooks/*.yml"), ids=name)
def test_playbook_tags_roles_by_name(path):
    used = [role for play in load(path) for role in play.get("roles", [])]
    assert [role.get("tags") for role in used] == [[role["role"].rpartition(".")[2]] for role in used]
