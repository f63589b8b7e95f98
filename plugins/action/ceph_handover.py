# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes on the controller what the module of this name reads on a monitor; plugins/modules/ceph_handover.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.kolla.tree import File, plan_tree, read_tree, write_changes
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        safe = AnsibleSafe(self._loader)
        try:
            safe.lock("whether this run could")
            said = self._execute_module(task_vars=task_vars)
            handed = {name: File(text, secret=True) for name, text in said.pop("keyrings", {}).items()}
            if said.get("failed"):
                return result | said
            return result | self._ensure({"ceph.conf": File(said.pop("conf")), **handed}, Path(self._task.args["dest"]), safe)
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, files: dict[str, File], dest: Path, safe: AnsibleSafe) -> dict[str, Any]:
        """Files of others in that folder stay."""
        before = read_tree(dest, safe)
        changes = plan_tree({name: file for name, file in before.items() if name in files}, files)
        if not self._task.check_mode:
            write_changes(changes, dest, safe)
        return {"changed": bool(changes), "changes": [one.path for one in changes], "diff": [one.diff for one in changes]}
