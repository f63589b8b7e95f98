# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of systemd: how they are, and starting one that may take minutes, with what its journal said when it does not."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from .errors import Rke2Unstarted

SHOWN: Final = "Id,LoadState,ActiveState,SubState,UnitFileState,MainPID,ExecMainStartTimestampMonotonic,NRestarts,NeedDaemonReload"
# A full token must not leave the host by its journal.
TOKEN = re.compile(r"K10[0-9a-f]{8,}::\S+")
LINES: Final = "40"
SAID: Final = 6
# So often may systemd have started it anew, before nobody waits any longer.
RESTARTS: Final = 8
PAUSE: Final = 1.0
FATAL = re.compile(r"level=(fatal|error)|[Ee]rror:|panic:")


def systemctl(*words: str, check: bool = True) -> str:
    done = subprocess.run(["systemctl", *words], check=False, capture_output=True, text=True, timeout=300)  # noqa: S603, S607 - a list, no shell
    if check and done.returncode:
        raise Rke2Unstarted(f"systemctl {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def read_units(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """`since` is when its process started, in seconds since 1970 by the clock of now."""
    wanted = list(dict.fromkeys(names))
    told = [
        dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        for block in systemctl("show", "-p", SHOWN, *wanted, check=False).split("\n\n")
    ]
    known = {one.get("Id", ""): one for one in told}
    return {name: _unit(known.get(name if "." in name else f"{name}.service", {})) for name in wanted}


def _unit(told: dict[str, str]) -> dict[str, Any]:
    started = int(told.get("ExecMainStartTimestampMonotonic") or 0) / 1e6
    return {
        "there": told.get("LoadState") == "loaded",
        "state": told.get("ActiveState", "unknown"),
        "running": told.get("ActiveState") == "active",
        "enabled": told.get("UnitFileState") == "enabled",
        "pid": int(told.get("MainPID") or 0),
        "since": time.time() - (time.monotonic() - started) if started else 0.0,
        "restarts": int(told.get("NRestarts") or 0),
        "reload": told.get("NeedDaemonReload") == "yes",
    }


def ensure_started(name: str, *, restart: bool, patience: float, pause: Callable[[float], None] = time.sleep) -> None:
    """Start it, or start it anew, and wait until it says that it is up. A start that fails again and again ends the wait.

    `systemctl start` itself would wait for ever, as RKE2's units set no limit.
    """
    before = read_units([name])[name]
    systemctl("daemon-reload")
    systemctl("enable", name)
    if before["state"] == "failed":
        systemctl("reset-failed", name, check=False)
    systemctl("restart" if restart else "start", "--no-block", name)
    since, counted = time.monotonic(), read_units([name])[name]["restarts"]
    while True:
        pause(PAUSE)
        unit = read_units([name])[name]
        if unit["running"] and (not restart or unit["pid"] != before["pid"]):
            return
        waited = time.monotonic() - since
        if unit["state"] == "failed" or unit["restarts"] - counted >= RESTARTS or waited > patience:
            ended = "ends again and again" if unit["restarts"] > counted else f"is {unit['state']} after {waited:.0f} s"
            raise Rke2Unstarted(
                f"{name} {ended}: {journal(name)}", cure=f"Cure that, and run again: it goes on. More in journalctl -u {name}"
            )


def ensure_stopped(name: str) -> None:
    systemctl("stop", name)


def journal(name: str) -> str:
    """The last words that say why, without tokens."""
    words = ["journalctl", "--no-pager", "-o", "cat", "-n", LINES, "-u", name]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)  # noqa: S603 - a list, no shell
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    telling = [line for line in lines if FATAL.search(line)] or lines
    return TOKEN.sub("K10...", " / ".join(dict.fromkeys(telling[-SAID:]))) or "its journal is empty"
