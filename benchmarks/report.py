# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables for people, and RESULTS.md, in which each benchmark rewrites its own section."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import json
import os
import platform
import re
import ssl
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.measure import ROOT

RESULTS = Path(__file__).with_name("RESULTS.md")
LIBRARIES = ("ansible-core", "aiohttp", "yarl", "multidict", "pydantic", "netaddr", "ansible", "sushy", "requests", "psutil")
HEAD = """# Results

Written by `make bench-discovery`, `make bench-inventory`, `make bench-plan`, `make bench-kolla`, `make bench-ceph` and `make bench-rke2`,
each its own section.
[README.md](README.md) says how to read them.
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """A number to reach, and what was measured."""

    what: str
    limit: str
    value: str
    met: bool


def say(text: str) -> None:
    """A line of progress."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def bar_table(bars: Iterable[Bar]) -> str:
    return table(("bar", "limit", "measured", ""), [(bar.what, bar.limit, bar.value, "met" if bar.met else "**missed**") for bar in bars])


def exit_code(bars: Iterable[Bar]) -> int:
    """1 if a bar is missed, after saying which."""
    missed = [bar for bar in bars if not bar.met]
    for bar in missed:
        print(f"Missed: {bar.what}: {bar.value}, and the bar is {bar.limit}", file=sys.stderr)
    return 1 if missed else 0


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table that is aligned, so that it can be read on a terminal too. All but the words stand to the right."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    right = [all(re.fullmatch(r"[\d,.]*", row[column]) for row in cells[1:]) for column in range(len(head))]
    lines = [
        [cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in zip(row, widths, right, strict=True)]
        for row in cells
    ]
    lines.insert(1, ["-" * (width - 1) + ":" if to_right else "-" * width for width, to_right in zip(widths, right, strict=True)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine(target: str) -> str:
    """What the numbers were measured on and with."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    facts = {
        "Date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "Commit": _commit(),
        "CPU": f"{cpu[1] if cpu else platform.processor()}, {os.cpu_count()} cores",
        "Memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "System": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
        "Python": f"{platform.python_version()}, {ssl.OPENSSL_VERSION}",
        "Libraries": f"{versions}, community.general {_community_general()}",
        "Command": f"`make {target}`" + (f" with `{' '.join(sys.argv[1:])}`" if sys.argv[1:] else ""),
    }
    return "\n".join(f"- {name}: {value}" for name, value in facts.items())


def _commit() -> str:
    def git(*words: str) -> str:
        command = ["git", "-c", "safe.directory=*", *words]
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "plugins", "tests/lab")
        return git("rev-parse", "--short", "HEAD") + (" and changes that are not committed" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "none: this is no checkout"


def _community_general() -> str:
    package = importlib.metadata.distribution("ansible").locate_file("ansible_collections/community/general/MANIFEST.json")
    version: str = json.loads(Path(str(package)).read_text())["collection_info"]["version"]
    return version


def write_section(name: str, text: str) -> None:
    """Put a section in the place of the one with the same name."""
    old = RESULTS.read_text() if RESULTS.exists() else HEAD
    section = f"## {name}\n\n{text.strip()}\n"
    found = re.search(rf"^## {name}\n.*?(?=^## |\Z)", old, flags=re.MULTILINE | re.DOTALL)
    new = (
        old[: found.start()] + section + ("\n" + old[found.end() :] if old[found.end() :] else "")
        if found
        else f"{old.rstrip()}\n\n{section}"
    )
    RESULTS.write_text(new)
