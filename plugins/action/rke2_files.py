# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends a node's files and, beside them, their secrets to its host; plugins/modules/rke2_files.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.rke2.arguments import FILES
from ..module_utils.rke2.paths import files_of
from ..module_utils.rke2.wanted import is_cis, wish_of
from ..plugin_utils.rke2 import SiteSecrets, marks
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=FILES)
        ca, found = given["ca"], given["found"]
        try:
            wish = wish_of(given["node"])
            files, secrets = files_of(wish)
            told = SiteSecrets(Path(given["documents"]) / "rke2/secrets.yml", AnsibleSafe(self._loader)).read()
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        if not told and self._task.check_mode:
            # In check mode before the first run there are none yet, and any will do to say what would change.
            told = {"token": "none", "agent_token": "none"}
        asked = {
            # What joins waits until there is something to join.
            "files": [one.to_data() for one in files if ca or not one.joins],
            "secrets": {**secrets, **marks(told, wish.role, ca)},
            "address": wish.address,
            "etcd_user": wish.server and (is_cis(wish) or wish.config.get("profile") == "etcd"),
            "keepalived": wish.server and wish.registration.mode == "keepalived",
        }
        said = self._execute_module(module_name="frontier.vitro.rke2_files", module_args=asked, task_vars=task_vars)
        running = bool(found.get("units", {}).get(f"rke2-{wish.role}", {}).get("running"))
        due = bool(found.get("stale")) or "restart" in said.get("then", ())
        return result | said | {"restart": running and due}
