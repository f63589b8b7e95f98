# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.rke2: what a run of the role rke2 that changes nothing does, beside two public roles."""

from __future__ import annotations

import json
import sys

from benchmarks.measure import BUILD
from benchmarks.report import Bar, bar_table, exit_code, machine, table, write_section

# The scenario counts and writes this.
COUNTED = BUILD.parent / "molecule" / "rke2-counts.json"
MOST = 15
# Counted once with the same artefacts on three servers, ansible-core 2.19: lablabs/ansible-role-rke2 at 4f66066 (air gap, mode copy).
LABLABS_TASKS = 62
# rancherfederal/rke2-ansible at 629e070 stops on ansible-core 2.19 unless it is patched; its shortest run that ended had these.
RANCHERFEDERAL_TASKS = 122
WORDS = """\
A second run of the role's own playbook over three servers and an agent, counted by the scenario `rke2_ha` in Ansible's recap; a task that
is skipped counts too. That no file of the release was written and no process started again is compared on each host. The peers could not
be had to run: their numbers were counted before, those of lablabs with the artefacts of the same stand-in in air gap mode on three
servers, those of rancherfederal in its shortest run that ended, which was none without a change. lablabs' sums every artefact on both
sides each time; rancherfederal's copies and unpacks the tarball each time."""


def main() -> int:
    if not COUNTED.exists():
        raise SystemExit(f"{COUNTED} is not there. It is written by: make molecule SCENARIO=rke2_ha")
    seen = json.loads(COUNTED.read_text())
    tasks = max(ok + skipped for ok, skipped in zip(seen["ok"], seen["skipped"], strict=True))
    changed = sum(seen["changed"])
    peers = {"lablabs.rke2": LABLABS_TASKS, "rancherfederal.rke2": RANCHERFEDERAL_TASKS}
    rows = [("role rke2", str(tasks), "1.0"), *((name, str(count), f"{count / tasks:.1f}") for name, count in peers.items())]
    bars = [
        Bar("tasks for the host with most", f"≤ {MOST}", str(tasks), tasks <= MOST),
        Bar("of the tasks of lablabs.rke2", "≤ 1/3", f"{tasks / LABLABS_TASKS:.2f}", 3 * tasks <= LABLABS_TASKS),
        Bar("tasks that changed something", "0", str(changed), changed == 0),
        Bar("bytes of artefacts moved", "0", str(seen["bytes"]), seen["bytes"] == 0),
        Bar("services restarted", "0", str(seen["restarts"]), seen["restarts"] == 0),
    ]
    shown = table(("who", "tasks for a host", "ratio"), rows) + f"\n\nThe run took {seen['seconds']}.\n\n" + bar_table(bars)
    print("\n" + shown)
    write_section("RKE2", "\n\n".join([machine("bench-rke2"), WORDS, shown]))
    return exit_code(bars)


if __name__ == "__main__":
    sys.exit(main())
