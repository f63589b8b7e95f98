# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python docs/reference.py: writes what is told by the code, the JSON Schemas and the reference pages. `make reference` runs it."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "build" / "collections"))

from ansible_collections.frontier.vitro.plugins.module_utils.bmc import document as hardware  # noqa: E402
from ansible_collections.frontier.vitro.plugins.module_utils.kolla import backup, check, registry, rotation  # noqa: E402
from ansible_collections.frontier.vitro.plugins.module_utils.plan import catalogue, intent  # noqa: E402
from ansible_collections.frontier.vitro.plugins.module_utils.plan import document as plan  # noqa: E402
from ansible_collections.frontier.vitro.plugins.module_utils.rke2 import kinds as rke2  # noqa: E402

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SOURCES = [DOCS.parent / f"plugins/module_utils/plan/{name}.py" for name in ("intent", "wishes", "selectors", "types")]
INTENT_HEAD = """# The intent

Made by `make reference` from the code. What you want of a site stands in the variable `vitro_site`, in `group_vars/all/site.yml` of the
site's inventory. [inventories/example](../inventories/example/group_vars/all/site.yml) is a commented one to copy, [planning](planning.md)
says how choices are made, and [schema/intent.json](schema/intent.json) lets an editor check the keys while you write.

A key without a default is required. Unknown keys and wrong types are refused, all at once, each with the nearest known key. Write versions
such as `"2026.1"` in quotes: YAML takes them for numbers otherwise.
"""
OBJECTIONS_HEAD = """# Objections

Made by `make reference` from the code. A plan with objections is not applied: it is written beside the plan, as `plan.refused.json`, and
the report shows it. Warnings hinder nothing. Each is told with the server, port, disk or key it is about, and with what is wrong
there; here stands why it matters and what cures it. [Messages](messages.md) has the errors that stop the planning itself.
"""

CHECKS_HEAD = """# What is checked of Kolla's configuration

Made by `make reference` from the code. The module `kolla_check` looks through everything that kolla-ansible would read, before any host is
touched, and tells all of it at once, each with the file, the key, the value, the host and the cure. The playbook `frontier.vitro.render`
runs it on what it rendered. Each kind stands here with what Kolla itself does about it, as it was seen in runs of kolla-ansible 22.2 or
read in its source; what happens after a deployment that should not have begun is concluded from there.

A **problem** must be cured. What is **awaited** comes from a later stage or from you, and stops a deployment only. A **warning** hinders
nothing. Values with templates are resolved as far as files can tell; what only a run could tell is not judged. A key that only your own
override files use is left alone if its name begins with `custom_`.
"""

PASSWORDS_HEAD = """# Which passwords can be rotated

Made by `make reference` from the code. `frontier.vitro.openstack_passwords` makes these anew, see [day 2](day2.md#passwords). A `*`
stands for any text; the first row that fits counts. Which services hold a password is read from the installed kolla-ansible when it is
rotated.
"""

RKE2_HEAD = """# What is checked before RKE2 is brought to hosts

Made by `make reference` from the code. The playbook `frontier.vitro.rke2` asks every host and looks through the release, then tells all of
these at once, each with its code, the host, what was found and what to do. Nothing was changed then. `rke2_ignored` takes codes that do not
count.
"""


