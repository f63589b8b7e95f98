# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a host's backup to the controller; plugins/modules/kolla_backup.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.backups import BackupFailed
from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import BACKUP_ARGUMENTS
from ..module_utils.kolla.backup import Source, read_manifest, shelf, store
from ..module_utils.kolla.tree import NoVaultPassword
from ..plugin_utils.safe import AnsibleSafe
from ..plugin_utils.streams import RemoteReader


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=BACKUP_ARGUMENTS)
        variables = task_vars or {}
        try:
            return result | self._ensure(options, variables, str(variables.get("inventory_hostname", "")))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, options: dict[str, Any], variables: dict[str, Any], host: str) -> dict[str, Any]:
        if self._task.check_mode:
            return {"changed": True, "msg": f"the newest backup of {host} would be brought to {options['dest']}"}
        secrets = AnsibleSafe(self._loader).passwords
        if not secrets:
            raise NoVaultPassword("Cannot seal a backup: this run has no vault password")
        asked = {"engine": options["engine"], "stage": "look"}
        seen = self._execute_module(module_name="frontier.vitro.kolla_database", module_args=asked, task_vars=variables)
        if seen.get("failed"):
            return dict(seen)
        if not seen["path"] or seen["made"] < options["since"]:
            raise BackupFailed(
                f"There is no new backup on {host}: kolla-ansible mariadb-backup left {seen['path'] or 'none'} there",
                cure="Look into its log, and whether enable_mariabackup is on",
            )
        facts = {key: seen[key] for key in ("mariadb", "bytes", "sha256", "data_bytes")}
        source = Source(site=options["site"], host=host, release=options["release"], **facts)
        folder = Path(options["dest"])
        stream = RemoteReader(self._low_level_execute_command, seen["path"], seen["bytes"])
        made = store(stream, source, folder, secrets[0][1])  # type: ignore[arg-type]
        removed = shelf(folder).rotate(options["kept"], made)
        manifest = read_manifest(made)
        return {
            "changed": True,
            "path": str(made),
            "bytes": manifest.bytes,
            "brought": seen["path"],
            "removed": removed,
        }
