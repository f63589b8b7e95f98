# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes passwords of Kolla anew, on the controller, where the vault passwords are; plugins/modules/kolla_passwords.py documents it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.documents import write_whole
from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import PASSWORDS_ARGUMENTS
from ..module_utils.kolla.package import Package, read_package
from ..module_utils.kolla.passwords import PATH, read_passwords
from ..module_utils.kolla.rotation import Kept, holders, kept_text, read_kept, refuse_another, renewed, restored, wanted_names
from ..module_utils.kolla.tree import read_file
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=PASSWORDS_ARGUMENTS)
        try:
            # Ansible's strings carry tags that YAML has no word for.
            return result | self._ensure(json.loads(json.dumps(options)))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, options: dict[str, Any]) -> dict[str, Any]:
        safe, kept_path, file = AnsibleSafe(self._loader), Path(options["kept"]), Path(options["config"]) / PATH
        package = read_package(Path(options["venv"]))
        kept = read_kept(read_file(kept_path, safe).text) if kept_path.exists() else None
        if options["state"] == "begun":
            if kept:
                refuse_another(kept, options["names"])
                return _told(kept.names, package, changed=False)
            return self._begin(wanted_names(options["names"], package, options["chosen"]), package, safe, kept_path, file)
        if kept is None:
            return _told((), package, changed=False)
        if options["state"] == "ended":
            if not self._task.check_mode:
                kept_path.unlink()
            return _told(kept.names, package, changed=True)
        before = read_file(file, safe).text
        after = restored(before, kept)
        changed = read_passwords(after) != read_passwords(before)
        if changed and not self._task.check_mode:
            _write(file, after, safe)
        return _told(kept.names, package, changed=changed)

    def _begin(self, names: list[str], package: Package, safe: AnsibleSafe, kept_path: Path, file: Path) -> dict[str, Any]:
        """The old values are safe before the new ones are written."""
        before = read_file(file, safe).text
        if not self._task.check_mode:
            old = read_passwords(before)
            kept = Kept(
                names=tuple(names),
                began=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                before={name: old[name] for name in names if name in old},
            )
            after = renewed(before, names, package)
            kept_path.parent.mkdir(parents=True, exist_ok=True)
            _write(kept_path, kept_text(kept), safe)
            _write(file, after, safe)
        return _told(names, package, changed=bool(names))


def _write(path: Path, text: str, safe: AnsibleSafe) -> None:
    write_whole(safe.lock(text), path, "file of Kolla's passwords")
    path.chmod(0o600)


def _told(names: list[str] | tuple[str, ...], package: Package, *, changed: bool) -> dict[str, Any]:
    shown = {"before": "", "after": "".join(f"{name}: (secret, changed)\n" for name in names) if changed else ""}
    return {"changed": changed, "names": list(names), "services": holders(names, package) if names else [], "diff": shown}
