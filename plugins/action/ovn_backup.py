# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps backups on the controller; plugins/modules/ovn_backup.py documents it."""

from __future__ import annotations

import base64
import json
import os
import zlib
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.ovn.backup import MANIFEST, manifest_of, rotate

ARGUMENTS = {
    "dest": {"type": "path", "required": True},
    "site": {"type": "str", "required": True},
    "kept": {"type": "int", "default": 14},
    "engine": {"type": "str", "default": ""},
    "timeout": {"type": "int", "default": 30},
}


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        folder = Path(given["dest"])
        if self._task.check_mode:
            return result | {"changed": True, "path": str(folder), "msg": "A backup would be made"}
        asked = {"engine": given["engine"], "timeout": given["timeout"]}
        taken = self._execute_module("frontier.vitro.ovn_backup", module_args=asked, task_vars=task_vars)
        if taken.get("failed"):
            return result | dict(taken)
        try:
            files = {kind: zlib.decompress(base64.b64decode(text)) for kind, text in taken["packed"].items()}
            path = self._keep(folder, files, taken["clusters"], given["site"], str((task_vars or {}).get("inventory_hostname")))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        size = sum(len(content) for content in files.values())
        return result | {"changed": True, "path": str(path), "bytes": size, "removed": rotate(folder, given["kept"])}

    def _keep(self, folder: Path, files: dict[str, bytes], clusters: dict[str, str], site: str, host: str) -> Path:
        """Under its name only when it is whole. Nobody else may read it: it has every address of the site."""
        at = datetime.now(timezone.utc)  # noqa: UP017 - as in the records of evidence
        manifest = manifest_of(site, f"{at:%Y-%m-%dT%H:%M:%SZ}", host, files, clusters)
        new, path = folder / f".{at:%Y%m%dT%H%M%SZ}.new", folder / f"{at:%Y%m%dT%H%M%SZ}"
        new.mkdir(mode=0o700, parents=True)
        for name, content in {**{f"{kind}.db": one for kind, one in files.items()}, MANIFEST: _text(manifest)}.items():
            with os.fdopen(os.open(new / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        new.rename(path)
        return path


def _text(manifest: dict[str, Any]) -> bytes:
    return f"{json.dumps(manifest, indent=1, sort_keys=True)}\n".encode()
