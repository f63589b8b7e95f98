# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes new tokens, notes them, and lets a server have them; plugins/modules/rke2_rotate.py documents it."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.rke2.errors import RotationRefused
from ..plugin_utils.rke2 import BYTES, SiteSecrets
from ..plugin_utils.safe import AnsibleSafe

ARGUMENTS = {
    "what": {"type": "str", "required": True, "choices": ["token", "agent_token", "secrets_key", "agreed", "certificates"]},
    "documents": {"type": "path", "required": True},
    "role": {"type": "str", "default": "server", "choices": ["server", "agent"]},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "patience": {"type": "int", "default": 900},
}
# What the cluster may have by now, or not: noted before it was told.
NEXT = "next_token"


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        kept = SiteSecrets(Path(given["documents"]) / "rke2/secrets.yml", AnsibleSafe(self._loader))
        try:
            told = kept.read()
            if not told:
                raise RotationRefused(f"There are no tokens in {kept.path}", cure="Run frontier.vitro.rke2 first")
            if given["what"] == "agent_token":
                return result | self._agent_token(kept, told)
            if given["what"] == "token":
                return result | self._token(kept, told, given, task_vars or {})
            return result | self._host(given, task_vars or {}, old=told["token"])
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _agent_token(self, kept: SiteSecrets, told: dict[str, str]) -> dict[str, Any]:
        if not self._task.check_mode:
            kept.write({**told, "agent_token": secrets.token_hex(BYTES)})
        return {"changed": True}

    def _token(self, kept: SiteSecrets, told: dict[str, str], given: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        following = told.get(NEXT) or secrets.token_hex(BYTES)
        if not self._task.check_mode:
            kept.write({**told, NEXT: following})
        said = self._host(given, variables, old=told["token"], new=following)
        if not said.get("failed") and not self._task.check_mode:
            kept.write({**{key: value for key, value in told.items() if key != NEXT}, "token": following})
            said["changed"] = True
        return said

    def _host(self, given: dict[str, Any], variables: dict[str, Any], **tokens: str) -> dict[str, Any]:
        asked = {key: given[key] for key in ("what", "role", "data_dir", "patience")}
        said: dict[str, Any] = self._execute_module("frontier.vitro.rke2_rotate", module_args={**asked, **tokens}, task_vars=variables)
        return said
