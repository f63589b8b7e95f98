# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares certificates and looks at those that are served, on the controller; plugins/modules/cloud_certificates.py documents it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.checks import evidence, wrong
from ..module_utils.cloud.arguments import CERTIFICATES_ARGUMENTS
from ..module_utils.cloud.certificates import FRONT, ask_served, doors_of, judge_served, leaf_of, plan_renewal, services_of
from ..module_utils.errors import VitroError
from ..module_utils.kolla.tree import read_tree
from ..plugin_utils.clouds import cloud_of
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        required = [("state", "served", ["clouds", "doors"], True), ("state", "compared", ["brought"])]
        _, options = self.validate_argument_spec(argument_spec=CERTIFICATES_ARGUMENTS, required_if=required)
        try:
            return result | {"changed": False} | (self._compare(options) if options["state"] == "compared" else self._ask(options))
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _texts(self, folder: str) -> dict[str, str]:
        return {name: file.text for name, file in read_tree(Path(folder), AnsibleSafe(self._loader)).items()}

    def _compare(self, options: dict[str, Any]) -> dict[str, Any]:
        changes = plan_renewal(self._texts(options["rendered"]), self._texts(options["brought"]))
        return {"changes": changes, "services": services_of(changes)}

    def _ask(self, options: dict[str, Any]) -> dict[str, Any]:
        doors, ca = doors_of(options["doors"]), options["ca"]
        texts = self._texts(options["rendered"])
        wanted = {side: leaf for name, side in FRONT.items() if name in texts and (leaf := leaf_of(texts[name]))}
        if options["clouds"]:
            cloud = cloud_of(self._loader, options)
            ca = cloud.ca
            doors += [one for one in cloud.endpoints() if one.interface in options["interfaces"]]
        seen = ask_served(doors, ca, options["request_timeout"])
        checks = list(judge_served(seen, wanted, datetime.now(UTC), options["days"]))
        return {"checks": evidence(checks, "openstack"), "wrong": wrong(checks)}
