# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges all hosts and the release at once, on the controller; plugins/modules/rke2_preflight.py documents it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.rke2.arguments import PREFLIGHT
from ..module_utils.rke2.kinds import Objection
from ..module_utils.rke2.preflight import decide, objections_to, refuse, told
from ..module_utils.rke2.release import listed_images, needed_images, read_release, to_data
from ..module_utils.rke2.site import Host, Site
from ..module_utils.rke2.wanted import registration_of
from ..plugin_utils.rke2 import SiteSecrets, read_state
from ..plugin_utils.safe import AnsibleSafe


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=PREFLIGHT)
        documents = Path(given["documents"])
        try:
            secrets = SiteSecrets(documents / "rke2/secrets.yml", AnsibleSafe(self._loader)).read()
            site = Site(
                version=given["version"],
                servers=given["servers"],
                agents=given["agents"],
                hosts=[Host(name, wanted, given["found"][name]) for name, wanted in given["wanted"].items()],
                registration=registration_of(given["registration"]),
                method=given["method"],
                fips=given["fips"],
                upgrade=given["upgrade"],
                secrets=bool(secrets),
                known=read_state(documents / "state/rke2.json"),
            )
            release, names, others = self._release(site, Path(given["artifacts"]))
            others = [Objection(**one) for host in site.hosts for one in host.wanted["objections"]] + others
            objections = objections_to(site, others)
            refuse(objections, given["ignored"])
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}
        return result | {"changed": False, "release": release, "images": names, "ignored": told(objections), **decide(site).to_data()}

    def _release(self, site: Site, folder: Path) -> tuple[dict[str, Any], dict[str, list[str]], list[Objection]]:
        """The files of each processor that hosts have, and the images in them. Images may come from a registry instead."""
        registry = any(host.config.get("system-default-registry") for host in site.hosts)
        images = [] if registry else needed_images(site.minor, site.cnis, site.ingresses)
        programs = site.method == "tarball"
        release: dict[str, Any] = {}
        names: dict[str, list[str]] = {}
        objections: list[Objection] = []
        for architecture in sorted({host.found["architecture"] for host in site.hosts} & {"amd64", "arm64"}):
            if programs or images:
                write = not self._task.check_mode
                found, wrong = read_release(folder, site.version, architecture, images, programs=programs, write=write)
                release[architecture], names[architecture] = to_data(found), listed_images(found)
                objections += wrong
        return release, names, objections
