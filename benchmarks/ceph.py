# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.ceph: the processes of a run of the role ceph that changes nothing, beside those of stackhpc.cephadm's modules."""

from __future__ import annotations

import json
import sys

from benchmarks.measure import BUILD
from benchmarks.report import Bar, bar_table, exit_code, machine, table, write_section

# The last part of the scenario counts and writes this.
COUNTED = BUILD.parent / "molecule" / "ceph-processes.json"
MOST = 15
FEWER = 5
# plugins/modules of stackhpc.cephadm as of September 2025, state present and nothing to change: cephadm_pool.py runs `osd pool stats`,
# `osd pool ls detail` and `osd pool application get` for a replicated pool, cephadm_key.py `auth get`. Each is one `cephadm shell`.
PEER_POOL = 3
PEER_KEY = 1
WORDS = """\
Starts of `cephadm` and `ceph` while the whole role runs a second time on three hosts, counted in cephadm's own logs of all hosts by the
scenario `ceph_hci`; what the manager starts by itself is not among them. The peer could not be had to run: its number is counted in the
source of its modules, {pool} for each pool and {key} for each key, and leaves out what the rest of its role starts."""


def main() -> int:
    if not COUNTED.exists():
        raise SystemExit(f"{COUNTED} is not there. It is written by: make molecule SCENARIO=ceph_hci")
    seen = json.loads(COUNTED.read_text())
    ours, peer = seen["processes"], seen["pools"] * PEER_POOL + seen["clients"] * PEER_KEY
    rows = [("role ceph, all of it", f"{ours}", "1.0"), ("stackhpc.cephadm, its modules", f"{peer}", f"{peer / ours:.1f}")]
    bars = [
        Bar(f"processes for {seen['pools']} pools and {seen['clients']} clients", f"≤ {MOST}", str(ours), ours <= MOST),
        Bar("fewer than stackhpc.cephadm's modules", f"≥ {FEWER} times", f"{peer / ours:.1f} times", peer >= FEWER * ours),
        Bar("tasks that changed something", "0", str(seen["changed"]), seen["changed"] == 0),
    ]
    shown = table(("who", "processes", "ratio"), rows) + "\n\n" + bar_table(bars)
    print("\n" + shown)
    write_section("Ceph", "\n\n".join([machine("bench-ceph"), WORDS.format(pool=PEER_POOL, key=PEER_KEY), shown]))
    return exit_code(bars)


if __name__ == "__main__":
    sys.exit(main())
