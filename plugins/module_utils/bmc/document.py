# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hardware document on disk: read with every mistake named, written whole or not at all."""

from __future__ import annotations

import difflib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from .errors import DocumentRefused, DocumentUnwritable, counted
from .hardware import SCHEMA, Hardware

ADAPTER = TypeAdapter(Hardware)
MOST_MISTAKES = 20


def to_data(hardware: Hardware) -> dict[str, Any]:
    """The document as plain dictionaries and lists."""
    data: dict[str, Any] = ADAPTER.dump_python(hardware, mode="json")
    return data


def to_text(hardware: Hardware) -> str:
    return json.dumps(to_data(hardware), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def read_document(path: Path) -> Hardware:
    try:
        raw = path.read_bytes()
    except OSError as exc:
        raise DocumentRefused(f"Cannot read the hardware document {path}: {exc.strerror}") from exc
    return parse_document(raw, str(path))


def parse_document(raw: bytes, name: str) -> Hardware:
    """The document in some bytes; `name` says in errors where they came from."""
    try:
        data = json.loads(raw)
    except ValueError as exc:
        raise DocumentRefused(f"Cannot use the hardware document {name}: it is no whole JSON ({exc})") from exc
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise DocumentRefused(
            f"Cannot use the hardware document {name}: its schema is `{schema}` and this version reads `{SCHEMA}`",
            cure="Use the version of frontier.vitro that wrote it, or move it away and run frontier.vitro.discover to write it anew",
        )
    try:
        return ADAPTER.validate_json(raw)
    except ValidationError as exc:
        mistakes = [_mistake(dict(error)) for error in exc.errors(include_url=False)]
        shown = "; ".join(f"({n}) {one}" for n, one in enumerate(mistakes[:MOST_MISTAKES], 1))
        more = f"; and {len(mistakes) - MOST_MISTAKES} more" if len(mistakes) > MOST_MISTAKES else ""
        raise DocumentRefused(f"Cannot use the hardware document {name}, {counted(len(mistakes), 'mistake')}: {shown}{more}") from None


def _mistake(error: dict[str, Any]) -> str:
    """One mistake: where, what is wrong, and the nearest known key for an unknown one."""
    *parents, last = error["loc"]
    where = ".".join(map(str, error["loc"]))
    if error["type"] not in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"{where}: {error['msg'].lower()} (it is {json.dumps(error['input'], ensure_ascii=False)[:60]})"
    known = _known_keys([str(part) for part in parents if not isinstance(part, int)])
    near = difflib.get_close_matches(str(last), known, 1)
    return f"{where}: unknown key" + (f"; did you mean `{near[0]}`?" if near else "")


def _known_keys(parents: list[str]) -> list[str]:
    """The keys that the schema knows at a place."""
    schema = ADAPTER.json_schema()
    here: dict[str, Any] = schema
    for part in parents:
        here = _resolve(here.get("properties", {}).get(part, {}), schema)
    return list(here.get("properties", {}))


def _resolve(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Through references, arrays and `or null` to the object itself."""
    while True:
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
        elif "items" in node:
            node = node["items"]
        elif "anyOf" in node:
            node = node["anyOf"][0]
        else:
            return node


def write_document(hardware: Hardware, path: Path) -> None:
    """Replace the document in one step: a full disk or a kill leaves the old one whole, and nothing is written that could not be read."""
    content = to_text(hardware).encode()
    parse_document(content, str(path))
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as exc:
        raise DocumentUnwritable(f"Cannot write the hardware document {path}: {exc.strerror}") from exc
    finally:
        if temporary:
            temporary.unlink(missing_ok=True)
