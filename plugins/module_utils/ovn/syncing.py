# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far northd and the chassis are with what stands in the Northbound database."""

from __future__ import annotations

import time
from typing import Final

from .database import Database, mutate, plain, select

PAUSE: Final = 0.2


def synced(north: Database, patience: float, *, chassis: bool = False) -> tuple[int, int]:
    """Count up, and wait until northd, or every chassis, has come so far: what was wanted, and what was seen."""
    answer = north.transact([mutate("NB_Global", "nb_cfg", "+=", 1), select("NB_Global", ["nb_cfg"])])
    wanted = int(plain(answer[1]["rows"][0]["nb_cfg"]))
    column, until = "hv_cfg" if chassis else "sb_cfg", time.monotonic() + patience
    while True:
        seen = int(north.read(NB_Global=[column])["NB_Global"][0][column])
        if seen >= wanted or time.monotonic() > until:
            return wanted, seen
        time.sleep(PAUSE)
