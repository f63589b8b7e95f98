# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signs on the controller what hosts ask for; plugins/modules/ovn_certificate.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.ovn.authority import ends_of, mistakes, public_of_request, sign
from ..module_utils.ovn.errors import CertificateRefused
from ..plugin_utils.authority import Authority
from ..plugin_utils.safe import AnsibleSafe

ARGUMENTS = {
    "authority": {"type": "path", "required": True},
    "site": {"type": "str", "required": True},
    "name": {"type": "str"},
    "addresses": {"type": "list", "elements": "str", "default": []},
    "folder": {"type": "path", "default": "/etc/ovn/vitro"},
    "locked": {"type": "bool", "default": False},
}


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        authority = Authority(Path(given["authority"]), AnsibleSafe(self._loader), self._task.check_mode)
        try:
            if not given["name"]:
                return result | {"changed": authority.ensure(given["site"])}
            if authority.missing and authority.check_mode:
                return result | {"changed": True, "why": ["the site has no CA yet"]}
            if given["locked"]:
                changed, why, certificate = authority.hand_over(given["name"], Path(given["folder"]))
                return result | {"changed": changed, "why": why, "ends": ends_of(certificate)}
            return result | self._certify(given, authority, task_vars or {})
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _certify(self, given: dict[str, Any], authority: Authority, variables: dict[str, Any]) -> dict[str, Any]:
        ca, name = authority.ca, given["name"]
        brought = authority.brought(ca, name)
        seen = self._on_host({"folder": given["folder"], "name": name}, variables)
        certificate, key = brought or (seen["certificate"], None)
        if brought:
            why = ["another one was brought"] if seen["certificate"] != certificate else []
        else:
            public = public_of_request(seen["request"]) if seen["request"] else ""
            why = [*mistakes(ca, certificate, public)] if certificate else ["there was none"]
            if why and seen["request"] and not self._task.check_mode:
                certificate = sign(ca, seen["request"], name, given["addresses"])
        if self._task.check_mode:
            return {"changed": bool(why) or seen["ca"] != ca.text, "why": why}
        written = self._on_host({"folder": given["folder"], "certificate": certificate, "ca": ca.text, "key": key}, variables)
        before = ends_of(seen["certificate"]) if seen["certificate"] else "none"
        diff = {"before": f"{before}\n", "after": f"{ends_of(certificate)}\n"}
        return {"changed": seen["made"] or written["changed"], "why": why, "ends": ends_of(certificate), "diff": diff}

    def _on_host(self, asked: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        done: dict[str, Any] = self._execute_module("frontier.vitro.ovn_certificate", module_args=asked, task_vars=variables)
        if done.get("failed"):
            raise CertificateRefused(str(done.get("msg", "the host gave no answer")))
        return done
