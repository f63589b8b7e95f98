# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site keeps of its RKE2 on the controller: tokens, locked, and which cluster it has."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..module_utils.documents import ensure_text, write_whole
from ..module_utils.rke2.errors import Rke2Refused
from ..module_utils.rke2.marks import mark_of
from .safe import AnsibleSafe

LOCKED = b"$ANSIBLE_VAULT"
NAMES = ("token", "agent_token")
# Of a token that a rotation or an operator has brought, the part behind the user counts.
BYTES = 32


@dataclass(frozen=True, slots=True)
class SiteSecrets:
    """`path` is rke2/secrets.yml of the site. It is locked as a whole."""

    path: Path
    safe: AnsibleSafe

    def read(self) -> dict[str, str]:
        """Empty if there is no such file yet."""
        if not self.path.is_file():
            return {}
        content = self.path.read_bytes()
        plain = self.safe.unlock(content, self.path) if content.startswith(LOCKED) else content.decode()
        told = yaml.safe_load(plain)
        if not isinstance(told, dict) or not all(isinstance(told.get(name), str) and told[name] for name in NAMES):
            raise Rke2Refused(
                f"Cannot use {self.path}: it has no {' or no '.join(NAMES)}", cure="Write both, as texts, and lock it with ansible-vault"
            )
        return told

    def write(self, told: Mapping[str, str]) -> None:
        write_whole(self.safe.lock(yaml.safe_dump(dict(told))), self.path, "secrets")
        self.path.chmod(0o600)

    def ensure(self, *, check_mode: bool) -> bool:
        """Whether they had to be made."""
        if self.read():
            return False
        if not check_mode:
            self.write({name: secrets.token_hex(BYTES) for name in NAMES})
        return True


def marks(told: Mapping[str, str], role: str, ca: str) -> dict[str, str]:
    """The secrets of a node by their marks. With the hash of the CA a token is full: a short one would trust any CA."""
    if not told:
        return {}
    token, user = (told["token"], "server") if role == "server" else (told["agent_token"], "node")
    full = f"K10{ca}::{user}:{token}" if ca else token
    return {mark_of("token"): f"{full}\n", mark_of("agent-token"): f"{told['agent_token']}\n"}


def read_state(path: Path) -> dict[str, Any]:
    """Which cluster the site has, and its nodes; empty if it has none yet."""
    if not path.is_file():
        return {}
    told = json.loads(path.read_text())
    return told if isinstance(told, dict) else {}


def ensure_state(path: Path, ca: str, nodes: Mapping[str, str], gone: Collection[str], *, check_mode: bool) -> bool:
    """Remembers the cluster and its nodes; those that are gone are forgotten, others only added."""
    before = read_state(path)
    if not ca:
        # In check mode before the first run there is none yet, and its nodes would be noted.
        return check_mode and bool(nodes)
    kept = {name: role for name, role in {**before.get("nodes", {}), **nodes}.items() if name not in gone}
    text = json.dumps({**before, "ca": ca, "nodes": kept}, indent=1, sort_keys=True) + "\n"
    return ensure_text(text, path, "state of RKE2", check_mode=check_mode)
