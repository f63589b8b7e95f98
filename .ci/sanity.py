# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-test sanity on a copy of what a user gets, and says what was not run and why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ansible_test

COPY = Path("build/sanity/ansible_collections/frontier/vitro")
TAKEN = ("plugins", "roles", "playbooks", "meta", "galaxy.yml", "README.md", "tests/config.yml", "tests/sanity")
# ansible-test makes an environment for each test that needs packages, and keeps it in its home.
HOME = Path(os.environ["VITRO_CACHE"]) / "ansible-test"
PACKAGES = Path(ansible_test.__file__).parent / "_data" / "requirements"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
# Outside the modules, what a user must have installed is imported without ado; a module must say what is missing.
MODULES_ONLY = "import"


def copy_collection() -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *TAKEN],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if Path(name).exists():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, COPY / name)
    # ansible-test asks Git for the files. The surrounding repository ignores build/.
    subprocess.run(["git", "init", "--quiet", str(COPY)], check=True)


def prepare_home() -> None:
    cache = HOME / ".ansible" / "test" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    # ansible-test 2.19 would fetch pip from a server of its own, into this file. Python brings one.
    (cache / "get_pip_24_2.py").write_text("import ensurepip\n\nensurepip.bootstrap()\n")
    # The home is not the user's, but where pip finds packages is.
    for settings in (".config/pip", ".pip"):
        ours, theirs = HOME / settings, Path.home() / settings
        if theirs.exists() and not ours.exists():
            ours.parent.mkdir(exist_ok=True)
            ours.symlink_to(theirs)


def read_skipped() -> dict[str, str]:
    lines = Path("tests/sanity/skipped.txt").read_text().splitlines()
    return {name.strip(): why.strip() for name, _, why in (line.partition(":") for line in lines if not line.startswith("#"))}


def can_get_packages(test: str) -> bool:
    """Whether the packages of a test are installed already, or an index has them."""
    wanted = PACKAGES / f"sanity.{test}.txt"
    if not wanted.exists() or any((HOME / ".ansible/test/venv" / f"sanity.{test}" / PYTHON).glob("*/marker.txt")):
        return True
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "--requirement", str(wanted)]
        return subprocess.run(pip, check=False, capture_output=True).returncode == 0


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["ansible-test", "sanity", "--python", PYTHON, *arguments]
    environment = {**os.environ, "HOME": str(HOME)}
    return subprocess.run(command, cwd=COPY, env=environment, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main() -> int:
    copy_collection()
    prepare_home()
    skipped = read_skipped()
    known = [line for line in run("--list-tests").stdout.split("\n") if line.replace("-", "").isalnum()]
    wanted = [test for test in known if test not in skipped]
    if not wanted:
        sys.exit("ansible-test found nothing to test")
    skipped |= {test: "its packages cannot be had without a package index" for test in wanted if not can_get_packages(test)}
    chosen = [test for test in wanted if test not in skipped]
    everything = [word for test in chosen if test != MODULES_ONLY for word in ("--test", test)]
    runs = [run(*everything)]
    if MODULES_ONLY in chosen:
        runs.append(run("--test", MODULES_ONLY, "plugins/modules/"))
    failed = [done for done in runs if done.returncode]
    print(*(done.stdout for done in failed), sep="\n", end="")
    print("Run:", " ".join(chosen))
    for test, why in skipped.items():
        print(f"Not run: {test}: {why}")
    return len(failed)


sys.exit(main())
