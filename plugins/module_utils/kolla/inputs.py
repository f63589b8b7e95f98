# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operator and Ceph bring to the rendering, checked before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ..errors import VitroError, counted, numbered
from .certificates import CA_FOLDER
from .package import Package
from .tree import File, Safe, Tree, nearest, read_tree

FOLDERS: Final = ("config/", "certificates/")
# Kolla merges these with its own (merge_configs, merge_yaml), and does not decrypt them.
SETTINGS: Final = (".conf", ".ini", ".cnf")
MERGED: Final = (*SETTINGS, ".yml", ".yaml")
KEY: Final = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----")


class InputsRefused(VitroError):
    code = "kolla_inputs"


@dataclass(frozen=True, slots=True)
class Inputs:
    """`files` are the operator's own, as they lie in Kolla's directory; `ceph` is what Ceph handed over."""

    globals: Mapping[str, Any] = field(default_factory=dict)
    connection: Mapping[str, Any] = field(default_factory=dict)
    passwords: Mapping[str, Any] = field(default_factory=dict)
    files: Tree = field(default_factory=dict)
    ceph: Tree = field(default_factory=dict)


def read_inputs(options: Mapping[str, Any], package: Package, safe: Safe) -> Inputs:
    """Both folders may be missing: what they should hold is then said to be wanted."""
    files = _read(options.get("files"), safe)
    inputs = Inputs(
        globals=options["globals"],
        connection=options["connection"],
        passwords=options["passwords"],
        files={path: replace(file, secret=file.secret or holds_secret(path, file)) for path, file in files.items()},
        ceph=_read(options.get("ceph"), safe),
    )
    mistakes = [*check_files(inputs.files), *check_keys(inputs, package)]
    if mistakes:
        raise InputsRefused(f"Cannot render Kolla's configuration, {counted(len(mistakes), 'mistake')}: {numbered(mistakes)}")
    return inputs


def holds_secret(path: str, file: File) -> bool:
    return path.endswith(".keyring") or bool(KEY.search(file.text))


def check_files(files: Tree) -> Iterator[str]:
    for path, file in files.items():
        if not path.startswith(FOLDERS):
            yield f"{path} in the folder of own files: only config/ and certificates/ are taken from there"
        elif path.startswith(CA_FOLDER) and not path.endswith(".crt"):
            yield f"{path}: containers trust only files that end in .crt"
        elif path.startswith("config/") and path.endswith(MERGED) and file.secret:
            yield (
                f"{path} is encrypted, or holds a private key: Kolla merges such files without decrypting them. "
                "Put the secret into kolla_topology_passwords, and {{ its_key }} into the file"
            )


def check_keys(inputs: Inputs, package: Package) -> Iterator[str]:
    for key in inputs.globals:
        if key in package.passwords:
            yield f"globals: {key} is a secret, and globals are not encrypted. Give it in passwords (kolla_topology_passwords)"
    for key in inputs.connection:
        if not key.startswith("ansible_"):
            yield f"connection: {key} does not begin with ansible_; a key of Kolla belongs into globals"
    for key, value in inputs.passwords.items():
        near = nearest(key, sorted(package.passwords))
        if value in ("", None):
            yield f"passwords: {key} is empty"
        elif key not in package.passwords and near:
            yield f"passwords: {key} is no password of Kolla; did you mean {near}?"


def _read(folder: str | None, safe: Safe) -> dict[str, File]:
    if not folder or not Path(folder).is_dir():
        return {}
    tree = read_tree(Path(folder), safe)
    return {path: file for path, file in tree.items() if not any(part.startswith(".") for part in path.split("/"))}
