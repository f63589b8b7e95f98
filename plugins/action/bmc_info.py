# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module bmc_info, shows how far it is, and what it found."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..module_utils.bmc.errors import BmcError
from ..module_utils.bmc.targets import as_entries, parse_targets, read_address_files
from ..plugin_utils.progress import following


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        arguments = dict(self._task.args)
        try:
            # Files of addresses are the controller's; and a mistake in a target is said before the module could log it.
            arguments["targets"] = read_address_files(as_entries(arguments.get("targets")), Path(self._loader.get_basedir()))
            parse_targets(arguments)
        except BmcError as exc:
            raise AnsibleActionFail(str(exc)) from exc
        result |= self._read(arguments, task_vars)
        for line in result.get("table") or ():
            Display().display(line)
        return result

    def _read(self, arguments: dict[str, Any], task_vars: dict[str, Any] | None) -> dict[str, Any]:
        if self._connection.transport != "local" or arguments.get("progress"):
            found: dict[str, Any] = self._execute_module(module_args=arguments, task_vars=task_vars)
            return found
        with tempfile.NamedTemporaryFile(prefix="vitro-progress-") as lines:
            arguments["progress"] = lines.name
            with following(Path(lines.name)):
                found = self._execute_module(module_args=arguments, task_vars=task_vars)
        return found
