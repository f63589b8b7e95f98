# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A rack of IPMI BMCs on the loopback network, simulated by OpenIPMI's ipmi_sim."""

from __future__ import annotations

from .config import PASSWORD, USERNAME, FruTexts, Sensor, Settings
from .relay import Relay, relay_before
from .simulator import LabBmc, ipmi_bmcs, missing_packages

__all__ = ["PASSWORD", "USERNAME", "FruTexts", "LabBmc", "Relay", "Sensor", "Settings", "ipmi_bmcs", "missing_packages", "relay_before"]
