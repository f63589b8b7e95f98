# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module that is run again while what it began goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from ansible.utils.display import Display

from ..module_utils.ceph.waiting import Stuck


def run_again(run: Callable[[], dict[str, Any]], given: Mapping[str, Any], *, check_mode: bool) -> dict[str, Any]:
    """For modules that return `awaited`, empty when all is done, and `progress`, which is shown."""
    first = said = run()
    shown, since = "", time.monotonic()
    patience, pause = int(given.get("patience", 1800)), int(given.get("pause", 15))
    while said.get("awaited") and not check_mode:
        if said["progress"] != shown:
            Display().display(f"Ceph: {said['progress']}")
            shown, since = said["progress"], time.monotonic()
        if time.monotonic() - since > patience:
            return {"failed": True, "msg": str(Stuck(patience, [said["progress"]], [])), "code": Stuck.code}
        time.sleep(pause)
        said = run()
    said.pop("progress", None)
    return said | {"changed": bool(first.get("changed")), "changes": first.get("changes", [])}
