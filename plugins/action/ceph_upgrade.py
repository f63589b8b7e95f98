# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module ceph_upgrade, and again until the last daemon is done; shows how far it is."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ..plugin_utils.again import run_again


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)

        def run(begun: bool) -> dict[str, Any]:  # noqa: FBT001 - a callback
            said: dict[str, Any] = self._execute_module(module_args={**self._task.args, "begun": begun}, task_vars=task_vars)
            return said

        return result | run_again(run, self._task.args, check_mode=self._task.check_mode)
