# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the modules kolla_check and kolla_images are given, and how they read a configuration directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import VitroError, counted, numbered
from ..plan.types import Plan
from .registry import Registry, RegistryRefused
from .tree import File, Safe, SecretLocked, read_file


class ConfigUnreadable(VitroError):
    code = "kolla_config"
    cure = "Render it: frontier.vitro.render"


def read_config(folder: Path, safe: Safe) -> dict[str, File]:
    """All files of Kolla's directory, secrets in the clear; what cannot be read is told all at once."""
    if not folder.is_dir():
        raise ConfigUnreadable(f"Cannot read Kolla's configuration {folder}: there is no such folder")
    tree: dict[str, File] = {}
    mistakes: list[str] = []
    cure = ""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            tree[path.relative_to(folder).as_posix()] = read_file(path, safe)
        except SecretLocked as exc:
            mistakes.append(exc.text)
            cure = exc.cure
        except OSError as exc:
            mistakes.append(f"Cannot read {path}: {exc.strerror}")
    if mistakes:
        said = f"{counted(len(mistakes), 'mistake')}: {numbered(mistakes)}"
        raise ConfigUnreadable(f"Cannot read Kolla's configuration {folder}, {said}", cure=cure or "Correct the rights of these files")
    return tree


def to_registry(given: Mapping[str, Any], plan: Plan) -> Registry:
    """The registry that is to be asked, the planned one unless another is named."""
    url = given.get("url") or (f"https://{plan.registry}" if plan.registry else None)
    if not url:
        raise RegistryRefused("Cannot ask a registry: the plan has none", cure="Set `registry` in the intent and plan again, or give `url`")
    if not url.startswith(("https://", "http://")):
        raise RegistryRefused(f"Cannot ask the registry {url}: it must begin with https://, or http:// where there is no TLS")
    ca = given.get("ca")
    return Registry(
        url=url.rstrip("/"),
        ca=Path(ca) if ca else None,
        username=given.get("username"),
        password=given.get("password"),
        timeout=given.get("timeout") or 30.0,
    )
