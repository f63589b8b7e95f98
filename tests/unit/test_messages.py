# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every code that a user can meet is explained on docs/messages.md, and every field of the document on docs/hardware-document.md."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from docs.reference import pages
from tests.unit.tree import ROOT, files

MESSAGES = ROOT / "docs" / "messages.md"
FIELDS = ROOT / "docs" / "hardware-document.md"
SCHEMA = ROOT / "docs" / "schema" / "hardware.json"
# Sections of docs/messages.md whose headings or rows are codes.
HEADINGS, ROWS = ("Errors",), ("Warnings", "Findings")
# The section of docs/hardware-document.md that has several records in one table.
SEVERAL = "Small records"


def codes(source: str) -> set[str]:
    """What a module calls its errors (`code` of a class) and its notes (`Note(code=...)`)."""
    tree = ast.parse(source)
    return {*_class_codes(tree), *_note_codes(tree, ())}


def _class_codes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(line, ast.Assign) and [ast.unparse(target) for target in line.targets] == ["code"]:
                yield ast.literal_eval(line.value)


def _note_codes(node: ast.AST, functions: tuple[ast.AST, ...]) -> Iterator[str]:
    """`functions` are those around the node, the outermost first; the tree itself stands before them."""
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
        functions = (*functions, node)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Note":
        code = next(keyword.value for keyword in node.keywords if keyword.arg == "code")
        yield from [code.value] if isinstance(code, ast.Constant) else _put_together(code, functions)
    for child in ast.iter_child_nodes(node):
        yield from _note_codes(child, functions)


def _put_together(code: ast.expr, functions: tuple[ast.AST, ...]) -> Iterator[str]:
    """An f-string with the first parameter of the function around it: one code for each text that the function is called with."""
    *_, outer, inner = functions
    given = [
        call.args[0].value
        for call in ast.walk(outer)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == inner.name and isinstance(call.args[0], ast.Constant)
    ]
    parts = code.values if isinstance(code, ast.JoinedStr) else []
    holes = [ast.unparse(part.value) for part in parts if isinstance(part, ast.FormattedValue)]
    if holes != [inner.args.args[0].arg] or not given:
        raise ValueError(f"line {code.lineno}: this test cannot tell which codes {ast.unparse(code)} makes")
    for one in given:
        yield "".join(part.value if isinstance(part, ast.Constant) else one for part in parts)


def sections(page: str, level: int) -> dict[str, str]:
    """The text under each heading of a level, up to the next heading of that level or above."""
    parts = re.split(rf"^(#{{1,{level}}}) (.+)$", page, flags=re.MULTILINE)
    return {title: text for marks, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True) if len(marks) == level}


def explained(page: str) -> list[str]:
    """The codes that docs/messages.md has a heading or a row for."""
    parts = sections(page, 2)
    found = [title for part in HEADINGS for title in re.findall(r"^### (.+)$", parts[part], re.MULTILINE)]
    return found + [code for part in ROWS for code in re.findall(r"^\| `(\w+)` \|", parts[part], re.MULTILINE)]


def fields(schema: dict[str, Any]) -> set[tuple[str, str]]:
    """Pairs of record and field in the schema."""
    records = {"The document": schema, **schema["$defs"]}
    return {(record, field) for record, part in records.items() for field in part["properties"]}


def described(page: str) -> set[tuple[str, str]]:
    """Pairs of record and field that docs/hardware-document.md has a row for."""
    parts = {**sections(page, 2), **sections(page, 3)}
    parts["The document"] = parts["The document"].split("\n### ", 1)[0]
    several = re.findall(r"^\| (\w+) \| `(\w+)` \|", parts.pop(SEVERAL, ""), re.MULTILINE)
    return {*several, *((title, field) for title, text in parts.items() for field in re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))}


SOURCES = [
    ("class A(B):\n    code = 'a'", {"a"}),
    ("notes.append(Note(code='b', text='x'))", {"b"}),
    (
        "def f():\n    def part(name, read):\n        Note(code=f'c_{name}_d', text='x')\n    part('e', 1)\n    part('g', 2)",
        {"c_e_d", "c_g_d"},
    ),
    ("code = 'no class'\nOther(code='h')", set()),
]


@pytest.mark.parametrize(("source", "expected"), SOURCES, ids=["class", "note", "put together", "neither"])
def test_codes(source, expected):
    assert codes(source) == expected


def test_codes_that_cannot_be_told_are_refused():
    with pytest.raises(ValueError, match="cannot tell which codes"):
        codes("def f(name):\n    Note(code=name, text='x')")


def test_explained():
    page = "## Errors\n### a\n| `no` | row |\n## Warnings\n| `b` | x |\n## Findings\n| `c` | y |\n## Else\n### d\n| `e` | z |\n"
    assert explained(page) == ["a", "b", "c"]


def test_described():
    page = f"## The document\n\n| `schema` | x |\n\n### Disk\n\n| `bytes` | y |\n\n### {SEVERAL}\n\n| Note | `code` | z |\n\n## Else\n"
    assert described(page) == {("The document", "schema"), ("Disk", "bytes"), ("Note", "code")}


def test_every_code_is_explained_once():
    known = {code for path in files("plugins/module_utils/*.py") for code in codes(path.read_text())}
    assert sorted(explained(MESSAGES.read_text())) == sorted(known)


def test_every_field_is_described():
    assert described(FIELDS.read_text()) == fields(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize(("path", "text"), pages().items(), ids=[path.name for path in pages()])
def test_page_is_what_the_code_makes(path, text):
    assert path.read_text() == text, "run `make reference`"
