# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks from a host: whether others are reached at full size, what names lead to, and whether the time is right. Runs on the host."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

STAGE = "hosts"
# A second is what Ceph's monitors and Keystone's tokens forgive at most; healthy hosts are within milliseconds.
MOST_SECONDS = 0.5
Ping = Callable[[Sequence[str]], tuple[int, str]]
Record = dict[str, Any]


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def evidence(check: str, target: str, wanted: str, seen: str, *, ok: bool) -> Record:
    return {"stage": STAGE, "check": check, "target": target, "wanted": wanted, "seen": seen, "ok": ok, "time": now()}


def check_reach(host: str, targets: Sequence[Mapping[str, Any]], run: Ping, tries: int = 3) -> list[Record]:
    """One ping of full size to each target that no router may cut; many at once."""

    def one(target: Mapping[str, Any]) -> Record:
        wanted = f"an answer to {target['mtu']} bytes, unfragmented"
        seen = "no answer"
        for _ in range(tries):
            command = ["ping", "-n", "-q", "-M", "do", "-c", "1", "-W", "2", "-s", str(target["payload"]), target["address"]]
            status, out = run(command)
            if status == 0:
                return evidence("reach", named(target), wanted, f"an answer to {target['mtu']} bytes", ok=True)
            seen = said(out)
        return evidence("reach", named(target), wanted, seen, ok=False)

    def named(target: Mapping[str, Any]) -> str:
        return f"{host} to {target['name']} ({target['address']}) on {target['network']}"

    with ThreadPoolExecutor(max_workers=16) as pool:
        return list(pool.map(one, targets))


def said(out: str) -> str:
    """Why a ping had no answer, in its own words where it has some."""
    for line in out.splitlines():
        if "too long" in line or "unreachable" in line.lower() or "needed" in line:
            return line.strip().removeprefix("ping: ")[:120]
    return "no answer"


def check_names(host: str, targets: Sequence[Mapping[str, str]]) -> list[Record]:
    found = []
    for target in targets:
        try:
            seen = sorted({str(info[4][0]) for info in socket.getaddrinfo(target["name"], None, type=socket.SOCK_STREAM)})
        except OSError as exc:
            seen = [str(exc.strerror or exc)]
        ok = seen == [target["address"]]
        found.append(evidence("name", f"{target['name']} on {host}", target["address"], ", ".join(seen), ok=ok))
    return found


def check_time(host: str, tracking: str) -> Record:
    """From `chronyc -c -n tracking`: stratum, offset and leap status are the fields 2, 4 and 13."""
    wanted = f"in step with a time server, within {MOST_SECONDS} s"
    fields = tracking.strip().split(",")
    if len(fields) < 14:
        return evidence("time", host, wanted, "chrony does not answer", ok=False)
    offset, synced = abs(float(fields[4])), fields[13] != "Not synchronised" and int(fields[2]) > 0
    seen = f"{offset:.6f} s from {fields[1] or fields[0]}, stratum {fields[2]}" if synced else "not in step with any server yet"
    return evidence("time", host, wanted, seen, ok=synced and offset < MOST_SECONDS)
