# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers without Redfish: IPMI is asked, and the record says what that leaves unknown."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.client import Limits
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.rack import read_rack, run
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.targets import Target

from tests.integration.bmc.reading import target
from tests.lab.ipmi import PASSWORD, USERNAME, ipmi_bmcs, missing_packages
from tests.lab.rack import Rack, lab_rack

pytestmark = pytest.mark.skipif(bool(missing_packages("ipmi_sim")), reason=str(missing_packages("ipmi_sim")))
LIMITS = Limits(timeout=10)


def ipmi_target(bmc, **settings):
    account = {"username": USERNAME, "password": PASSWORD, "port": 1}
    return Target(address=bmc.address, ipmi_port=bmc.port, **{**account, **settings})


def test_a_mixed_rack():
    with ipmi_bmcs(3) as bmcs, Rack(lab_rack(2)) as rack:
        targets = [ipmi_target(bmc) for bmc in bmcs] + [target(rack, bmc, protocol="auto") for bmc in rack.bmcs]
        hardware = run(read_rack(targets, LIMITS, lambda _: None))
    assert not hardware.unread
    assert [server.bmc.protocol for server in hardware.servers] == ["ipmi"] * 3 + ["redfish"] * 2
    for server in hardware.servers[:3]:
        assert server.verdict.status == "limited"
        assert server.system.serial
        assert server.system.power == "on"
        assert server.sensors
        assert (server.processors, server.nics, server.disks, server.memory.bytes) == (None, None, None, None)
        assert "ipmi_cipher_zero" in [one.code for one in server.findings]


def test_wrong_password_and_redfish_only():
    with ipmi_bmcs(2) as bmcs:
        targets = [ipmi_target(bmcs[0], password="wrong"), ipmi_target(bmcs[1], protocol="redfish")]
        hardware = run(read_rack(targets, LIMITS, lambda _: None))
    assert [one.code for one in hardware.unread] == ["credentials_refused", "unreachable"]
