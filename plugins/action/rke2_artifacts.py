# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings the files of a release that a host lacks; plugins/modules/rke2_artifacts.py documents it."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ..module_utils.rke2.arguments import ARTIFACTS
from ..module_utils.rke2.release import missing


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARTIFACTS)
        found = given["found"]
        wanted = list(missing(given["release"], found["archives"]))
        if given["programs"] and found["version"] != given["version"]:
            wanted += [one for one in given["release"] if one["kind"] == "programs"]
        result |= {"changed": bool(wanted), "bytes": sum(one["size"] for one in wanted), "brought": [one["name"] for one in wanted]}
        result["diff"] = {"before": "", "after": "".join(f"{one['name']}: {one['size']:,} bytes\n" for one in wanted)}
        if self._task.check_mode:
            return result
        for one in wanted:
            said = self._bring(one, given, task_vars)
            if said.get("failed"):
                return result | said
        return result

    def _bring(self, one: dict[str, Any], given: dict[str, Any], task_vars: dict[str, Any] | None) -> dict[str, Any]:
        """Into Ansible's own folder first; the module puts it into its place once it is proven whole."""
        remote = self._make_tmp_path()
        try:
            source = self._connection._shell.join_path(remote, one["name"])  # noqa: SLF001 - Ansible's own actions do so
            self._transfer_file(one["path"], source)
            self._fixup_perms2((remote, source))
            asked = {"source": source, "digest": one["digest"], "kind": one["kind"], "name": one["name"], "data_dir": given["data_dir"]}
            said: dict[str, Any] = self._execute_module(
                module_name="frontier.vitro.rke2_artifacts", module_args={**asked, "version": given["version"]}, task_vars=task_vars
            )
            return said
        finally:
            self._remove_tmp_path(remote, force=True)
