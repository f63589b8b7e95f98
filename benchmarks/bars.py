# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers that the reader has to reach. A bar whose points were not run is not in the list."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.clients import Result
from benchmarks.report import Bar

# Client, BMCs, milliseconds for each answer.
Key = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Tree:
    """What our reader asked of one recorded BMC."""

    name: str
    expands: bool
    requests: int


def bars(results: Mapping[Key, Result], trees: list[Tree]) -> list[Bar]:
    return [*_against_peers(results), *_against_yardstick(results), *_manners(results), *_thousand(results), *_requests(trees)]


def _against_peers(results: Mapping[Key, Result]) -> Iterator[Bar]:
    for peer, least in (("redfish_info", 12), ("sushy", 5)):
        ours, theirs = results.get(("ours", 64, 100)), results.get((peer, 64, 100))
        if ours and theirs:
            ratio = theirs.cost.wall / ours.cost.wall
            yield Bar(f"64 BMCs at 100 ms: faster than {peer}", f"≥ {least} times", f"{ratio:.1f} times", ratio >= least)


def _against_yardstick(results: Mapping[Key, Result]) -> Iterator[Bar]:
    for bmcs in (64, 256):
        ours, least = results.get(("ours", bmcs, 100)), results.get(("yardstick", bmcs, 100))
        if not ours or not least:
            continue
        if bmcs == 64:
            wall = ours.cost.wall / least.cost.wall
            yield Bar("64 BMCs at 100 ms: wall time by the yardstick's", "≤ 1.5", f"{wall:.2f}", wall <= 1.5)
        cpu = ours.cpu_per_1000 / least.cpu_per_1000
        yield Bar(f"{bmcs} BMCs at 100 ms: CPU per 1,000 requests by the yardstick's", "≤ 1.5", f"{cpu:.2f}", cpu <= 1.5)


def _manners(results: Mapping[Key, Result]) -> Iterator[Bar]:
    own = [result for (client, _, _), result in results.items() if client in ("ours", "bmc_info")]
    most = max(result.most_connections for result in own)
    yield Bar("connections to any BMC, all points", "≤ 4", str(most), most <= 4)
    left = sum(result.sessions_left for result in own)
    yield Bar("sessions left on the rack, all points", "0", str(left), left == 0)
    missing = sum(len(result.seen) - result.found["servers"] for result in own)
    yield Bar("servers not read, all points", "0", str(missing), missing == 0)


def _thousand(results: Mapping[Key, Result]) -> Iterator[Bar]:
    many, fewer = results.get(("ours", 1000, 100)), results.get(("ours", 256, 100))
    if many:
        size = many.cost.memory / 1e6
        yield Bar("1,000 BMCs at 100 ms: peak memory", "≤ 400 MB", f"{size:.0f} MB", size <= 400)
    if many and fewer:
        growth = many.cost.wall / 1000 / (fewer.cost.wall / 256)
        yield Bar("100 ms: seconds per BMC, 1,000 BMCs by 256 BMCs", "0.75 to 1.25", f"{growth:.2f}", 0.75 <= growth <= 1.25)


def _requests(trees: list[Tree]) -> Iterator[Bar]:
    expanding = [tree.requests for tree in trees if tree.expands]
    plain = [tree.requests for tree in trees if not tree.expands]
    if expanding:
        yield Bar("requests per recorded BMC with expand, most", "≤ 32", str(max(expanding)), max(expanding) <= 32)
        middle = statistics.median(expanding)
        yield Bar("requests per recorded BMC with expand, median", "≤ 21", f"{middle:g}", middle <= 21)
    if plain:
        yield Bar("requests per recorded BMC without expand, most", "≤ 110", str(max(plain)), max(plain) <= 110)
