# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes objects for so many seconds, then reads each back and compares; runs in Ceph's image: `python3 - POOL SECONDS`.

Prints how many were written, lost and corrupted, and how long the longest write took.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time

import rados  # type: ignore[import-not-found] # only Ceph's image has it

SIZE = 256 * 1024


def write(io: rados.Ioctx, seconds: float) -> tuple[dict[str, str], float]:
    sums: dict[str, str] = {}
    longest, until = 0.0, time.monotonic() + seconds
    while time.monotonic() < until:
        name, data, begun = f"lab-writer-{len(sums)}", os.urandom(SIZE), time.monotonic()
        io.write_full(name, data)
        longest = max(longest, time.monotonic() - begun)
        sums[name] = hashlib.sha256(data).hexdigest()
        time.sleep(0.1)
    return sums, longest


def read_back(io: rados.Ioctx, sums: dict[str, str]) -> tuple[list[str], list[str]]:
    lost, corrupted = [], []
    for name, wanted in sums.items():
        try:
            if hashlib.sha256(io.read(name, SIZE + 1)).hexdigest() != wanted:
                corrupted.append(name)
            io.remove_object(name)
        except rados.ObjectNotFound:
            lost.append(name)
    return lost, corrupted


def main() -> None:
    pool, seconds = sys.argv[1], float(sys.argv[2])
    cluster = rados.Rados(conffile="/etc/ceph/ceph.conf")
    cluster.connect(timeout=30)
    with cluster.open_ioctx(pool) as io:
        sums, longest = write(io, seconds)
        lost, corrupted = read_back(io, sums)
    cluster.shutdown()
    print(json.dumps({"written": len(sums), "lost": lost, "corrupted": corrupted, "longest": round(longest, 1)}))


if __name__ == "__main__":
    main()
