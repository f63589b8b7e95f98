# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a cloud how it is, on the controller, where the vault passwords are; plugins/modules/cloud_health.py documents it."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.checks import evidence, wrong
from ..module_utils.cloud.arguments import HEALTH_ARGUMENTS
from ..module_utils.cloud.asking import ask_cloud
from ..module_utils.cloud.boot import Boot, boot_guest
from ..module_utils.errors import VitroError
from ..plugin_utils.clouds import cloud_of


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=HEALTH_ARGUMENTS)
        try:
            return result | self._ask(options)
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ask(self, options: dict[str, Any]) -> dict[str, Any]:
        cloud = cloud_of(self._loader, options)
        checks = ask_cloud(cloud, options["compute"], options["interfaces"])
        if options["boot"] and not self._task.check_mode:
            checks += boot_guest(cloud, Boot(**options["boot"]))
        return {"changed": False, "checks": evidence(checks, "openstack"), "wrong": wrong(checks)}
