# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.plan: what planning costs from 100 to 2,000 servers, and whether it gives the same bytes and moves nothing."""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

from benchmarks.measure import BUILD, ROOT, environment, measured, wait_for_quiet
from benchmarks.report import Bar, bar_table, exit_code, machine, say, table, write_section

SIZES = (100, 200, 500, 1000, 2000)
TURNS = 5
MOST_SECONDS = 1.0
MOST_BYTES = 300e6
# n log n from 100 to 2,000 would be 1.65 times as much per server.
MOST_GROWTH = 1.65
WORDS = """\
Racks of twenty servers with 64 cores, 4 fast ports, a mirrored boot volume and 8 data disks each, layout hci. Each run is a process of
its own with another seed of Python's hashes and another order of the servers in the document. **CPU** is the time in `plan_site`, the
median of {turns} runs; **document** is what writing the plan as text takes on top; **peak** is the whole process, imports and hardware
included. No other tool makes such a plan, so there is no peer to compare with."""


def run(servers: int, seed: int, folder: Path) -> dict[str, Any]:
    output = folder / f"{servers}-{seed}.json"
    env = environment(PYTHONHASHSEED=str(seed), PYTHONPATH=f"{ROOT}:{ROOT / 'build' / 'collections'}")
    cost = measured([sys.executable, "-m", "benchmarks.planning", str(servers), str(seed)], output, env)
    return {**json.loads(output.read_text()), "peak": cost.memory}


def bars(results: dict[int, list[dict[str, Any]]]) -> list[Bar]:
    cpu = {servers: statistics.median(run["cpu"] for run in runs) for servers, runs in results.items()}
    growth = (cpu[SIZES[-1]] / SIZES[-1]) / (cpu[SIZES[0]] / SIZES[0])
    peak = max(run["peak"] for run in results[1000])
    different = sum(len({run["sha"] for run in runs}) - 1 for runs in results.values())
    moves = max(run["moved"] for run in results[SIZES[0]])
    return [
        Bar("1,000 servers planned, CPU", f"< {MOST_SECONDS:g} s", f"{cpu[1000]:.2f} s", cpu[1000] < MOST_SECONDS),
        Bar("CPU per server, 2,000 by 100", f"≤ {MOST_GROWTH}", f"{growth:.2f}", growth <= MOST_GROWTH),
        Bar("1,000 servers planned, peak memory", "< 300 MB", f"{peak / 1e6:.0f} MB", peak < MOST_BYTES),
        Bar("same input, other order and seed: different plans", "0", str(different), different == 0),
        Bar("one server added to 100: others that changed", "0", str(moves), moves == 0),
    ]


def main() -> int:
    folder = BUILD / "plan"
    folder.mkdir(parents=True, exist_ok=True)
    wait_for_quiet()
    results: dict[int, list[dict[str, Any]]] = {}
    for servers in SIZES:
        results[servers] = [run(servers, seed, folder) for seed in range(1, TURNS + 1)]
        if objections := results[servers][0]["objections"]:
            raise SystemExit(f"The plan of {servers} servers has objections: {objections[:3]}")
        say(f"{servers} servers: {statistics.median(one['cpu'] for one in results[servers]):.3f} s")
    rows = []
    for servers, runs in results.items():
        cpu, text = (statistics.median(one[key] for one in runs) for key in ("cpu", "text"))
        row = (cpu, cpu / servers * 1000, text, max(one["peak"] for one in runs) / 1e6, runs[0]["bytes"] / 1e6)
        rows.append((f"{servers:,}", *(f"{value:.3f}" if value < 10 else f"{value:.0f}" for value in row)))
    judged = bars(results)
    shown = table(("servers", "CPU s", "ms per server", "document s", "peak MB", "document MB"), rows) + "\n\n" + bar_table(judged)
    print("\n" + shown)
    write_section("Plan", "\n\n".join([machine("bench-plan"), WORDS.format(turns=TURNS), shown]))
    return exit_code(judged)


if __name__ == "__main__":
    sys.exit(main())
