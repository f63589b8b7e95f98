# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python .ci/suites.py all | touched | untouched | base: the engine suites of .ci/suites, one a line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

MAP = Path(__file__).with_name("suites")
MAIN = "origin/main"


def parse(text: str) -> list[tuple[str, str]]:
    """Pairs of glob and suite."""
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if wrong := [line[0] for line in lines if len(line) < 2]:
        raise ValueError(f"Cannot read {MAP}: {wrong[0]} has no suite. Each line is a glob and what to give to make.")
    return [(glob, suite.strip()) for glob, suite in lines]


def suites(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Each suite once, in the order in which they first stand."""
    return list(dict.fromkeys(suite for _, suite in pairs))


def touched(pairs: Iterable[tuple[str, str]], changed: Iterable[str]) -> list[str]:
    paths = list(changed)
    return suites(pair for pair in pairs if any(fnmatchcase(path, pair[0]) for path in paths))


def git(*arguments: str) -> str | None:
    """What Git answers, or None if it refuses."""
    done = subprocess.run(["git", "-c", "safe.directory=*", *arguments], check=False, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def base() -> str | None:
    """The commit before the change: CI_BASE, or where the branch left main, or the last commit but one, or None."""
    if given := os.environ.get("CI_BASE"):
        return given
    fork = git("merge-base", MAIN, "HEAD")
    if fork and fork != git("rev-parse", "HEAD"):
        return fork
    return git("rev-parse", "--verify", "--quiet", "HEAD~1")


def changed_since(commit: str | None) -> list[str]:
    """What differs in the working tree, files that are not yet added among it; without a commit, everything."""
    differing = git("diff", "--name-only", commit) if commit else git("ls-files")
    if differing is None:
        raise ValueError(f"Cannot tell what changed since {commit}: Git does not know it. Set CI_BASE to a commit that is here.")
    return [*differing.splitlines(), *(git("ls-files", "--others", "--exclude-standard") or "").splitlines()]


def main(wanted: str) -> None:
    pairs = parse(MAP.read_text())
    if wanted == "base":
        print(base() or "the beginning")
        return
    chosen = suites(pairs) if wanted == "all" else touched(pairs, changed_since(base()))
    if wanted == "untouched":
        chosen = [suite for suite in suites(pairs) if suite not in chosen]
    print(*chosen, sep="\n", end="\n" if chosen else "")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except ValueError as exc:
        sys.exit(str(exc))
