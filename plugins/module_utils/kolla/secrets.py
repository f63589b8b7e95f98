# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which strings must never be seen, and how a text loses them. Kolla prints service passwords in the items of its loops."""

from __future__ import annotations

import base64
import contextlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from .tree import Tree

HIDDEN = "(secret)"
# A shorter string stands in too many innocent places; Kolla's own tools make 40 characters.
SHORTEST = 6
SHORTEST_ENCODED = 12
KEY_LINE = re.compile(r"^\s*key\s*=\s*(\S+)\s*$", re.MULTILINE)


# In memory, where there is some: a secret in the clear is never written to a disk.
MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that nobody else can read, for as long as a program needs a secret as a file."""
    with tempfile.TemporaryDirectory(prefix="vitro-kolla-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as made:
        yield Path(made)


class Redactor:
    """Takes secrets out of a text, whole or line by line."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = set(secrets)
        known |= {form for secret in known for form in _encoded(secret)}
        longest_first = sorted(known, key=lambda one: (-len(one), one))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def __call__(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text


def secrets_of(tree: Tree) -> set[str]:
    """Every value in passwords.yml, and the keys in other secret files; of keys with many lines each line, since logs break them."""
    found: set[str] = set()
    for path, file in tree.items():
        if not file.secret:
            continue
        texts = _values(yaml.safe_load(file.text)) if path == "passwords.yml" else _keys(file.text)
        found.update(line for text in texts for line in _lines(text))
    return found


def _encoded(secret: str) -> Iterator[str]:
    """How a secret looks in base64 within a longer text, such as the `user:password` that Kolla prints for HAProxy's health checks.

    It may begin at any of three places, and the characters at both ends mix with what stands around.
    """
    if len(secret) < SHORTEST_ENCODED:
        return
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + secret.encode()).decode().rstrip("=")
        mixed_at_the_end = (shift + len(secret.encode())) % 3 != 0
        yield text[(0, 2, 3)[shift] : -1 if mixed_at_the_end else None]


def _values(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(value)
    elif data is not None:
        yield str(data)


def _keys(text: str) -> Iterator[str]:
    """The keys of a Ceph keyring, or the body of a private key."""
    yield from KEY_LINE.findall(text)
    yield from re.findall(r"-----BEGIN [A-Z ]*PRIVATE KEY-----\n(.+?)-----END", text, re.DOTALL)


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        stripped = line.strip()
        if len(stripped) >= SHORTEST and not stripped.startswith("-----"):
            yield stripped
