# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hardware document as a table for people."""

from __future__ import annotations

from collections import Counter

from ..columns import columns
from .hardware import Disk, Hardware, Nic, Server

HEAD = ("server", "BMC", "model", "place", "power", "cores", "memory", "ports", "disks", "verdict")
MOST_ROWS = 64


def table(hardware: Hardware) -> list[str]:
    """Lines: a head, a row per server, and what was not read."""
    shown = hardware.servers[:MOST_ROWS]
    lines = columns([HEAD, *(_row(server) for server in shown)])
    if len(hardware.servers) > MOST_ROWS:
        lines.append(f"… and {len(hardware.servers) - MOST_ROWS} more servers")
    return lines + [f"not read: {one.address}:{one.port} ({one.code})" for one in hardware.unread]


def _row(server: Server) -> tuple[str, ...]:
    system, place = server.system, server.location
    cores = sum(one.cores or 0 for one in server.processors or ())
    memory = server.memory.bytes
    return (
        server.id,
        f"{server.bmc.address} {server.bmc.protocol}",
        system.model or system.vendor or "?",
        f"{place.rack} U{place.unit}" if place.rack and place.unit else place.rack or "?",
        system.power or "?",
        str(cores) if cores else "?",
        f"{memory / 1024**3:.0f} GiB" if memory else "?",
        "?" if server.nics is None else _ports(server.nics),
        "?" if server.disks is None else _disks(server.disks),
        server.verdict.status,
    )


def _ports(nics: tuple[Nic, ...]) -> str:
    """Ports by speed, the fastest first; those that are up and those that are not."""
    speeds = Counter(nic.speed_mbps for nic in nics)
    told = [f"{number}×{speed / 1000:g}G" for speed, number in sorted(speeds.items(), key=lambda one: -(one[0] or 0)) if speed]
    unknown = [f"{speeds[None]}×?"] if speeds[None] else []
    return " ".join(told + unknown)


def _disks(disks: tuple[Disk, ...]) -> str:
    kinds = Counter((disk.bytes, disk.protocol or "", disk.media or "?") for disk in disks)
    told = [f"{number}×{size / 10**12:.3g}T {protocol or media}" for (size, protocol, media), number in sorted(kinds.items(), reverse=True)]
    return ", ".join(told) or "none"
