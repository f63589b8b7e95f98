# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks Kolla's configuration on the controller, where the vault passwords are; plugins/modules/kolla_check.py documents it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import CHECK_ARGUMENTS
from ..module_utils.kolla.check import check, lines, summary
from ..module_utils.kolla.check_options import read_config, to_registry
from ..module_utils.kolla.images import list_images
from ..module_utils.kolla.package import read_package
from ..module_utils.kolla.registry import check_registry
from ..module_utils.plan.document import read_plan
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=CHECK_ARGUMENTS)
        try:
            # Those of a vault open when they become text.
            return result | self._check(json.loads(json.dumps(options, default=str)))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _check(self, options: dict[str, Any]) -> dict[str, Any]:
        plan = read_plan(Path(options["plan"]))
        package = read_package(Path(options["venv"]))
        tree = read_config(Path(options["config"]), AnsibleSafe(self._loader))
        findings = check(plan, tree, package, datetime.now(UTC))
        images: list[str] = []
        if options["registry"] is not None:
            images = list_images(tree, package)
            findings += check_registry(images, to_registry(options["registry"], plan))
        shown = lines(findings)
        for line in shown:
            Display().display(line)
        by_weight = {weight: [asdict(one) for one in findings if one.weight == weight] for weight in ("problem", "awaited", "warning")}
        return {
            "changed": False,
            "problems": by_weight["problem"],
            "awaited": by_weight["awaited"],
            "warnings_found": by_weight["warning"],
            "lines": shown,
            "summary": {**summary(findings), "images": len(images)},
        }
