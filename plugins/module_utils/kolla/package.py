# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An installed kolla-ansible: what its files tell about groups, keys and passwords. Nothing of it is copied into this collection."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..errors import VitroError

FIRST_CHILDREN = "[baremetal:children]"
TOP_LEVEL = re.compile(r"^#?([a-z][A-Za-z0-9_]*):", re.MULTILINE)
SECTION = re.compile(r"^\[([^\]:]+)(?::children)?\]", re.MULTILINE)


class PackageMissing(VitroError):
    code = "kolla_package"
    cure = "Run frontier.vitro.render, which installs it, or point kolla_topology_venv at the environment that has it"


@dataclass(frozen=True)
class Package:
    """A virtual environment with kolla-ansible in it."""

    venv: Path
    version: str

    @property
    def data(self) -> Path:
        return self.venv / "share/kolla-ansible"

    @cached_property
    def multinode(self) -> str:
        return (self.data / "ansible/inventory/multinode").read_text()

    @cached_property
    def children(self) -> str:
        """The part of the example inventory that builds services on host groups. It changes with every release."""
        return FIRST_CHILDREN + self.multinode.partition(FIRST_CHILDREN)[2]

    @cached_property
    def groups(self) -> frozenset[str]:
        """Every group that the example inventory has."""
        return frozenset(SECTION.findall(self.multinode))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every variable that Kolla defines, and those that its example globals.yml names without a default."""
        ansible = self.data / "ansible"
        folders = (ansible / "group_vars", *(role / part for role in (ansible / "roles").iterdir() for part in ("defaults", "vars")))
        files = [path for folder in folders for path in folder.rglob("*.yml")]
        files.append(self.data / "etc_examples/kolla/globals.yml")
        return frozenset(key for path in files for key in TOP_LEVEL.findall(path.read_text())) | self.passwords

    @cached_property
    def passwords(self) -> frozenset[str]:
        """The keys of the example passwords.yml."""
        return frozenset(TOP_LEVEL.findall(self.example_passwords))

    @cached_property
    def example_passwords(self) -> str:
        return (self.data / "etc_examples/kolla/passwords.yml").read_text()


def read_package(venv: Path, wanted: str | None = None) -> Package:
    """The kolla-ansible in a virtual environment, by its metadata; another version than the one that is wanted is refused."""
    found = sorted(venv.glob("lib/python3*/site-packages/kolla_ansible-*.dist-info"))
    if not found:
        raise PackageMissing(f"Cannot find kolla-ansible in {venv}")
    package = Package(venv.absolute(), found[0].name.removeprefix("kolla_ansible-").removesuffix(".dist-info"))
    if not package.data.is_dir():
        raise PackageMissing(f"Cannot use the kolla-ansible in {venv}: there is no {package.data}")
    if wanted not in (None, package.version):
        raise PackageMissing(f"Cannot use the kolla-ansible in {venv}: it is {package.version}, and the plan wants {wanted}")
    return package
