# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulated rack: BMCs that answer Redfish over TLS on loopback, each on an address of its own."""

from __future__ import annotations

from .bmc import EmulatedBmc
from .catalogue import default_bmc, default_server, family_rack, lab_rack
from .faults import Fault
from .generate import build, expected
from .rack import Rack, RackError
from .recorded import recorded_rack
from .spec import BmcSpec, ServerSpec, SpecRefused

__all__ = [
    "BmcSpec",
    "EmulatedBmc",
    "Fault",
    "Rack",
    "RackError",
    "ServerSpec",
    "SpecRefused",
    "build",
    "default_bmc",
    "default_server",
    "expected",
    "family_rack",
    "lab_rack",
    "recorded_rack",
]
