# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The repository as the rules see it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DOCUMENTED = ("modules", "inventory", "filter", "lookup")


@cache
def tracked() -> list[Path]:
    """Every file that is, or would be, in the next commit."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted(ROOT / name for name in filter(None, listed.split("\0")) if (ROOT / name).is_file())


def files(*globs: str) -> list[Path]:
    """Those that match; a `*` stands for slashes too."""
    return [path for path in tracked() if any(fnmatchcase(name(path), glob) for glob in globs)]


def name(path: Path) -> str:
    """The path in the repository; also the id of a test case."""
    return path.relative_to(ROOT).as_posix()


def roles() -> list[Path]:
    return sorted({ROOT.joinpath(*path.relative_to(ROOT).parts[:2]) for path in tracked() if name(path).startswith("roles/")})


def plugins(kinds: Iterable[str] = DOCUMENTED) -> list[Path]:
    return [path for kind in kinds for path in files(f"plugins/{kind}/*.py")]


def constants(path: Path) -> dict[str, str]:
    """The strings that a plugin assigns at its top: DOCUMENTATION, EXAMPLES, RETURN."""
    found = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = str(node.value.value)
    return found


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text()) if path.exists() else None
