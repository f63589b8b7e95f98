# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that run their module again while what it began goes on."""

from __future__ import annotations

import time
from typing import Any, Final

from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..module_utils.ceph.session import ClusterSilent, CommandRefused
from ..module_utils.ceph.waiting import Stuck

# A cluster whose manager changes refuses, or says nothing, for a while.
PASSING: Final = frozenset({ClusterSilent.code, CommandRefused.code})
PASSING_SECONDS: Final = 300


class Again(ActionBase):  # type: ignore[misc] # Ansible has no types
    """For modules that return `awaited`, empty when all is done, and `progress`, which is shown."""

    _supports_check_mode = True
    # Whether the module has an option `begun`, which says that it ran before.
    _tells_begun = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        said = self._ask(task_vars, begun=False)
        changes, begun = list(said.get("changes", [])), bool(said.get("awaited"))
        shown, since = "", time.monotonic()
        patience, pause = int(self._task.args.get("patience", 1800)), int(self._task.args.get("pause", 15))
        while begun and not self._task.check_mode and (said.get("awaited") or said.get("code") in PASSING):
            silent = bool(said.get("failed"))
            line = said["msg"] if silent else said["progress"]
            if line != shown:
                Display().display(f"Ceph: {line}")
                shown, since = line, time.monotonic()
            if time.monotonic() - since > (PASSING_SECONDS if silent else patience):
                return result | (said if silent else {"failed": True, "msg": str(Stuck(patience, [line], [])), "code": Stuck.code})
            time.sleep(pause)
            said = self._ask(task_vars, begun=True)
            changes += [one for one in said.get("changes", []) if one not in changes]
        said.pop("progress", None)
        return result | said | {"changed": bool(changes), "changes": changes}

    def _ask(self, task_vars: dict[str, Any] | None, *, begun: bool) -> dict[str, Any]:
        more = {"begun": begun} if self._tells_begun else {}
        said: dict[str, Any] = self._execute_module(module_args={**self._task.args, **more}, task_vars=task_vars)
        return said
