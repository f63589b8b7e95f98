# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one command of kolla-ansible; plugins/modules/kolla_command.py documents it."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from ansible import context
from ansible.plugins.action import ActionBase
from ansible.plugins.loader import callback_loader

from ..module_utils.errors import VitroError
from ..module_utils.kolla.arguments import COMMAND_ARGUMENTS
from ..module_utils.kolla.child import Surroundings, run
from ..module_utils.kolla.command import Call, CommandFailed, explain
from ..module_utils.kolla.directory import read_directory
from ..module_utils.kolla.package import read_package
from ..module_utils.kolla.secrets import Redactor, secrets_of
from ..module_utils.kolla.state import DOCUMENT, Phase, begun, digest_of, done, ended, read_state, refuse
from ..module_utils.kolla.tree import Tree, lock_what_leaks
from ..plugin_utils.progress import Reporter
from ..plugin_utils.safe import AnsibleSafe

CHANGES_NOTHING = ("prechecks", "check", "validate-config", "gather-facts")


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(argument_spec=COMMAND_ARGUMENTS)
        try:
            return result | self._ensure(options)
        except VitroError as exc:
            return result | {"failed": True, "msg": str(exc), "code": exc.code}

    def _ensure(self, options: dict[str, Any]) -> dict[str, Any]:
        """Run what was not done yet, and remember it."""
        config, command = Path(options["config"]).absolute(), options["command"]
        narrowed = [tuple(options[key]) for key in ("limit", "tags", "skip_tags")]
        state_path = Path(options["state"]) if options["state"] and not any(narrowed) else None
        call = Call(command, config, *narrowed, variables=options["variables"], arguments=tuple(options["arguments"]))
        safe = AnsibleSafe(self._loader)
        tree = read_directory(config, safe)
        release, digest = _release(tree), digest_of(tree)
        state = read_state(Path(options["state"])) if options["state"] else None
        if state:
            refuse(state, command, release)
        if state_path and state and not options["again"] and (before := done(state, command, digest)):
            return {"changed": False, "ran": False, "msg": f"{command} ended well at {before.ended} with the same files"}
        if self._task.check_mode and command not in CHANGES_NOTHING:
            return {"changed": True, "ran": False, "msg": f"kolla-ansible {command} would be run"}
        if state_path and state:
            DOCUMENT.write(begun(state, command, release), state_path)
        made = self._run(call, tree, safe, options)
        if state_path and state and not made.get("failed"):
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            phase = Phase(digest=digest, ended=now, seconds=made["seconds"], release=release)
            DOCUMENT.write(ended(state, command, phase), state_path)
        return made

    def _run(self, call: Call, tree: Tree, safe: AnsibleSafe, options: dict[str, Any]) -> dict[str, Any]:
        package, log = read_package(Path(options["venv"]).absolute()), Path(options["log"]).absolute()
        events = callback_loader.find_plugin_with_context("frontier.vitro.kolla_events").plugin_resolved_path
        around = Surroundings(Path(events).parent, int(context.CLIARGS.get("forks") or 5), safe.passwords)
        report, start = Reporter(), time.monotonic()
        redact = Redactor(secrets_of(tree))
        try:
            status, outcome = run(call, package, around, redact, log, lambda line: report(f"{call.command}: {line}"))
        finally:
            lock_what_leaks(call.config, safe, redact)
        report.flush()
        failure = explain(call, outcome, status, log)
        return {
            "ran": True,
            "changed": call.command not in CHANGES_NOTHING and bool(outcome.changed),
            "seconds": round(time.monotonic() - start, 1),
            "tasks": outcome.tasks,
            "hosts": outcome.hosts,
            "failures": [asdict(one) for one in outcome.failures],
            "log": str(log),
            **({"failed": True, "msg": failure, "code": CommandFailed.code} if failure else {}),
        }


def _release(tree: Tree) -> str:
    globals_file = tree.get("globals.yml")
    said = yaml.safe_load(globals_file.text) if globals_file else None
    return str((said or {}).get("openstack_release", "unknown"))
