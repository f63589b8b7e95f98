# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds Neutron, asked from the controller, against OVN, asked on a member; plugins/modules/cloud_networks.py documents it."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.checks import evidence, wrong
from ..module_utils.cloud.arguments import LOGIN
from ..module_utils.cloud.networks import in_ovn, judge_networks, read_networks
from ..module_utils.errors import VitroError
from ..plugin_utils.clouds import cloud_of


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=LOGIN)
        before = self._ask_ovn(task_vars)
        try:
            neutron = in_ovn(read_networks(cloud_of(self._loader, options))) if "found" in before else {}
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        after = self._ask_ovn(task_vars) if "found" in before else before
        if "found" not in after:
            return result | after
        checks = [*judge_networks(neutron, before["found"], after["found"])]
        return result | {"changed": False, "checks": evidence(checks, "ovn"), "wrong": wrong(checks)}

    def _ask_ovn(self, task_vars: dict[str, Any] | None) -> dict[str, Any]:
        said: dict[str, Any] = self._execute_module("frontier.vitro.ovn_networks_info", module_args={}, task_vars=task_vars)
        return said
