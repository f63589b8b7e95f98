# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says what a node is to have, and writes it for review; plugins/modules/rke2_render.py documents it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.rke2.arguments import RENDER
from ..module_utils.rke2.rendering import ensure_rendered, wanted_of
from ..module_utils.rke2.wanted import wish_of


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=RENDER)
        try:
            wish = wish_of(given["node"])
            wanted, files = wanted_of(wish)
            written = ensure_rendered(files, Path(given["dest"]), check_mode=self._task.check_mode)
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        objections = [asdict(one) for one in wanted.pop("objections")]
        diff = {"before": "".join(written.before), "after": "".join(written.after)}
        return result | {"changed": bool(written.changed), "objections": objections, **wanted, "diff": diff}
