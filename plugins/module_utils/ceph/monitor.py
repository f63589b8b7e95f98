# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A monitor that goes on alone, because more than half of the monitors are gone for good.

It follows Ceph's own way: the others are taken out of the map that the stopped monitor has. A copy of its store is kept.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ..errors import VitroError
from .session import ClusterSilent, Command, Session

QUESTIONS: Final = {"status": Command("quorum_status"), "manager": Command("mgr stat")}
# Runs in the image, as the monitor's own user, on its stopped store.
ALONE: Final = """
set -e
cd "$(mktemp -d)" && chmod 777 .
ceph-mon --id "$1" --setuser ceph --setgroup ceph --extract-monmap map
for other in $(monmaptool --print map | sed -n 's/^[0-9]*: .* mon\\.//p'); do
    [ "$other" = "$1" ] || monmaptool --rm "$other" map
done
chmod 644 map
ceph-mon --id "$1" --setuser ceph --setgroup ceph --inject-monmap map
"""
PAUSE: Final = 5
COMMAND_SECONDS: Final = 600


class MonitorRefused(VitroError):
    code = "ceph_monitor"
    cure = "Nothing was changed"


class MonitorFailed(VitroError):
    code = "ceph_monitor_failed"


@dataclass(frozen=True, slots=True)
class Monitor:
    """The monitor of this host; `root` is where the host's files begin."""

    session: Session
    name: str
    root: Path = Path("/")

    @property
    def store(self) -> Path:
        return self.root / "var/lib/ceph" / self.session.fsid / f"mon.{self.name}"

    @property
    def unit(self) -> str:
        return f"ceph-{self.session.fsid}@mon.{self.name}"

    def live(self, seconds: int) -> dict[str, Any] | None:
        """What the cluster says, or None if there is no quorum that could say it."""
        try:
            return replace(self.session, timeout=seconds).read(**QUESTIONS)
        except ClusterSilent:
            return None


def is_alone(name: str, live: dict[str, Any] | None) -> bool:
    """Whether it is done already; a quorum with others in it is refused."""
    if live is None:
        return False
    members = sorted(one["name"] for one in live["status"]["monmap"]["mons"])
    if members == [name]:
        return True
    quorum = ", ".join(sorted(live["status"]["quorum_names"]))
    raise MonitorRefused(
        f"The cluster has a quorum ({quorum}), so nobody has to go on alone; "
        "frontier.vitro.ceph and frontier.vitro.ceph_remove_host are the way"
    )


def ensure_alone(monitor: Monitor, *, patience: int, check_mode: bool) -> tuple[bool, Path | None]:
    """Whether something changed, and where the copy of the old store is."""
    if not (monitor.store / "store.db").is_dir():
        raise MonitorRefused(f"This host has no store of mon.{monitor.name} in {monitor.store}; choose a host whose monitor is left")
    if is_alone(monitor.name, monitor.live(monitor.session.timeout)):
        return False, None
    copy = monitor.root / "var/lib/vitro" / f"ceph-mon.{monitor.name}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}"
    if not check_mode:
        _rewrite(monitor, copy)
        _await(monitor, copy, patience)
    return True, copy


def _rewrite(monitor: Monitor, copy: Path) -> None:
    """The monitor runs again afterwards, whatever came between."""
    shell = [monitor.session.cephadm, "shell", "--fsid", monitor.session.fsid, "--name", f"mon.{monitor.name}"]
    _run(["systemctl", "stop", monitor.unit])
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        _run(["cp", "--archive", "--reflink=auto", str(monitor.store), str(copy)])
        _run([*shell, "--", "sh", "-c", ALONE, "sh", monitor.name])
    finally:
        # It fails for a unit that systemd has forgotten, which then needs none.
        _run(["systemctl", "reset-failed", monitor.unit], may_fail=True)
        _run(["systemctl", "start", monitor.unit])


def _await(monitor: Monitor, copy: Path, patience: int) -> None:
    end = time.monotonic() + patience
    while not (live := monitor.live(PAUSE * 4)) or not live["manager"]["available"]:
        if time.monotonic() > end:
            silent = "No manager of the cluster answers" if live else f"mon.{monitor.name} does not answer, alone as it is"
            cure = (
                "Start a manager by hand: Ceph's guide, `Manually deploying a Manager daemon`"
                if live
                else f"journalctl -u {monitor.unit} tells why"
            )
            raise MonitorFailed(f"{silent} within {patience} s; the copy of its old store is {copy}", cure=cure)
        time.sleep(PAUSE)


def _run(command: Sequence[str], *, may_fail: bool = False) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=COMMAND_SECONDS)  # noqa: S603 - a list, and no shell
    if done.returncode and not may_fail:
        lines = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise MonitorFailed(
            f"`{' '.join(command[:2])}` gave {done.returncode}: {' / '.join(lines)}", cure="The monitor was started again as it is"
        )
