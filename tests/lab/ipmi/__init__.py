# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""IPMI BMCs on the loopback network, played by OpenIPMI's ipmi_sim (Debian packages openipmi and, to look around, ipmitool).

    with ipmi_bmcs(3) as bmcs: ...                          # in a test
    python -m tests.lab.ipmi up --state DIR --count 3       # by hand; then `down --state DIR`
    IPMI_PASSWORD=labpass1 ipmitool -I lanplus -C 3 -H 127.6.23.1 -p 9623 -U admin -E chassis status

ipmi_sim knows no cipher suite 17 and no DCMI, and cannot refuse cipher suite 0: `relay_before` a BMC does that.
"""

from __future__ import annotations

from .config import PASSWORD, USERNAME, FruTexts, Sensor, Settings
from .relay import Relay, relay_before
from .simulator import LabBmc, ipmi_bmcs, missing_packages

__all__ = ["PASSWORD", "USERNAME", "FruTexts", "LabBmc", "Relay", "Sensor", "Settings", "ipmi_bmcs", "missing_packages", "relay_before"]
