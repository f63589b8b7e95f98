# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node is to have, in short for the preflight and in full for review. Neither has a secret."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .checks_host import WEB_PORTS, ports_of
from .checks_wish import check_wish
from .marks import MARK
from .paths import files_of
from .wanted import Wish, config_of, hidden_config, words_of
from .writing import KEPT_NAME, Written, ensure_files
from .written import File


def wanted_of(wish: Wish) -> tuple[dict[str, Any], list[File]]:
    """The short of it, and the files with marks."""
    files, _ = files_of(wish)
    config = config_of(wish)
    cnis = words_of(config.get("cni", "canal")) if wish.server else []
    planned = (wish.planned.http_port, wish.planned.https_port)
    has_ingress = words_of(config.get("ingress-controller", "")) != ["none"]
    web = tuple(port or usual for port, usual in zip(planned, WEB_PORTS, strict=True)) if wish.server and has_ingress else ()
    wanted = {
        "role": wish.role,
        "address": wish.address,
        "config": hidden_config(wish, {}),
        "objections": check_wish(wish),
        "watched": [one.path for one in files if one.then == "restart"],
        "ports": sorted([protocol, port] for protocol, port in ports_of(wish.role, cnis, web)),
        "old_cgroups": wish.kubelet.get("failCgroupV1") is False,
        "labels": {str(key): str(value) for key, value in wish.labels.items()},
        "taints": list(wish.taints),
    }
    return wanted, files


def ensure_rendered(files: Sequence[File], dest: Path, *, check_mode: bool) -> Written:
    """The files below a folder of the node's own. Marks stay in them, so they can be read by everybody."""
    shown = [
        {**one.to_data(), "path": f"{dest}{one.path}", "content": one.content.replace(MARK, "<secret-"), "mode": 0o644}
        for one in files
        if not one.once
    ]
    return ensure_files(shown, {}, check_mode=check_mode, kept=dest / KEPT_NAME)
