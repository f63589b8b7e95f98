# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.kolla: what rendering and checking Kolla's configuration costs, for 3 and for 100 hosts."""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from pathlib import Path
from typing import Any

from benchmarks.measure import BUILD, ROOT, environment, measured, wait_for_quiet
from benchmarks.report import Bar, bar_table, exit_code, machine, say, table, write_section

SIZES = (3, 100)
TURNS = 5
MOST_RENDER = {100: 3.0}
MOST_CHECK = {3: 2.0, 100: 5.0}
WORDS = """\
Rendered and checked as the modules `kolla_topology` and `kolla_check` do it, each run in a process of its own that begins with Python's
imports. Everything is read from disk, decrypted by Ansible Vault, and (rendering) written to disk again; passwords are there already,
because Kolla's own tools make them, once. **render** is the first run into a folder without any of the files, **again** the second, which
changes nothing, **check** the check of the result. Seconds of wall time, and in brackets of CPU, imports included, by which the bars are
judged; the median of {turns} runs. The registry is not asked. Nothing else checks as much without hosts: Kolla's own prechecks of three
hosts take minutes, and need them."""


def run(what: str, folder: Path, *arguments: str) -> dict[str, Any]:
    output = BUILD / "kolla" / f"{folder.name}-{what}.json"
    env = environment(PYTHONPATH=f"{ROOT}:{ROOT / 'build' / 'collections'}")
    cost = measured([sys.executable, "-m", "benchmarks.kolla_once", what, str(folder), *arguments], output, env)
    return {**json.loads(output.read_text()), "wall": cost.wall, "all_cpu": cost.cpu, "peak": cost.memory}


def turn(hosts: int) -> list[tuple[dict[str, Any], ...]]:
    folder = BUILD / "kolla" / f"site-{hosts}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if objections := run("stage", folder, str(hosts))["objections"]:
        raise SystemExit(f"The plan of {hosts} hosts has objections: {objections[:3]}")
    kept = folder / "kept"
    shutil.copytree(folder / "rendered", kept)
    found = []
    for _ in range(TURNS):
        shutil.rmtree(folder / "rendered")
        shutil.copytree(kept, folder / "rendered")
        found.append(tuple(run(what, folder) for what in ("render", "render", "check")))
    return found


def bars(results: dict[int, list[tuple[dict[str, Any], ...]]]) -> list[Bar]:
    middle = {hosts: [statistics.median(one[part]["all_cpu"] for one in runs) for part in range(3)] for hosts, runs in results.items()}
    made = [
        Bar(f"{hosts} hosts rendered, CPU", f"< {most:g} s", f"{middle[hosts][0]:.2f} s", middle[hosts][0] < most)
        for hosts, most in MOST_RENDER.items()
    ]
    made += [
        Bar(f"{hosts} hosts checked, CPU", f"< {most:g} s", f"{middle[hosts][2]:.2f} s", middle[hosts][2] < most)
        for hosts, most in MOST_CHECK.items()
    ]
    runs = [one for several in results.values() for one in several]
    again = sum(second["changes"] for _, second, _ in runs)
    texts = sum(len({part["sha"] for one in several for part in one[:2]}) - 1 for several in results.values())
    alarms = sum(check["problems"] + check["warnings"] for _, _, check in runs)
    return [
        *made,
        Bar("files that a second rendering changes", "0", str(again), again == 0),
        Bar("renderings of one plan that differ", "0", str(texts), texts == 0),
        Bar("problems and warnings in what was rendered", "0", str(alarms), alarms == 0),
    ]


def main() -> int:
    wait_for_quiet()
    results = {}
    for hosts in SIZES:
        results[hosts] = turn(hosts)
        walls = ", ".join(f"{one['wall']:.2f} s" for one in results[hosts][0])
        say(f"{hosts} hosts: {walls}")
    rows = []
    for hosts, runs in results.items():
        cells = [
            f"{statistics.median(one[part]['wall'] for one in runs):.2f} ({statistics.median(one[part]['all_cpu'] for one in runs):.2f})"
            for part in range(3)
        ]
        rows.append((str(hosts), str(runs[0][0]["files"]), *cells, f"{max(one[2]['peak'] for one in runs) / 1e6:.0f}"))
    judged = bars(results)
    shown = table(("hosts", "files", "render", "again", "check", "peak MB of the check"), rows) + "\n\n" + bar_table(judged)
    print("\n" + shown)
    write_section("Kolla", "\n\n".join([machine("bench-kolla"), WORDS.format(turns=TURNS), shown]))
    return exit_code(judged)


if __name__ == "__main__":
    sys.exit(main())
