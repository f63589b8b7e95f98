# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a backup, and brings it to a host; plugins/modules/kolla_restore.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import RESTORE_ARGUMENTS
from ..module_utils.kolla.backup import needed_bytes, read_manifest, refuse, shelf
from ..plugin_utils.safe import AnsibleSafe
from ..plugin_utils.streams import RemoteWriter


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=RESTORE_ARGUMENTS)
        try:
            return result | (self._bring(options, task_vars or {}) if options["engine"] else self._verify(options))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    @property
    def _secrets(self) -> list[bytes]:
        return [secret for _, secret in AnsibleSafe(self._loader).passwords]

    def _verify(self, options: dict[str, Any]) -> dict[str, Any]:
        folder = shelf(Path(options["folder"])).chosen(options["backup"])
        manifest = refuse(folder, options["site"], options["release"], options["confirm"], self._secrets)
        told = {key: getattr(manifest, key) for key in ("at", "host", "mariadb", "plain_sha256", "data_bytes")}
        return {"changed": False, "path": str(folder), "name": folder.name, "needed_bytes": needed_bytes(manifest), **told}

    def _bring(self, options: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        """Stream it, unless a run before has brought it."""
        folder = shelf(Path(options["folder"])).chosen(options["backup"])
        manifest = read_manifest(folder)
        if self._task.check_mode:
            return {"changed": True, "path": str(folder), "msg": f"{folder.name} would be brought to the host"}
        asked = {"engine": options["engine"], "stage": "begin"}
        begun = self._execute_module(module_name="frontier.vitro.kolla_database", module_args=asked, task_vars=variables)
        if begun.get("failed"):
            return dict(begun)
        if begun["sha256"] == manifest.plain_sha256:
            return {"changed": False, "path": str(folder), "brought": begun["path"]}
        target = RemoteWriter(self._low_level_execute_command, begun["path"])
        shelf(Path(options["folder"])).open_to(folder, target, self._secrets)
        target.flush()
        return {"changed": True, "path": str(folder), "brought": begun["path"]}
