# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders Kolla's configuration on the controller, where the vault passwords are; plugins/modules/kolla_topology.py documents it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import ARGUMENTS
from ..module_utils.kolla.directory import mark_first, read_directory, sentences
from ..module_utils.kolla.inputs import Inputs, read_inputs
from ..module_utils.kolla.needs import wanted
from ..module_utils.kolla.package import Package, read_package
from ..module_utils.kolla.passwords import PATH as PASSWORDS
from ..module_utils.kolla.passwords import complete, is_complete
from ..module_utils.kolla.topology import render, site_needs
from ..module_utils.kolla.tree import File, plan_tree, write_changes
from ..module_utils.plan.document import read_plan
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=ARGUMENTS)
        try:
            # Ansible's strings carry tags that YAML has no word for; and those of a vault open when they become text.
            return result | self._ensure(json.loads(json.dumps(options, default=str)))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, options: dict[str, Any]) -> dict[str, Any]:
        """Render, write what differs, and say what that changes."""
        safe, dest, check_mode = AnsibleSafe(self._loader), Path(options["dest"]), self._task.check_mode
        plan = read_plan(Path(options["plan"]))
        package = read_package(Path(options["venv"]), plan.versions.kolla_ansible)
        inputs = read_inputs(options, package, safe)
        before = read_directory(dest, safe)
        after = render(plan, package, inputs)
        after[PASSWORDS] = _passwords(before.get(PASSWORDS), package, inputs, check_mode=check_mode)
        changes = plan_tree(before, after)
        if check_mode and any(change.after and change.after.secret for change in changes):
            safe.lock("whether this run could")
        if not check_mode:
            write_changes(mark_first(changes), dest, safe)
        return {
            "changed": bool(changes),
            "changes": list(sentences(changes)),
            "diff": [change.diff for change in changes],
            "wanted": wanted(site_needs(plan, package, inputs)),
            "dest": str(dest),
        }


def _passwords(old: File | None, package: Package, inputs: Inputs, *, check_mode: bool) -> File:
    text = old.text if old else None
    if check_mode and not is_complete(text, package, inputs.passwords):
        return File("they would be made by kolla-genpwd", secret=True)
    return File(complete(text, package, inputs.passwords), secret=True)
