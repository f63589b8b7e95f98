# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m tests.lab.ipmi up|down --state DIR [--count N] [--port PORT]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .config import PASSWORD, USERNAME, Settings
from .simulator import missing_packages, start, stop_by_pid, wait_until_up


def up(state: Path, count: int, port: int) -> None:
    bmcs = [start(Settings(number=number), state / f"bmc{number}", port=port) for number in range(1, count + 1)]
    for bmc in bmcs:
        wait_until_up(bmc)
        print(f"bmc{bmc.settings.number} {bmc.address} {bmc.port} {USERNAME} {PASSWORD}")


def down(state: Path) -> None:
    for pid in state.glob("bmc*/pid"):
        stop_by_pid(pid.parent)
        for path in pid.parent.iterdir():
            path.unlink()
        pid.parent.rmdir()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.ipmi", description="IPMI BMCs on the loopback network.")
    parser.add_argument("action", choices=["up", "down"])
    parser.add_argument("--state", type=Path, required=True, help="directory for what the BMCs keep")
    parser.add_argument("--count", type=int, choices=range(1, 255), metavar="1-254", default=3)
    parser.add_argument("--port", type=int, default=9623, help="UDP port of every BMC; 623 needs root")
    options = parser.parse_args()
    state = options.state.resolve()
    if options.action == "down":
        down(state)
    elif missing := missing_packages("ipmi_sim"):
        sys.exit(missing)
    else:
        up(state, options.count, options.port)


if __name__ == "__main__":
    main()
