# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists images on the controller, where the vault passwords are; plugins/modules/kolla_images.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.documents import ensure_text
from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import IMAGES_ARGUMENTS
from ..module_utils.kolla.check_options import read_config
from ..module_utils.kolla.images import list_images
from ..module_utils.kolla.package import read_package
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=IMAGES_ARGUMENTS)
        try:
            return result | self._ensure(*(Path(str(options[key])) for key in ("config", "venv", "dest")))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, config: Path, venv: Path, dest: Path) -> dict[str, Any]:
        images = list_images(read_config(config, AnsibleSafe(self._loader)), read_package(venv))
        text = "".join(f"{image}\n" for image in images)
        before = dest.read_text() if dest.is_file() else ""
        changed = ensure_text(text, dest, "list of images", check_mode=self._task.check_mode)
        diff = {"before_header": str(dest), "after_header": str(dest), "before": before, "after": text}
        return {"changed": changed, "images": images, "dest": str(dest), **({"diff": diff} if changed else {})}
