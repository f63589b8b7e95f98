# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which ports of a server a link takes: of one speed, on different adapters, the fastest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ..bmc.hardware import Nic
from .intent import Link

FAST = 10000


def in_order(nics: Iterable[Nic]) -> list[Nic]:
    """Ports from the best to the worst: with link, of known speed, fast; then by adapter and port, so that the order is always the same."""
    return sorted(nics, key=lambda one: (one.link != "up", -(one.speed_mbps or 0), one.adapter or "~", _natural(one.port), one.mac))


def fits(nic: Nic, wish: Link) -> bool:
    """Whether a port has link, is fast enough and sits where the link wants it."""
    if nic.link == "down" or (wish.speed_mbps is not None and (nic.speed_mbps or 0) < wish.speed_mbps):
        return False
    return on_adapter(nic, wish)


def on_adapter(nic: Nic, wish: Link) -> bool:
    return wish.adapter is None or fnmatchcase((nic.adapter or "").lower(), wish.adapter.lower())


def choose(ports: Sequence[Nic], count: int) -> list[Nic]:
    """So many of the ports, which are in order; fewer if there are not so many.

    Ports of one speed on two adapters go before faster ones on one adapter, as long as they have 10 Gbit/s and a quarter of the speed:
    the loss of an adapter stops a server, half the speed does not. Ports of different speeds go together only if nothing else is left.
    """
    if count <= 1 or len(ports) <= count:
        return list(ports[:count])
    for pool in ([one for one in ports if one.link == "up"], ports):
        tiers: dict[int, list[Nic]] = {}
        for one in pool:
            tiers.setdefault(one.speed_mbps or 0, []).append(one)
        # A port of unknown speed is never taken before one of known speed.
        enough = [speed for speed in sorted(tiers, reverse=True) if len(tiers[speed]) >= count and (speed or len(tiers) == 1)]
        if enough:
            return _spread(tiers[next((one for one in enough if _is_worth(one, enough[0], tiers[one])), enough[0])], count)
    return list(ports[:count])


def _is_worth(speed: int, fastest: int, ports: Sequence[Nic]) -> bool:
    return len({one.adapter for one in ports}) > 1 and (speed == fastest or (speed >= FAST and speed * 4 >= fastest))


def _spread(ports: Sequence[Nic], count: int) -> list[Nic]:
    """One port of each adapter in turn, first of those that have most left: so the next link finds two adapters as well."""
    adapters: dict[str, list[Nic]] = {}
    for one in ports:
        adapters.setdefault(one.adapter or "", []).append(one)
    turns = sorted(adapters.items(), key=lambda item: (-len(item[1]), item[0]))
    chosen: list[Nic] = []
    depth = 0
    while len(chosen) < min(count, len(ports)):
        chosen += [mine[depth] for _, mine in turns if depth < len(mine)][: count - len(chosen)]
        depth += 1
    return sorted(chosen, key=lambda one: (one.adapter or "~", _natural(one.port), one.mac))


def _natural(port: str | None) -> tuple[int, str]:
    """Port 2 before port 10."""
    text = port or ""
    return (int(text), "") if text.isascii() and text.isdigit() else (1 << 31, text)
