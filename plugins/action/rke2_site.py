# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps tokens and the cluster's id on the controller; plugins/modules/rke2_site.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.rke2.arguments import SITE
from ..plugin_utils.rke2 import SiteSecrets, ensure_state
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=SITE)
        documents, check = Path(given["documents"]), self._task.check_mode
        changes = []
        try:
            if SiteSecrets(documents / "rke2/secrets.yml", AnsibleSafe(self._loader)).ensure(check_mode=check):
                changes.append("tokens are made")
            if ensure_state(documents / "state/rke2.json", given["ca"], given["nodes"], given["gone"], check_mode=check):
                changes.append("the cluster and its nodes are noted")
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        diff = {"before": "", "after": "".join(f"{one}\n" for one in changes)}
        return result | {"changed": bool(changes), "changes": changes, "diff": diff}
