# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `benchmarks.discovery` says in the end."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from benchmarks.bars import Key, Tree
from benchmarks.clients import BMC_INFO, OURS, REDFISH_INFO, SUSHY, YARDSTICK, Result
from benchmarks.report import Bar, bar_table, machine, table

# By client and kind, how many it found.
Findings = Mapping[str, Mapping[str, int]]
LABELS = {
    OURS.name: "**our reader**",
    YARDSTICK.name: "yardstick",
    BMC_INFO.name: "our module `bmc_info`",
    SUSHY.name: "sushy, 64 threads",
    REDFISH_INFO.name: "`redfish_info`, 64 forks",
}
KINDS = ("servers", "processors", "memory modules", "host NICs", "adapter ports", "drives", "volumes", "BMC NICs")
HEAD = (
    "BMCs",
    "ms",
    "client",
    "BMCs read",
    "requests",
    "connections",
    "wall s",
    "CPU s",
    "peak MB",
    "wall / ours",
    "CPU s / 1,000 requests",
)
CLIENTS = """\
Every client runs in a process of its own on the same rack, which is in a process of its own too. They are asked for the same:
system, processors, memory modules, host NICs, adapters and their ports, storage, drives, volumes, the BMC's own NICs. TLS is
verified by all, with the rack's CA; the rack gives out no tickets to resume a TLS session. `ms` is how long the rack waits before
each answer.

- **our reader**: `read_rack` with its defaults: 64 BMCs at once, 4 connections each. Its wall, CPU and memory, like the
  yardstick's, are the median of {turns} runs with up to 64 BMCs, in which the two take turns; all others run once.
- **yardstick**: bare aiohttp. It gets the list of what our reader fetched from each BMC, so it waits for no answer to know the
  next question; it asks for no session, reads each body, and does nothing with it. 64 BMCs at once, 4 connections each.
- **our module**: the same reader behind `ansible-playbook`, one task for all BMCs, the hardware document written.
- **sushy**: 64 threads in one process, by the library's shortest way (expanded storage; chassis and managers by links).
- **`redfish_info`**: `ansible-playbook` with 64 forks, pipelining, strategy free, one host for each BMC. It takes two tasks, for
  one task has commands of one category only.

Wall is from the start of the process to its end, imports included. CPU is user and system time of the process and all its
children. Peak memory is the largest sum of the resident sizes of its processes; what forks share counts once for each."""


def shown(results: Mapping[Key, Result], skipped: Mapping[Key, str], judged: Sequence[Bar]) -> str:
    """The table and the bars."""
    keys = sorted([*results, *skipped], key=lambda key: (key[1], key[2], list(LABELS).index(key[0])))
    rows = [_row(key, results[key], results) if key in results else _not_run(key) for key in keys]
    return f"{table(HEAD, rows)}\n\n{bar_table(judged)}"


def _row(key: Key, result: Result, results: Mapping[Key, Result]) -> list[str]:
    client, bmcs, latency_ms = key
    times = "" if client == OURS.name else f"{result.cost.wall / results[OURS.name, bmcs, latency_ms].cost.wall:.2f}"
    return [
        f"{bmcs:,}",
        str(latency_ms),
        LABELS[client],
        f"{result.found['servers']:,}" if "servers" in result.found else "",
        f"{result.requests:,}",
        f"{result.connections:,}",
        f"{result.cost.wall:.2f}",
        f"{result.cost.cpu:.2f}",
        f"{result.cost.memory / 1e6:,.0f}",
        times,
        f"{result.cpu_per_1000:.2f}",
    ]


def _not_run(key: Key) -> list[str]:
    return [f"{key[1]:,}", str(key[2]), LABELS[key[0]], "not run", *[""] * (len(HEAD) - 4)]


def _others(results: Mapping[Key, Result]) -> str:
    most = max(results, key=lambda key: results[key].others)
    usual = statistics.median(result.others for result in results.values())
    return f"{usual:.2f} cores busy in the median, {results[most].others:.2f} at most ({most[0]}, {most[1]:,} BMCs, {most[2]} ms)"


def section(
    results: Mapping[Key, Result], skipped: Mapping[Key, str], judged: Sequence[Bar], trees: Sequence[Tree], findings: Findings
) -> str:
    """The section of RESULTS.md."""
    reasons = [f"- {LABELS[client]}, {bmcs:,} BMCs, {latency_ms} ms: {why}." for (client, bmcs, latency_ms), why in skipped.items()]
    found = [(LABELS[client], *(str(kinds.get(kind, "cannot")) for kind in KINDS)) for client, kinds in findings.items()]
    asked = [(tree.name, "yes" if tree.expands else "no", str(tree.requests)) for tree in trees]
    return "\n\n".join(
        [
            machine("bench-discovery") + f"\n- Others on the machine: {_others(results)}",
            CLIENTS.format(turns=max(result.runs for result in results.values())),
            shown(results, skipped, judged),
            *(["Not run:\n\n" + "\n".join(reasons)] if reasons else []),
            "What each client found on the lab's first eight servers. Others count as host NICs those of the BMC that the host sees, and\n"
            "as volumes the drives that a Dell lists once more; our reader leaves both out.",
            table(("client", *KINDS), found),
            "What our reader asked of each recorded BMC, login and logout included." if asked else "There were no recorded trees to read.",
            *([table(("recorded BMC", "expand", "requests"), asked)] if asked else []),
        ]
    )
