# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of a node: what is in it, who may read it, and what a change of it needs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import yaml

HEAD: Final = "# Written by frontier.vitro.rke2. Changes here are lost.\n"


@dataclass(frozen=True, slots=True)
class File:
    """`then` is what a change needs: restart (of RKE2), units, kernel, networkmanager, address; empty is nothing.

    `joins` says that it comes when there is a cluster to join, `once` that it is made and then left to RKE2.
    """

    path: str
    content: str
    mode: int = 0o600
    then: str = ""
    joins: bool = False
    once: bool = False

    def to_data(self) -> dict[str, Any]:
        return asdict(self)


def text(content: object) -> str:
    return HEAD + yaml.safe_dump(content, sort_keys=False, default_flow_style=False, allow_unicode=True, width=1000)
