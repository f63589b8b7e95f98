# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a host, with the site's token beside, and holds its clock against the controller's; modules/rke2_node_info.py documents it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..plugin_utils.rke2 import SiteSecrets
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        given = dict(self._task.args)
        documents = given.pop("documents", None)
        try:
            told = SiteSecrets(Path(documents) / "rke2/secrets.yml", AnsibleSafe(self._loader)).read() if documents else {}
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        began = time.time()
        said = self._execute_module(module_args={**given, "token": told.get("token", "")}, task_vars=task_vars)
        ended = time.time()
        if "time" in said:
            # The host looked at its clock between both.
            off = min(said["time"] - began, 0.0) or max(said["time"] - ended, 0.0)
            said["clock"] = {"off": round(off, 3)}
        return result | said
