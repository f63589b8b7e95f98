# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is fetched from the Python index, once: Kolla's own scripts, and what its toolbox has."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

KOLLA = "kolla==22.2.0"
# As in Kolla's own Dockerfile of the toolbox, as far as services here use it.
TOOLBOX = ["ansible-core==2.20.*", "ansible-runner", "openstacksdk", "os-client-config", "pbr", "pymysql", "pytz"]
# kolla-toolbox/requirements.yml names these; the Python index has them in packages, the newer of which have Open vSwitch's no more.
BUNDLES = {
    "ansible==12.3.0": ("ansible/posix", "community/general", "community/mysql", "community/rabbitmq", "openstack/cloud"),
    "ansible==10.7.0": ("openvswitch/openvswitch",),
}
PYTHON = "3.13"


def cache() -> Path:
    folder = Path(os.environ.get("VITRO_CACHE") or Path.home() / ".cache/vitro") / "images"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def scripts() -> Path:
    """The folder with one subfolder for each of Kolla's images."""
    folder = cache() / KOLLA.replace("==", "-")
    if not folder.exists():
        (wheel,) = _fetched("kolla", ["--no-deps", KOLLA]).glob("kolla-*.whl")
        _unpacked(wheel, folder, ("kolla/common/users.py", "kolla-22.2.0.data/data/share/kolla/docker/"))
    return folder / "kolla-22.2.0.data/data/share/kolla/docker"


def users() -> dict[str, tuple[int, int]]:
    """Kolla's accounts with their numbers, which volumes keep."""
    text = (cache() / KOLLA.replace("==", "-") / "kolla/common/users.py").read_text() if scripts() else ""
    (table,) = (node.value for node in ast.parse(text).body if isinstance(node, ast.Assign))
    return {name.removesuffix("-user"): (one["uid"], one["gid"]) for name, one in ast.literal_eval(table).items()}


def wheels() -> Path:
    """What the toolbox has, for the Python of the images."""
    return _fetched("toolbox", ["--only-binary=:all:", f"--python-version={PYTHON}", *TOOLBOX])


def collections() -> list[Path]:
    """The folders to lay over one another."""
    return [_collections_of(bundle, names) for bundle, names in BUNDLES.items()]


def _collections_of(bundle: str, names: tuple[str, ...]) -> Path:
    folder = cache() / f"collections-{bundle.replace('==', '-')}"
    if not folder.exists():
        (wheel,) = _fetched(f"{folder.name}-wheel", ["--no-deps", bundle]).glob("ansible-*.whl")
        _unpacked(wheel, folder, tuple(f"ansible_collections/{name}/" for name in names))
    return folder / "ansible_collections"


def _fetched(name: str, arguments: list[str]) -> Path:
    folder = cache() / name
    if not folder.exists():
        making = cache() / f"{name}.new"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(making), *arguments]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"Cannot fetch {' '.join(arguments)}:\n{done.stderr[-800:]}")
        making.rename(folder)
    return folder


def _unpacked(wheel: Path, folder: Path, wanted: tuple[str, ...]) -> None:
    making = folder.with_name(f"{folder.name}.new")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(making, [name for name in archive.namelist() if name.startswith(wanted)])
    making.rename(folder)
