# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a compute host to a state, on the controller, and shows the progress; plugins/modules/cloud_compute.py documents it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.cloud.arguments import COMPUTE_ARGUMENTS
from ..module_utils.cloud.drain import Rules
from ..module_utils.cloud.ensure import Outcome, Wish, ensure_compute
from ..module_utils.errors import VitroError
from ..plugin_utils.clouds import cloud_of
from ..plugin_utils.progress import Reporter


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=COMPUTE_ARGUMENTS)
        try:
            return result | self._ensure(options)
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, options: dict[str, Any]) -> dict[str, Any]:
        rules = Rules(options["stopped"], options["local_disks"], options["parallel"], options["timeout"])
        wish = Wish(options["host"], options["state"], options["reason"], rules, _watched(os.getppid()))
        report = Reporter()
        outcome = ensure_compute(cloud_of(self._loader, options), wish, report, check_mode=self._task.check_mode)
        report.flush()
        return _told(outcome)


def _watched(parent: int) -> Callable[[float], None]:
    """Ansible's workers outlive an ansible-playbook that is killed; nobody would watch what such a one goes on to move."""

    def pause(seconds: float) -> None:
        time.sleep(seconds)
        if os.getppid() != parent:
            raise SystemExit(1)

    return pause


def _told(outcome: Outcome) -> dict[str, Any]:
    texts = {f"{when}": json.dumps(shown, indent=2) + "\n" for when, shown in (("before", outcome.before), ("after", outcome.after))}
    error = outcome.error
    return {
        "changed": outcome.changed,
        "moves": outcome.moves,
        "left": outcome.left,
        "removed": outcome.removed,
        "diff": texts,
        **({"failed": True, "msg": str(error), "code": error.code} if error else {}),
    }