def attribute_docs() -> dict[str, dict[str, str]]:
    """The text below each key of each record."""
    found: dict[str, dict[str, str]] = {}
    for source in SOURCES:
        for node in ast.parse(source.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = dict(_documented(node))
    return found


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for line, below in zip(node.body, node.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield ast.unparse(line.target), str(below.value.value)


def schema_text(adapter: TypeAdapter[Any], name: str) -> str:
    return json.dumps(schema(adapter, name), indent=2, sort_keys=True) + "\n"


def schema(adapter: TypeAdapter[Any], name: str) -> dict[str, Any]:
    """The JSON Schema, with the text below each key as its description."""
    made: dict[str, Any] = {"$schema": DIALECT, "$id": name, **adapter.json_schema()}
    docs = attribute_docs()
    for record in (made, *made.get("$defs", {}).values()):
        for key, text in docs.get(record.get("title", ""), {}).items():
            record["properties"][key]["description"] = text
    return made


def intent_page() -> str:
    made = schema(intent.ADAPTER, "vitro/intent/1")
    parts = [INTENT_HEAD, _section("vitro_site", made)]
    parts += [_section(name, made["$defs"][name]) for name in _used(made, made)]
    return "\n".join(parts)


def _used(node: Any, made: dict[str, Any]) -> list[str]:
    """The records that are referred to, in the order in which a reader meets them."""
    seen: list[str] = []
    queue = [node["properties"]]
    while queue:
        here = queue.pop(0)
        for name in _references(here):
            if name not in seen:
                seen.append(name)
                queue.append(made["$defs"][name]["properties"])
    return seen


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rpartition("/")[2]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _section(name: str, record: dict[str, Any]) -> str:
    required = record.get("required", ())
    rows = [
        f"| `{key}` | {_type(node)} | {'required' if key in required else _default(node)} | {node.get('description', '')} |"
        for key, node in record["properties"].items()
    ]
    return "\n".join([f"## {name}", "", record["description"], "", "| key | what | default | |", "|---|---|---|---|", *rows, ""])


def _type(node: dict[str, Any]) -> str:
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in node:
        return " or ".join(_type(one) for one in node["anyOf"] if one.get("type") != "null")
    if "enum" in node:
        return ", ".join(f"`{one}`" for one in node["enum"])
    if node.get("type") == "array":
        items = node.get("items") or node["prefixItems"][0]
        return f"list of {_type(items)}"
    if node.get("type") == "object":
        return f"map to {_type(node['additionalProperties'])}"
    bounds = [str(node[key]) for key in ("minimum", "maximum") if key in node]
    words = {"string": "text", "integer": "number", "number": "number", "boolean": "true or false"}
    return words[node["type"]] + (f", {' to '.join(bounds)}" if len(bounds) > 1 else f", at least {bounds[0]}" if bounds else "")


def _default(node: dict[str, Any]) -> str:
    value = node.get("default")
    return "" if value in (None, [], {}) or isinstance(value, dict) else f"`{json.dumps(value).strip(chr(34))}`"


def objections_page() -> str:
    kinds = catalogue.kinds().values()
    parts = [OBJECTIONS_HEAD]
    for title, severity in (("Objections", "error"), ("Warnings", "warning")):
        parts += [f"## {title}\n"]
        parts += [f"### {kind.code}\n\n{kind.title}. {kind.why}\n{kind.cure}.\n" for kind in kinds if kind.severity == severity]
    return "\n".join(parts)


def checks_page() -> str:
    kinds = {**check.kinds(), **{kind.code: kind for kind in vars(registry).values() if isinstance(kind, check.Kind)}}
    parts = [CHECKS_HEAD]
    for title, weight in (("Problems", "problem"), ("Awaited", "awaited"), ("Warnings", "warning")):
        rows = [
            f"| `{kind.code}` | {kind.title} | {kind.cure} | {kind.kolla} |" for _, kind in sorted(kinds.items()) if kind.weight == weight
        ]
        parts += [f"## {title}\n", "\n".join(["| code | what | cure | Kolla itself |", "|---|---|---|---|", *rows, ""])]
    return "\n".join(parts)


def passwords_page() -> str:
    rotated = [f"| `{one.pattern}` | {one.what} |" for one in rotation.RULES if one.way == "reconfigure"]
    refused = [f"| `{one.pattern}` | {one.what} | {one.why} |" for one in rotation.RULES if one.way == "refused"]
    return "\n".join([
        PASSWORDS_HEAD, "## Rotated\n", "| password | whose |", "|---|---|", *rotated, "",
        "## Not rotated\n", "These are refused. So is any other password, since nobody has said yet how it is rotated.\n",
        "| password | whose | why |", "|---|---|---|", *refused, "",
    ])  # fmt: skip


def rke2_page() -> str:
    rows = [f"| `{kind.code}` | {kind.title} | {kind.why} | {kind.cure} |" for _, kind in sorted(rke2.KINDS.items())]
    return "\n".join([RKE2_HEAD, "| code | what | why it matters | cure |", "|---|---|---|---|", *rows, ""])


def pages() -> dict[Path, str]:
    """Every file that is made, and what is in it."""
    return {
        DOCS / "schema" / "hardware.json": schema_text(hardware.DOCUMENT.adapter, hardware.DOCUMENT.schema),
        DOCS / "schema" / "plan.json": schema_text(plan.DOCUMENT.adapter, plan.DOCUMENT.schema),
        DOCS / "schema" / "intent.json": schema_text(intent.ADAPTER, "vitro/intent/1"),
        DOCS / "schema" / "backup.json": schema_text(backup.DOCUMENT.adapter, backup.DOCUMENT.schema),
        DOCS / "intent.md": intent_page(),
        DOCS / "objections.md": objections_page(),
        DOCS / "kolla-checks.md": checks_page(),
        DOCS / "kolla-passwords.md": passwords_page(),
        DOCS / "rke2-checks.md": rke2_page(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
