# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signs on the controller what hosts ask for; plugins/modules/ovn_certificate.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.documents import write_whole
from ..module_utils.errors import VitroError
from ..module_utils.ovn.authority import Ca, ends_of, make_ca, mistakes, public_of_key, public_of_request, read_ca, sign
from ..module_utils.ovn.errors import CertificateRefused
from ..plugin_utils.safe import AnsibleSafe

LOCKED = b"$ANSIBLE_VAULT"
ARGUMENTS = {
    "authority": {"type": "path", "required": True},
    "site": {"type": "str", "required": True},
    "name": {"type": "str"},
    "addresses": {"type": "list", "elements": "str", "default": []},
    "folder": {"type": "path", "default": "/etc/ovn/vitro"},
}


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        folder = Path(given["authority"])
        try:
            if given["name"]:
                return result | self._certify(given, folder, task_vars or {})
            return result | {"changed": self._ensure_ca(folder, given["site"])}
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure_ca(self, folder: Path, site: str) -> bool:
        """Whether it had to be made. The key goes first: a certificate without its key would look like one that was brought."""
        if (folder / "ca.crt").is_file():
            self._ca(folder)
            return False
        if (folder / "ca.key").is_file():
            raise CertificateRefused(
                f"{folder} has ca.key, and no ca.crt", cure="Bring ca.crt too, or remove ca.key if nothing was signed with it"
            )
        if not self._task.check_mode:
            certificate, key = make_ca(site)
            locked = AnsibleSafe(self._loader).lock(key)
            write_whole(locked, folder / "ca.key", "key of the CA")
            (folder / "ca.key").chmod(0o600)
            write_whole(certificate.encode(), folder / "ca.crt", "certificate of the CA")
        return True

    def _ca(self, folder: Path) -> Ca:
        return read_ca((folder / "ca.crt").read_text(), self._secret(folder / "ca.key"), str(folder))

    def _secret(self, path: Path) -> str | None:
        if not path.is_file():
            return None
        content = path.read_bytes()
        return AnsibleSafe(self._loader).unlock(content, path) if content.startswith(LOCKED) else content.decode()

    def _certify(self, given: dict[str, Any], folder: Path, variables: dict[str, Any]) -> dict[str, Any]:
        if not (folder / "ca.crt").is_file() and self._task.check_mode:
            return {"changed": True, "why": ["the site has no CA yet"]}
        ca, name = self._ca(folder), given["name"]
        seen = self._on_host({"folder": given["folder"], "name": name}, variables)
        if (folder / f"{name}.crt").is_file():
            certificate, key = (folder / f"{name}.crt").read_text(), self._secret(folder / f"{name}.key") or ""
            wrong = [*mistakes(ca, certificate, public_of_key(key, f"{name}.key"), days=0)]
            if wrong:
                raise CertificateRefused(
                    f"Cannot use {folder}/{name}.crt: {'; '.join(wrong)}", cure="Bring another one; nothing was changed"
                )
            why = ["another one was brought"] if seen["certificate"] != certificate else []
        else:
            certificate, key = seen["certificate"], ""
            why = (
                [*mistakes(ca, certificate, public_of_request(seen["request"]) if seen["request"] else "")]
                if certificate
                else ["there was none"]
            )
            if why and seen["request"]:
                certificate = sign(ca, seen["request"], name, given["addresses"])
        if self._task.check_mode:
            return {"changed": bool(why) or seen["ca"] != ca.text, "why": why}
        asked = {"folder": given["folder"], "certificate": certificate, "ca": ca.text, "key": key or None}
        written = self._on_host(asked, variables)
        lines = {"before": f"{seen['certificate'] and ends_of(seen['certificate'])}\n", "after": f"{ends_of(certificate)}\n"}
        return {"changed": seen["made"] or written["changed"], "why": why, "ends": ends_of(certificate), "diff": lines}

    def _on_host(self, asked: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        done: dict[str, Any] = self._execute_module("frontier.vitro.ovn_certificate", module_args=asked, task_vars=variables)
        if done.get("failed"):
            raise CertificateRefused(str(done.get("msg", "the host gave no answer")))
        return done
