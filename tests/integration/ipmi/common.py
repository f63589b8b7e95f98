# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests against ipmi_sim share."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi import IpmiFacts, read_ipmi

from tests.lab.ipmi import PASSWORD, USERNAME, LabBmc, Relay, missing_packages

NEEDS_IPMI_SIM = pytest.mark.skipif(bool(missing_packages("ipmi_sim")), reason=missing_packages("ipmi_sim") or "-")
NEEDS_IPMITOOL = pytest.mark.skipif(bool(missing_packages("ipmitool")), reason=missing_packages("ipmitool") or "-")
AT_ONCE = 12
# ipmi_sim refuses the next session when it has 63 (OpenIPMI, lanserv.h, MAX_SESSIONS)
MORE_THAN_ALL_SESSIONS = 70


async def read(bmc: LabBmc | Relay, *, username: str = USERNAME, password: str = PASSWORD, timeout: float = 10) -> IpmiFacts:
    return await read_ipmi(bmc.address, port=bmc.port, username=username, password=password, timeout=timeout)


def codes(facts: IpmiFacts) -> set[str]:
    return {note.code for note in (*facts.warnings, *facts.findings)}
