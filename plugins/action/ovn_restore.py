# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a backup on the controller and brings it to a member; plugins/modules/ovn_restore.py documents it."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.ovn.backup import chosen, read_backup

ARGUMENTS = {
    "folder": {"type": "path", "required": True},
    "backup": {"type": "str", "default": "latest"},
    "site": {"type": "str", "required": True},
    "confirm": {"type": "str", "default": ""},
    "check_only": {"type": "bool", "default": False},
    "engine": {"type": "str", "default": ""},
    "patience": {"type": "int", "default": 300},
    "timeout": {"type": "int", "default": 30},
}


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        try:
            path = chosen(Path(given["folder"]), given["backup"])
            manifest, files = read_backup(path, given["site"], given["confirm"])
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        north = manifest["databases"]["nb"]
        told = {"name": path.name, "at": manifest["at"], "rows": north["rows"]}
        if given["check_only"]:
            return result | {"changed": False, **told}
        asked = {key: given[key] for key in ("engine", "patience", "timeout")}
        packed = base64.b64encode(zlib.compress(files["nb"])).decode()
        done = self._execute_module(
            "frontier.vitro.ovn_restore", module_args=asked | {"packed": packed, "version": north["version"]}, task_vars=task_vars
        )
        return result | dict(done) | told
