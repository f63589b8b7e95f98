# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command costs: wall time, CPU time and peak memory of its whole process tree."""

from __future__ import annotations

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "bench"
# Cores that others may keep busy while something is measured, and how many seconds we wait for that.
QUIET = 0.5
MOST_PATIENCE = 180
# Looking at the processes costs something itself: it may take one part in so many of the time.
SHARE = 25


class ClientFailed(Exception):
    """A client ended with an error, and where its words are."""


@dataclass(frozen=True, slots=True)
class Cost:
    wall: float
    # User and system, of the process and of all its descendants that it waited for.
    cpu: float
    # Of the whole machine, the client's share included.
    busy: float
    # The most that the resident sizes of the whole tree added up to; pages that processes share count once for each.
    memory: float


def middle(costs: Sequence[Cost]) -> Cost:
    """The median of each number."""
    return Cost(*(statistics.median(getattr(one, name) for one in costs) for name in ("wall", "cpu", "busy", "memory")))


def environment(**own: str) -> dict[str, str]:
    """The same for every client. Compiled code is kept, as an installed package has it, but outside the checkout."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG", "LC_ALL") if key in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(BUILD / "pycache"), **own}


def measured(command: list[str], output: Path, env: dict[str, str], *, accepted: tuple[int, ...] = (0,)) -> Cost:
    """Run a command to its end; what it prints goes to a file, and beside it what it complains about."""
    with output.open("wb") as out, output.with_suffix(".err").open("wb") as err:
        before, start = _busy(), time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        peak = Peak(process.pid)
        peak.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.terminate()
            raise
        wall, busy = time.perf_counter() - start, _busy() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    peak.join()
    if process.returncode not in accepted:
        raise ClientFailed(f"{' '.join(command)} ended with {process.returncode}; see {output} and {output.with_suffix('.err')}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, busy, max(peak.memory, usage.ru_maxrss * 1024))


def _busy() -> float:
    """CPU seconds that the machine has spent on anything but what gives way to others (nice)."""
    times = psutil.cpu_times()
    return float(times.user + times.system + times.irq + times.softirq + times.steal)


class Peak(threading.Thread):
    """Looks at a process tree until it is gone."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.memory = 0
        self._process = psutil.Process(pid)

    def run(self) -> None:
        while True:
            start = time.perf_counter()
            try:
                tree = [self._process, *self._process.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            sizes = [_resident(process) for process in tree]
            if not sizes[0]:
                return
            self.memory = max(self.memory, sum(sizes))
            time.sleep(max(0.05, (time.perf_counter() - start) * SHARE))


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return 0


def wait_for_quiet() -> None:
    """Wait until others leave the machine alone, but not for ever."""
    give_up = time.monotonic() + MOST_PATIENCE
    while _cores_busy(seconds=2) > QUIET and time.monotonic() < give_up:
        pass


def _cores_busy(seconds: float) -> float:
    before, start = _busy(), time.perf_counter()
    time.sleep(seconds)
    return (_busy() - before) / (time.perf_counter() - start)
