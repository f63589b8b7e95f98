# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module that is run again while what it began goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from ansible.utils.display import Display

from ..module_utils.ceph.session import ClusterSilent, CommandRefused
from ..module_utils.ceph.waiting import Stuck

# A cluster whose manager changes refuses, or says nothing, for a while.
PASSING: Final = frozenset({ClusterSilent.code, CommandRefused.code})
PASSING_SECONDS: Final = 300


def run_again(run: Callable[[bool], dict[str, Any]], given: Mapping[str, Any], *, check_mode: bool) -> dict[str, Any]:
    """For modules that return `awaited`, empty when all is done, and `progress`, which is shown. `run` is told whether it ran before."""
    said = run(False)  # noqa: FBT003 - a callback
    changes, begun = list(said.get("changes", [])), bool(said.get("awaited"))
    shown, since = "", time.monotonic()
    patience, pause = int(given.get("patience", 1800)), int(given.get("pause", 15))
    while begun and not check_mode and (said.get("awaited") or said.get("code") in PASSING):
        silent = bool(said.get("failed"))
        line = said["msg"] if silent else said["progress"]
        if line != shown:
            Display().display(f"Ceph: {line}")
            shown, since = line, time.monotonic()
        if time.monotonic() - since > (PASSING_SECONDS if silent else patience):
            return said if silent else {"failed": True, "msg": str(Stuck(patience, [line], [])), "code": Stuck.code}
        time.sleep(pause)
        said = run(True)  # noqa: FBT003 - a callback
        changes += [one for one in said.get("changes", []) if one not in changes]
    said.pop("progress", None)
    return said | {"changed": bool(changes), "changes": changes}
