# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents on disk: read with every mistake named, written whole or not at all."""

from __future__ import annotations

import difflib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from .errors import DocumentRefused, DocumentUnwritable, counted, numbered

T = TypeVar("T")
MOST_MISTAKES = 20
UNKNOWN_KEY = ("unexpected_keyword_argument", "extra_forbidden")
MISSING_KEY = ("missing", "missing_argument", "missing_keyword_only_argument")


class Document(Generic[T]):
    """A kind of document: its records, its schema, and what to do about one that cannot be used."""

    def __init__(self, name: str, records: type[T], schema: str, *, cure: str) -> None:
        self.name = name
        self.schema = schema
        self.adapter: TypeAdapter[T] = TypeAdapter(records)
        self._cure = cure

    def to_data(self, content: T) -> dict[str, Any]:
        """The document as plain dictionaries and lists."""
        data: dict[str, Any] = self.adapter.dump_python(content, mode="json")
        return data

    def to_text(self, content: T) -> str:
        return json.dumps(self.to_data(content), indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def read(self, path: Path) -> T:
        try:
            raw = path.read_bytes()
        except OSError as exc:
            raise self._refused(f"Cannot read the {self.name} {path}: {exc.strerror}") from exc
        return self.parse(raw, str(path))

    def parse(self, raw: bytes, where: str) -> T:
        """The document in some bytes; `where` says in errors where they came from."""
        try:
            data = json.loads(raw)
        except ValueError as exc:
            raise self._refused(f"Cannot use the {self.name} {where}: it is no whole JSON ({exc})") from exc
        schema = data.get("schema") if isinstance(data, dict) else None
        if schema != self.schema:
            raise self._refused(
                f"Cannot use the {self.name} {where}: its schema is `{schema}` and this version reads `{self.schema}`",
                cure=f"Use the version of frontier.vitro that wrote it. {self._cure}",
            )
        try:
            return self.adapter.validate_json(raw)
        except ValidationError as exc:
            found = mistakes(exc, self.adapter)
            more = f"; and {len(found) - MOST_MISTAKES} more" if len(found) > MOST_MISTAKES else ""
            said = f"{counted(len(found), 'mistake')}: {numbered(found[:MOST_MISTAKES])}{more}"
            raise self._refused(f"Cannot use the {self.name} {where}, {said}") from None

    def write(self, content: T, path: Path) -> None:
        """Replace the document in one step; nothing is written that could not be read."""
        write_whole(self.checked_text(content).encode(), path, self.name)

    def checked_text(self, content: T) -> str:
        """The document as text that can be read again."""
        text = self.to_text(content)
        self.parse(text.encode(), "to write")
        return text

    def _refused(self, text: str, cure: str = "") -> DocumentRefused:
        return DocumentRefused(text, cure=cure or self._cure)


def write_whole(content: bytes, path: Path, name: str) -> None:
    """Replace a file in one step: a full disk or a kill leaves the old one whole."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
        handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(made)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as exc:
        raise DocumentUnwritable(f"Cannot write the {name} {path}: {exc.strerror}") from exc
    finally:
        if temporary:
            temporary.unlink(missing_ok=True)


def ensure_text(text: str, path: Path, name: str, *, check_mode: bool) -> bool:
    """Bring a file to a text; say whether that changes it."""
    content = text.encode()
    try:
        same = path.read_bytes() == content
    except FileNotFoundError:
        same = False
    except OSError as exc:
        raise DocumentUnwritable(f"Cannot look at the {name} {path}: {exc.strerror}") from exc
    if not same and not check_mode:
        write_whole(content, path, name)
    return not same


def mistakes(exc: ValidationError, adapter: TypeAdapter[Any]) -> list[str]:
    """Each mistake: where, what is wrong, and the nearest known key for an unknown one."""
    return [_mistake(dict(error), adapter) for error in exc.errors(include_url=False)]


def _mistake(error: dict[str, Any], adapter: TypeAdapter[Any]) -> str:
    *parents, last = error["loc"] or ("",)
    where = ".".join(map(str, error["loc"]))
    if error["type"] not in UNKNOWN_KEY:
        given = (
            "" if error["type"] in ("missing", "missing_argument") else f" (it is {json.dumps(error['input'], ensure_ascii=False)[:60]})"
        )
        return f"{where}: {error['msg'][0].lower()}{error['msg'][1:]}{given}"
    known = _known_keys([str(part) for part in parents if not isinstance(part, int)], adapter)
    near = difflib.get_close_matches(str(last), known, 1)
    return f"{where}: unknown key" + (f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(known)}" if known else "")


def _known_keys(parents: list[str], adapter: TypeAdapter[Any]) -> list[str]:
    """The keys that the schema knows at a place."""
    schema = adapter.json_schema()
    here: dict[str, Any] = schema
    for part in parents:
        below = here.get("properties", {}).get(part) or here.get("additionalProperties") or {}
        here = _resolve(below if isinstance(below, dict) else {}, schema)
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
