# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What users read is there, agrees with the code, and says nothing of the machine it was written on."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.tree import ROOT, constants, files, name, plugins, roles, tracked

# Which kinds of plugin give something back that is worth a description.
RETURNING = ("modules", "filter", "lookup")
PLACES = (
    r"(?<![\w.])/(?:work|home/\w+|Users/\w+)/[\w.-]+",
    r"(?:pypi|pythonhosted|galaxy\.ansible|docker|quay|ghcr)\.(?:org|com|io)\b",
)
COMPARED = {"type": "str", "elements": None, "required": False, "default": None, "choices": None}


def check_constants(kind: str, found: dict[str, str]) -> Iterator[str]:
    for part in ("DOCUMENTATION", "EXAMPLES", *(["RETURN"] if kind in RETURNING else [])):
        if not found.get(part, "").strip():
            yield f"there is no {part}"
    documentation = yaml.safe_load(found.get("DOCUMENTATION", "")) or {}
    if "version_added" not in documentation:
        yield "there is no version_added"
    if str(documentation.get("short_description", ".")).endswith("."):
        yield "short_description is missing, or ends with a full stop"


def check_arguments(spec: dict[str, Any], documented: dict[str, Any], path: str = "") -> Iterator[str]:
    """The argument spec accepts what the documentation describes, and nothing else."""
    for option in sorted(spec.keys() | documented.keys()):
        if option not in spec or option not in documented:
            yield f"{path}{option} is not {'documented' if option in spec else 'accepted'}"
            continue
        ours, theirs = spec[option], documented[option]
        for key, default in COMPARED.items():
            if ours.get(key, default) != theirs.get(key, default):
                yield f"{path}{option}: {key} is {ours.get(key, default)!r}, documented as {theirs.get(key, default)!r}"
        yield from check_arguments(ours.get("options") or {}, theirs.get("suboptions") or {}, f"{path}{option}.")


def check_links(page: Path, text: str) -> Iterator[str]:
    """Links inside the repository lead to a file."""
    for link in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in link and not (page.parent / link).exists():
            yield f"{link} does not exist"


def check_places(text: str) -> Iterator[str]:
    """Neither paths of somebody's machine nor hosts of package registries, which differ from site to site."""
    for pattern in PLACES:
        yield from (f"it names {found}" for found in re.findall(pattern, text))


GOOD = {"DOCUMENTATION": "short_description: Read it\nversion_added: 0.1.0", "EXAMPLES": "x", "RETURN": "y"}
CASES = [
    (check_constants, ("modules", GOOD), None),
    (check_constants, ("inventory", {**GOOD, "RETURN": ""}), None),
    (check_constants, ("filter", {**GOOD, "RETURN": ""}), "there is no RETURN"),
    (check_constants, ("modules", {**GOOD, "EXAMPLES": " "}), "there is no EXAMPLES"),
    (check_constants, ("modules", {**GOOD, "DOCUMENTATION": "short_description: Read it"}), "there is no version_added"),
    (check_constants, ("modules", {**GOOD, "DOCUMENTATION": "short_description: Read.\nversion_added: 1"}), "short_description"),
    (check_arguments, ({"a": {"type": "int", "default": 1}, "b": {}}, {"a": {"type": "int", "default": 1}, "b": {"type": "str"}}), None),
    (check_arguments, ({"a": {}}, {}), "a is not documented"),
    (check_arguments, ({}, {"a": {}}), "a is not accepted"),
    (check_arguments, ({"a": {"default": 1}}, {"a": {}}), "a: default is 1"),
    (check_arguments, ({"a": {"options": {"b": {}}}}, {"a": {"suboptions": {"c": {}}}}), "a.b is not documented", "a.c is not accepted"),
    (check_links, (ROOT / "README.md", "[a](LICENSE) [b](https://example.org/x) [c](#part)"), None),
    (check_links, (ROOT / "README.md", "[a](docs/none.md#part)"), "docs/none.md does not exist"),
    (check_places, ("see docs/x, /etc/ssl/y and https://example.org/home/z/a",), None),
    (check_places, ("cd /ho" + "me/jo/code",), "it names"),
    (check_places, ("--index-url https://py" + "pi.org/simple",), "it names"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_rule(case):
    rule, given, *complaints = case
    found = list(rule(*given))
    assert len(found) == len([said for said in complaints if said])
    assert all(one.startswith(said) for one, said in zip(found, complaints, strict=False))


@pytest.mark.parametrize("path", plugins(), ids=name)
def test_plugin_is_documented(path):
    assert list(check_constants(path.parent.name, constants(path))) == []


def documented_options(kind: str, plugin: str) -> dict[str, Any]:
    """With those of the fragments."""
    command = [str(Path(sys.executable).parent / "ansible-doc"), "--json", "--type", kind, plugin]
    environment = {**os.environ, "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg")}
    shown = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    options: dict[str, Any] = json.loads(shown)[plugin]["doc"]["options"]
    return options


@pytest.mark.parametrize("path", plugins(["modules"]), ids=name)
def test_module_accepts_what_is_documented(path, monkeypatch):
    module = importlib.import_module(f"ansible_collections.frontier.vitro.plugins.modules.{path.stem}")

    class Seen(Exception):
        pass

    def stop(argument_spec, **_settings):
        raise Seen(argument_spec)

    monkeypatch.setattr(module, "AnsibleModule", stop)
    with pytest.raises(Seen) as seen:
        module.main()
    assert list(check_arguments(seen.value.args[0], documented_options("module", f"frontier.vitro.{path.stem}"))) == []


@pytest.mark.parametrize("page", files("*.md"), ids=name)
def test_links_lead_somewhere(page):
    assert list(check_links(page, page.read_text())) == []


def test_every_page_can_be_found():
    pages = {path.resolve() for path in files("docs/*.md")}
    linked = {(page.parent / link).resolve() for page in files("*.md") for link in re.findall(r"\]\(([^)#\s]+)", page.read_text())}
    assert sorted(name(page) for page in pages - linked) == []


def test_every_role_is_in_the_readme():
    readme = (ROOT / "README.md").read_text()
    assert [role.name for role in roles() if role.name not in readme] == []


def test_no_file_names_a_place():
    texts = [path for path in tracked() if b"\0" not in path.read_bytes()]
    assert [f"{name(path)}: {said}" for path in texts for said in check_places(path.read_text())] == []
