# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module ceph_host, and again while a host gives its data away; shows how far it is."""

from __future__ import annotations

import time
from typing import Any

from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..module_utils.ceph.waiting import Stuck


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        first = said = self._execute_module(task_vars=task_vars)
        shown, since = "", time.monotonic()
        while said.get("awaited") and not self._task.check_mode:
            if said["progress"] != shown:
                Display().display(f"Ceph: {said['progress']}")
                shown, since = said["progress"], time.monotonic()
            patience = int(self._task.args.get("patience", 1800))
            if time.monotonic() - since > patience:
                return result | {"failed": True, "msg": str(Stuck(patience, [said["progress"]], [])), "code": Stuck.code}
            time.sleep(int(self._task.args.get("pause", 15)))
            said = self._execute_module(task_vars=task_vars)
        said.pop("progress", None)
        return result | said | {"changed": bool(first.get("changed")), "changes": first.get("changes", [])}
