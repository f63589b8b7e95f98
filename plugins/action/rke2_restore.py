# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a backup of RKE2 on the controller, and brings it to a server; plugins/modules/rke2_restore.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.rke2.backup import Backup, read_manifest, refuse, shelf, tokens_of
from ..plugin_utils.rke2 import SiteSecrets
from ..plugin_utils.safe import AnsibleSafe
from ..plugin_utils.streams import RemoteWriter

ARGUMENTS = {
    "step": {"type": "str", "required": True, "choices": ["checked", "tokens", "aside", "reset", "passwords", "nodes"]},
    "folder": {"type": "path", "required": True},
    "backup": {"type": "str", "default": "latest"},
    "site": {"type": "str", "required": True},
    "version": {"type": "str", "required": True},
    "confirm": {"type": "str", "default": ""},
    "documents": {"type": "path", "required": True},
}


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        step, variables = self._task.args.get("step"), task_vars or {}
        if step in ("aside", "passwords", "nodes"):
            return result | self._host(dict(self._task.args), variables)
        _, given = self.validate_argument_spec(argument_spec={**HOST, **ARGUMENTS} if step == "reset" else ARGUMENTS)
        try:
            backup = shelf(Path(given["folder"])).chosen(given["backup"])
            if step == "checked":
                return result | self._told(backup, refuse(backup, given["site"], given["version"], given["confirm"], self._secrets))
            if step == "tokens":
                return result | self._tokens(backup, Path(given["documents"]))
            return result | self._reset(backup, given, variables)
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    @property
    def _secrets(self) -> list[bytes]:
        return [secret for _, secret in AnsibleSafe(self._loader).passwords]

    def _told(self, backup: Path, manifest: Backup) -> dict[str, Any]:
        told = {key: getattr(manifest, key) for key in ("at", "ca", "version", "revision")}
        return {"changed": False, "name": backup.name, "servers": list(manifest.servers), **told}

    def _tokens(self, backup: Path, documents: Path) -> dict[str, Any]:
        """The site's secrets as they were then. What rotations brought since is of no use to the snapshot."""
        secrets = SiteSecrets(documents / "rke2/secrets.yml", AnsibleSafe(self._loader))
        found = tokens_of(backup, self._secrets)
        wanted = {"agent_token": found["token"], **found}
        changed = secrets.read() != wanted
        if changed and not self._task.check_mode:
            secrets.write(wanted)
        return {"changed": changed, **self._told(backup, read_manifest(backup))}

    def _reset(self, backup: Path, given: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        """Stream it, unless a run before has brought it, and let the server use it."""
        if self._task.check_mode:
            return {"changed": True, "changes": [f"{backup.name} would be brought, and a cluster of one member made of it"]}
        asked = {"step": "checked", "total": read_manifest(backup).plain_sha256, "data_dir": given["data_dir"]}
        begun = self._host(asked, variables)
        if begun.get("failed"):
            return begun
        if not begun["there"]:
            target = RemoteWriter(self._low_level_execute_command, begun["path"])
            shelf(backup.parent).open_to(backup, target, self._secrets)
            target.flush()
        return self._host({**asked, "step": "reset"}, variables)

    def _host(self, asked: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        said: dict[str, Any] = self._execute_module("frontier.vitro.rke2_restore", module_args=asked, task_vars=variables)
        return said


HOST: dict[str, dict[str, Any]] = {"data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"}}
