# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kolla's passwords: made by its own tools, completed when a release wants more, and otherwise left alone."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import Any, Final

import yaml

from ..errors import VitroError
from .package import Package
from .secrets import private_folder
from .words import yaml_text

PATH: Final = "passwords.yml"
# Whoever needs no account at the registry leaves it empty; so do Kolla's tools.
MAY_BE_EMPTY: Final = frozenset({"docker_registry_password"})
SECONDS: Final = 300
TOOL_CURE: Final = "Try the tool by hand on a copy of its example passwords.yml. What it said is not shown, for it could hold a secret"


class PasswordsRefused(VitroError):
    code = "kolla_passwords"
    cure = "Look at it with ansible-vault view; if it was never deployed, remove it and new ones are made"


def complete(old: str | None, package: Package, given: Mapping[str, Any]) -> str:
    """All passwords that this kolla-ansible wants: those that are there stay, but for those that the operator gives."""
    known = read_passwords(old)
    laid = {**known, **given}
    if not missing(laid, package):
        return old if old is not None and laid == known else yaml_text(dict(sorted(laid.items())))
    return _made(laid, package)


def is_complete(old: str | None, package: Package, given: Mapping[str, Any]) -> bool:
    return not missing({**read_passwords(old), **given}, package)


def read_passwords(text: str | None) -> dict[str, Any]:
    """Nothing of what stands there may get into a message."""
    if text is None:
        return {}
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        where = f" from line {mark.line + 1} on" if mark else ""
        raise PasswordsRefused(f"Cannot use {PATH}: it is no YAML{where}") from None
    if not isinstance(content, dict):
        raise PasswordsRefused(f"Cannot use {PATH}: it holds no keys and values")
    return content


def missing(passwords: Mapping[str, Any], package: Package) -> list[str]:
    """Keys without a value, which Kolla would deploy with an empty password."""
    return sorted(key for key in package.passwords if not passwords.get(key) and key not in MAY_BE_EMPTY)


def _made(laid: Mapping[str, Any], package: Package) -> str:
    """Run kolla-mergepwd and kolla-genpwd on files that nobody else can read, in memory where there is some."""
    with private_folder() as folder:
        old, new, final = (folder / file for file in ("old.yml", "new.yml", "final.yml"))
        old.write_text(yaml_text({key: value for key, value in laid.items() if value not in ("", None)}) or "{}\n")
        new.write_text(package.example_passwords)
        _run(package, "kolla-mergepwd", "--old", str(old), "--new", str(new), "--final", str(final))
        _run(package, "kolla-genpwd", "--passwords", str(final))
        return final.read_text()


def _run(package: Package, tool: str, *arguments: str) -> None:
    command = [str(package.venv / "bin/python"), str(package.venv / "bin" / tool), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS)  # noqa: S603 - a list, no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise PasswordsRefused(f"Cannot make passwords: {tool} did not run ({type(exc).__name__})", cure=TOOL_CURE) from None
    if done.returncode:
        raise PasswordsRefused(f"Cannot make passwords: {tool} ended with {done.returncode}", cure=TOOL_CURE)
