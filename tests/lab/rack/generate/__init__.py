# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the Redfish tree of a server, with its vendor's shapes and quirks; the same server gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..spec import Power, ServerSpec, SpecRefused, Tree
from .cray import build_cray
from .dell import build_dell
from .expected import expected
from .hpe import build_hpe
from .lenovo import build_lenovo
from .supermicro import build_supermicro

__all__ = ["build", "expected"]

ALONE: dict[str, Callable[[ServerSpec, Power], Tree]] = {
    "dell": build_dell,
    "ilo5": build_hpe,
    "ilo6": build_hpe,
    "lenovo": build_lenovo,
    "supermicro": build_supermicro,
}


def build(servers: Sequence[ServerSpec], powers: Sequence[Power]) -> Tree:
    """The tree of one BMC; only a Cray's has more than one server behind it."""
    family = servers[0].family
    if family == "cray":
        return build_cray(servers, powers)
    if len(servers) != 1:
        raise SpecRefused(f"Cannot put {len(servers)} servers behind one {family} BMC: only cray takes more than one")
    return ALONE[family](servers[0], powers[0])
