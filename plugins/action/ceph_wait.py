# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a cluster again and again, and shows how far it is; plugins/modules/ceph_wait.py documents it."""

from __future__ import annotations

import time
from typing import Any

from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..module_utils.ceph.spec import name_of
from ..module_utils.ceph.waiting import ARGUMENTS, Awaited, Stuck, missing, progress


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        awaited = Awaited(tuple(given["monitors"]), given["osds"], tuple(map(name_of, given["services"])), clean=given["clean"])
        asked = {key: given[key] for key in ("fsid", "cephadm", "timeout")}
        if self._task.check_mode:
            return result | {"changed": False, "skipped": True, "msg": "Nothing is awaited in check mode"}
        shown, since = "", time.monotonic()
        while True:
            said = self._execute_module("frontier.vitro.ceph_info", module_args=asked, task_vars=task_vars)
            left = [said["msg"]] if said.get("failed") else missing(awaited, said["cluster"])
            if not left:
                return result | {"changed": False, "cluster": said["cluster"]}
            line = left[0] if said.get("failed") else progress(awaited, said["cluster"])
            if line != shown:
                Display().display(f"Ceph: {line}")
                shown, since = line, time.monotonic()
            if time.monotonic() - since > given["patience"]:
                return result | {
                    "failed": True,
                    "msg": str(Stuck(given["patience"], left, said.get("cluster", {}).get("errors", []))),
                    "code": Stuck.code,
                }
            time.sleep(given["pause"])
