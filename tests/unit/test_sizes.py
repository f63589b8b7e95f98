# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and functions stay small. At a limit, split by subject."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.unit.tree import files, name

DOCS = ("DOCUMENTATION", "EXAMPLES", "RETURN")
FUNCTION_LINES = 40
# Lines by kind of file; the first match counts. Documentation in a plugin is not counted.
LIMITS = {
    "plugins/doc_fragments/*.py": 250,
    "plugins/module_utils/*.py": 250,
    "plugins/plugin_utils/*.py": 250,
    "plugins/*.py": 120,
    "tests/lab/*.py": 250,
    "benchmarks/*.py": 250,
    "roles/*/tasks/*.yml": 80,
    "roles/*/handlers/*.yml": 80,
    "roles/*/defaults/*.yml": 60,
    "roles/*/README.md": 40,
    "playbooks/*.yml": 40,
}


def code_lines(source: str) -> int:
    """Lines without the documentation that Ansible reads."""
    docs = [node for node in ast.parse(source).body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in DOCS]
    return len(source.splitlines()) - sum(node.end_lineno - node.lineno + 1 for node in docs)


def long_functions(source: str, limit: int) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.lineno + 1
            if lines > limit:
                yield f"{node.name} has {lines} lines of {limit}"


@pytest.mark.parametrize(("source", "lines"), [('DOCUMENTATION = """\na\nb\n"""\nx = 1\n', 1), ('x = """\na\n"""\n', 3)])
def test_code_lines(source, lines):
    assert code_lines(source) == lines


def test_long_functions():
    source = "def f():\n    a\n    b\n\nclass A:\n    async def g(self):\n        a\n        b\n        c\n"
    assert list(long_functions(source, 3)) == ["g has 4 lines of 3"]


def test_files():
    complaints, seen = [], set()
    for glob, limit in LIMITS.items():
        for path in files(glob):
            if path not in seen:
                source = path.read_text()
                lines = code_lines(source) if path.suffix == ".py" else len(source.splitlines())
                complaints += [f"{name(path)} has {lines} lines of {limit}"] * (lines > limit)
            seen.add(path)
    assert complaints == []


def test_functions():
    sources = files("plugins/*.py", "tests/lab/*.py", "benchmarks/*.py", ".ci/*.py")
    assert [f"{name(path)}: {said}" for path in sources for said in long_functions(path.read_text(), FUNCTION_LINES)] == []
