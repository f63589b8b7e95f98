# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks stand for secrets in what is rendered, shown and compared. The secrets travel beside it, and are put in on the host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MARK: Final = "<vitro-secret-"
# What only the host knows.
PYTHON, INTERFACE = "<vitro-host-python>", "<vitro-host-interface>"


def mark_of(name: str) -> str:
    return f"{MARK}{name}>"


def hide(value: Any, secret_keys: frozenset[str], secrets: dict[str, str], prefix: str) -> Any:
    """The same with a mark in place of each secret, which goes into `secrets`."""
    if isinstance(value, Mapping):
        return {key: _hidden(key, one, secret_keys, secrets, prefix) for key, one in value.items()}
    if isinstance(value, list):
        return [hide(one, secret_keys, secrets, prefix) for one in value]
    return value


def _hidden(key: str, value: Any, secret_keys: frozenset[str], secrets: dict[str, str], prefix: str) -> Any:
    if key in secret_keys and not isinstance(value, Mapping | list):
        mark = mark_of(f"{prefix}-{len(secrets) + 1}")
        secrets[mark] = str(value)
        return mark
    return hide(value, secret_keys, secrets, prefix)


def fill(content: str, secrets: Mapping[str, str]) -> tuple[str, bool]:
    """The content with its secrets, and whether it has all of them."""
    for mark, secret in secrets.items():
        content = content.replace(mark, secret)
    return content, MARK not in content
