# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.discovery [--bmcs N] [--latency-ms N]: our reader and its peers on the same emulated rack."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import signal
import sys
from pathlib import Path

from benchmarks import playbooks
from benchmarks.bars import Key, Tree, bars
from benchmarks.clients import BMC_INFO, FORKS, OURS, PEERS, REDFISH_INFO, SUSHY, YARDSTICK, Client, Result, median
from benchmarks.discovery_report import Findings, section, shown
from benchmarks.lab import Lab, generated, recorded
from benchmarks.measure import BUILD, ROOT, wait_for_quiet
from benchmarks.report import exit_code, say, write_section

BMCS = (1, 16, 64, 256, 1000)
LATENCIES_MS = (0, 100, 300)
# Ours and the yardstick take turns so many times, and their medians count: a run of seconds is at the mercy of the machine.
# With many BMCs a run is long enough by itself.
TURNS = 3
MANY_BMCS = 256
# Where the bars against peers are: they are run there however long they take, for a bar that is not measured is not met.
DECIDING = (64, 100)
RECORDED = ROOT.parent / "shared" / "redfish"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.discovery", description="Our reader and its peers on the same rack.")
    chosen = {name: os.environ.get(name) or None for name in ("BMCS", "LATENCY_MS")}
    parser.add_argument("--bmcs", type=int, default=chosen["BMCS"], help=f"only so many BMCs, not {', '.join(map(str, BMCS))}")
    parser.add_argument("--latency-ms", type=int, default=chosen["LATENCY_MS"], help="only this time for each answer, not 0, 100, 300")
    parser.add_argument("--peer-seconds", type=float, default=math.inf, help="leave a peer out where it would take longer at one point")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md also when not all points are run")
    return parser.parse_args()


class Table:
    """All points that were run, and why others were not."""

    def __init__(self, peer_seconds: float) -> None:
        self.results: dict[Key, Result] = {}
        self.skipped: dict[Key, str] = {}
        self._peer_seconds = peer_seconds

    def point(self, lab: Lab, latency_ms: int, gets: list[list[str]], folder: Path) -> None:
        bmcs = len(lab.addresses)
        wait_for_quiet()
        ours, yardstick = zip(*self._turns(lab, latency_ms, gets, folder), strict=True)
        self.results[OURS.name, bmcs, latency_ms] = median(ours)
        self.results[YARDSTICK.name, bmcs, latency_ms] = median(yardstick)
        self.results[BMC_INFO.name, bmcs, latency_ms] = self._run(BMC_INFO, lab, latency_ms, folder)
        for peer in PEERS:
            key = (peer.name, bmcs, latency_ms)
            if reason := self._too_long(key):
                self.skipped[key] = reason
                say(f"{bmcs} BMCs, {latency_ms} ms: {peer.name} is not run: {reason}")
            else:
                self.results[key] = self._run(peer, lab, latency_ms, folder)

    def _turns(self, lab: Lab, latency_ms: int, gets: list[list[str]], folder: Path) -> list[tuple[Result, Result]]:
        number = 1 if len(lab.addresses) >= MANY_BMCS else TURNS
        return [(self._run(OURS, lab, latency_ms, folder), self._run(YARDSTICK, lab, latency_ms, folder, gets)) for _turn in range(number)]

    def _run(self, client: Client, lab: Lab, latency_ms: int, folder: Path, gets: list[list[str]] | None = None) -> Result:
        result = client.run(lab, latency_ms, folder, gets)
        what = f"{len(lab.addresses)} BMCs, {latency_ms} ms: {client.name}"
        say(f"{what} {result.cost.wall:.2f} s, CPU {result.cost.cpu:.2f} s, others {result.others:.1f} cores")
        return result

    def _too_long(self, key: Key) -> str | None:
        """Whether a peer needs too long, by what it needed for fewer BMCs."""
        name, bmcs, latency_ms = key
        if self._peer_seconds <= 0:
            return "peers were left out"
        if (bmcs, latency_ms) == DECIDING:
            return None
        fewer = [
            count for client, count, latency in (*self.results, *self.skipped) if client == name and count < bmcs and latency == latency_ms
        ]
        if not fewer:
            return None
        before = (name, max(fewer), latency_ms)
        if before in self.skipped:
            return self.skipped[before]
        took = self.results[before].cost
        # Waiting is shared by those that are read at once; work is not, but by the cores.
        waiting = took.wall * math.ceil(bmcs / FORKS) / math.ceil(before[1] / FORKS)
        working = took.cpu / (os.cpu_count() or 1) * bmcs / before[1]
        if max(waiting, working) <= self._peer_seconds:
            return None
        return f"it took {took.wall:.0f} s for {before[1]} BMCs, and {self._peer_seconds:.0f} s are allowed"


def read_trees(folder: Path) -> list[Tree]:
    """What our reader asks of each recorded BMC, where there are recordings."""
    if not RECORDED.is_dir():
        say(f"No recorded trees in {RECORDED}: requests per recorded BMC are not checked")
        return []
    with recorded(RECORDED, folder) as lab:
        result = OURS.run(lab, 0, folder)
        return [Tree(name, _expands(RECORDED / name), seen.requests) for name, seen in zip(lab.names, result.seen, strict=True)]


def _expands(recording: Path) -> bool:
    root = json.loads((recording / "tree.json").read_text())["/redfish/v1"]
    offered = root.get("ProtocolFeaturesSupported", {}).get("ExpandQuery", {})
    return bool(offered.get("NoLinks") or offered.get("ExpandAll"))


def read_findings(folder: Path) -> Findings:
    """What each client finds on the same eight servers."""
    telling = dataclasses.replace(
        REDFISH_INFO,
        environment=lambda: playbooks.environment_of_ansible(forks=8, callback="ansible.posix.json"),
        found=playbooks.facts,
    )
    with generated(8, folder) as lab:
        return {client.name: client.run(lab, 0, folder).found for client in (OURS, SUSHY, telling)}


def main() -> int:
    options = parse()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = BUILD / "discovery"
    folder.mkdir(parents=True, exist_ok=True)
    trees, findings = read_trees(folder), read_findings(folder)
    run = Table(options.peer_seconds)
    for bmcs in [options.bmcs] if options.bmcs else BMCS:
        with generated(bmcs, folder) as lab:
            # Fills the rack's answers, and tells what the yardstick has to fetch.
            gets = [list(seen.gets) for seen in OURS.run(lab, 0, folder).seen]
            for latency_ms in LATENCIES_MS if options.latency_ms is None else [options.latency_ms]:
                run.point(lab, latency_ms, gets, folder)
    judged = bars(run.results, trees)
    print("\n" + shown(run.results, run.skipped, judged))
    if options.write or (options.bmcs is None and options.latency_ms is None):
        write_section("Discovery", section(run.results, run.skipped, judged, trees, findings))
    return exit_code(judged)


if __name__ == "__main__":
    sys.exit(main())
