# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a backup of RKE2 to the controller; plugins/modules/rke2_backup.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.kolla.tree import NoVaultPassword
from ..module_utils.rke2.backup import Source, shelf, store
from ..plugin_utils.safe import AnsibleSafe
from ..plugin_utils.streams import RemoteReader

ARGUMENTS = {
    "dest": {"type": "path", "required": True},
    "site": {"type": "str", "required": True},
    "plan": {"type": "str", "default": ""},
    "kept": {"type": "int", "default": 14},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
}


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        if self._task.check_mode:
            return result | {"changed": True, "msg": f"A snapshot would be made, looked into, and sealed in {given['dest']}"}
        try:
            return result | self._keep(given, task_vars or {})
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        except OSError as exc:
            return result | {"failed": True, "msg": f"Cannot read the plan {given['plan']}: {exc.strerror}"}

    def _keep(self, given: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        secrets = AnsibleSafe(self._loader).passwords
        if not secrets:
            raise NoVaultPassword("Cannot seal a backup: this run has no vault password")
        content = Path(given["plan"]).read_text() if given["plan"] else ""
        taken = self._host("taken", given, variables, content)
        if taken.get("failed"):
            return taken
        host = str(variables.get("inventory_hostname", ""))
        source = Source(
            site=given["site"], host=host, version=taken["version"], ca=taken["ca"], servers=tuple(taken["servers"]), **taken["snapshot"]
        )
        folder = Path(given["dest"])
        try:
            stream = RemoteReader(self._low_level_execute_command, taken["path"], taken["bytes"])
            path, manifest = store(stream, source, folder, (taken["bytes"], taken["sha256"]), secrets[0][1])  # type: ignore[arg-type]
        finally:
            swept = self._host("swept", given, variables)
        if swept.get("failed"):
            return swept
        removed = shelf(folder).rotate(given["kept"], path)
        return {"changed": True, "path": str(path), "bytes": manifest.bytes, "revision": manifest.revision, "removed": removed}

    def _host(self, stage: str, given: dict[str, Any], variables: dict[str, Any], content: str = "") -> dict[str, Any]:
        asked = {"stage": stage, "data_dir": given["data_dir"], "content": content}
        said: dict[str, Any] = self._execute_module("frontier.vitro.rke2_backup", module_args=asked, task_vars=variables)
        return said
