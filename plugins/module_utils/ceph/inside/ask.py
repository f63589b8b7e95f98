# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts commands to the cluster over one connection, up to the first that is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def ask(asked: dict[str, Any]) -> dict[str, Any]:
    import rados  # type: ignore[import-not-found] # noqa: PLC0415 - only Ceph's image has it

    limit, patience = asked["timeout"], asked["patience"]
    # A cluster without a quorum must end in words, not in silence.
    options = {"client_mount_timeout": str(limit), "rados_mon_op_timeout": str(patience), "rados_osd_op_timeout": str(patience)}
    try:
        cluster = rados.Rados(conffile=rados.Rados.DEFAULT_CONF_FILES, conf=options)
        cluster.connect(timeout=limit)
    except rados.Error as error:
        return {"lost": str(error)}
    answers: list[tuple[int, str, str]] = []
    for one in asked["commands"]:
        send = cluster.mgr_command if one["manager"] else cluster.mon_command
        try:
            code, out, said = send(json.dumps(one["command"]), one["data"].encode(), timeout=patience)
            answers.append((code, out.decode(errors="replace"), said))
        except rados.Error as error:
            answers.append((-(error.errno or 1), "", str(error)))
        if answers[-1][0] and not one["may_fail"]:
            break
    # Left open, its threads may fall over while the program ends.
    cluster.shutdown()
    return {"answers": answers}


if __name__ == "__main__":
    Path("/answer/new").write_text(json.dumps(ask(json.load(sys.stdin))))
    Path("/answer/new").rename("/answer/answer")
