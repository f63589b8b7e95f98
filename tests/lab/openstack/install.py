# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab needs: Debian's servers, and OpenStack from the Python index, once for all labs of a machine."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

from .folder import Folder
from .words import DEBIAN, PYTHON

CONSTRAINTS = Path(__file__).parent / "constraints.txt"
DRIVER = Path(__file__).parent / "vitro_lab_driver.py"
POLICY = Path("/usr/sbin/policy-rc.d")


def install_debian(folder: Folder) -> None:
    path = os.environ["PATH"] + ":/usr/sbin"
    wanted = sorted({package for program, package in DEBIAN.items() if not shutil.which(program, path=path)})
    if not wanted:
        return
    ours = not POLICY.exists()
    if ours:
        # Packages must not start daemons of their own.
        POLICY.write_text("#!/bin/sh\nexit 101\n")
        POLICY.chmod(0o755)
    try:
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        wait = ("-o", "DPkg::Lock::Timeout=300")
        folder.call("apt-get", "update", "-q", *wait, **quiet)
        folder.call("apt-get", "install", "-q", "-y", *wait, "--no-install-recommends", *wanted, **quiet)
    finally:
        if ours:
            POLICY.unlink()


def install_python(folder: Folder) -> None:
    """One environment for the exact set of packages, in the cache; the lab has a link to it."""
    number = hashlib.sha256((CONSTRAINTS.read_text() + " ".join(PYTHON) + sys.version).encode()).hexdigest()[:8]
    cache = Path(os.environ.get("VITRO_CACHE") or Path.home() / ".cache/vitro") / "openstack"
    venv = cache / number
    folder.venv.unlink(missing_ok=True)
    folder.venv.symlink_to(venv)
    mark = venv / "complete"
    if not mark.exists():
        _fill(folder, venv)
        mark.touch()
    # Nova loads hypervisors from its own package only.
    driver = next(venv.glob("lib/python*/site-packages/nova/virt")) / DRIVER.name
    driver.write_text(DRIVER.read_text())


def _fill(folder: Folder, venv: Path) -> None:
    venv.parent.mkdir(parents=True, exist_ok=True)
    folder.call(sys.executable, "-m", "venv", "--clear", venv)
    folder.call(venv / "bin/pip", "install", "--quiet", "uv")
    folder.call(venv / "bin/uv", "pip", "install", "--quiet", "--python", venv / "bin/python", "--constraint", CONSTRAINTS, *PYTHON)
