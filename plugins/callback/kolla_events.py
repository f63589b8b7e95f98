# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: kolla_events
type: aggregate
short_description: What happens in a run of kolla-ansible, as lines of JSON
version_added: 0.1.0
description:
  - Writes plays, tasks, failures and the recap of a run to a file, one JSON object per line.
  - M(frontier.vitro.kolla_command) turns it on in the kolla-ansible that it starts, and reads the lines to know what happened on which
    host. Nothing else needs it. It uses the standard library only, since it runs in Kolla's own virtual environment.
author:
  - Vitro contributors (@frontier)
options:
  events:
    description: The file. Without it, nothing is written.
    type: path
    env:
      - name: VITRO_KOLLA_EVENTS
"""

import json
from pathlib import Path
from typing import Any, TextIO

from ansible.plugins.callback import CallbackBase

# What says why a task failed, in the order in which modules tell it.
REASONS = ("msg", "stderr", "module_stderr", "stdout", "reason")
LONGEST = 2000


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "frontier.vitro.kolla_events"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        self._file: TextIO | None = None

    def set_options(self, task_keys: Any = None, var_options: Any = None, direct: Any = None) -> None:
        super().set_options(task_keys=task_keys, var_options=var_options, direct=direct)
        path = self.get_option("events")
        if path:
            self._file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115 - open as long as the run lasts

    def v2_playbook_on_play_start(self, play: Any) -> None:
        self._write("play", name=play.get_name())

    def v2_playbook_on_task_start(self, task: Any, is_conditional: bool) -> None:  # noqa: ARG002, FBT001 - Ansible calls it so
        self._write("task", name=task.get_name())

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:  # noqa: FBT001, FBT002
        if not ignore_errors:
            self._write_failure("failed", result)

    def v2_runner_on_unreachable(self, result: Any) -> None:
        self._write_failure("unreachable", result)

    def v2_playbook_on_stats(self, stats: Any) -> None:
        for host in sorted(stats.processed):
            self._write("recap", host=host, **stats.summarize(host))

    def _write_failure(self, event: str, result: Any) -> None:
        said = result._result  # noqa: SLF001 - what ansible-core 2.19 still calls it in every supported release
        items = [one for one in said.get("results") or () if isinstance(one, dict) and one.get("failed")] or [said]
        texts = [next((str(one[key]) for key in REASONS if one.get(key)), "it gave no reason") for one in items]
        self._write(event, host=result._host.get_name(), task=result._task.get_name(), message="; ".join(texts)[:LONGEST])  # noqa: SLF001

    def _write(self, event: str, **values: Any) -> None:
        if self._file:
            self._file.write(json.dumps({"event": event, **values}) + "\n")
            self._file.flush()
