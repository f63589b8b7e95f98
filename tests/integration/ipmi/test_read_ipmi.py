# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""read_ipmi tells what the BMCs, played by ipmi_sim, were told to be."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from contextlib import AsyncExitStack

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi_probe import accepts_cipher_zero

from tests.integration.ipmi.common import AT_ONCE, MORE_THAN_ALL_SESSIONS, NEEDS_IPMI_SIM, NEEDS_IPMITOOL, codes, read
from tests.lab.ipmi import PASSWORD, USERNAME, FruTexts, Settings, ipmi_bmcs, relay_before

pytestmark = NEEDS_IPMI_SIM


async def test_facts_are_what_the_lab_configured(bmcs):
    facts = await read(bmcs[2])
    assert (facts.bmc.address, facts.bmc.port, facts.bmc.protocol) == (bmcs[2].address, bmcs[2].port, "ipmi")
    assert (facts.bmc.vendor, facts.bmc.firmware, facts.bmc.macs) == ("Dell", "9.08", ("52:54:00:aa:00:03",))
    system = facts.system
    assert (system.vendor, system.model, system.asset_tag) == ("Acme", "Node2U", "TAG3")
    assert (system.serial, system.board_serial) == ("SN0003", "BSN0003")
    assert system.uuid == bmcs[2].settings.uuid
    assert facts.sensors == ("Inlet Temp", "Fan1", "PSU1 Power")
    assert facts.warnings == ()


@NEEDS_IPMITOOL
async def test_ipmitool_reads_the_same(bmcs):
    facts = await read(bmcs[0])
    command = ["ipmitool", "-I", "lanplus", "-C", "3", "-H", bmcs[0].address, "-p", str(bmcs[0].port), "-U", USERNAME, "-E"]

    def ipmitool(*arguments: str) -> str:
        return subprocess.run(
            [*command, *arguments], env={**os.environ, "IPMI_PASSWORD": PASSWORD}, capture_output=True, text=True, check=True
        ).stdout

    assert f"Product Serial        : {facts.system.serial}" in ipmitool("fru", "print", "0")
    assert facts.system.uuid in ipmitool("mc", "guid", "smbios")
    assert facts.bmc.macs[0] in ipmitool("lan", "print", "1")
    assert f"Firmware Revision         : {facts.bmc.firmware}" in ipmitool("mc", "info")


async def test_power_follows_the_server(bmcs):
    seen = []
    for state in ("off", "on"):
        bmcs[0].set_power(state)
        seen.append((await read(bmcs[0])).system.power)
    assert seen == ["off", "on"]


async def test_vendor_and_findings_differ_by_bmc(bmcs):
    usual, strict, careless = await asyncio.gather(*map(read, bmcs[:3]))
    assert (usual.bmc.vendor, strict.bmc.vendor) == ("Dell", "Supermicro")
    assert codes(usual) == {"ipmi_cipher_zero", "ipmi_auth_none"}
    assert codes(strict) == {"ipmi_cipher_zero"}
    assert codes(careless) == {"ipmi_cipher_zero", "ipmi_auth_none", "ipmi_anonymous"}


async def test_no_finding_where_cipher_suite_0_is_refused(bmcs):
    async with relay_before(bmcs[1], refuse_cipher_zero=True) as relay:
        facts = await read(relay)
    assert facts.findings == ()
    assert facts.system.serial == "SN0002"


async def test_asking_for_cipher_suite_0_takes_no_session_away(bmcs):
    for _ in range(MORE_THAN_ALL_SESSIONS):
        assert await accepts_cipher_zero(bmcs[3].address, port=bmcs[3].port, timeout=2)
    assert (await read(bmcs[3])).system.serial == "SN0004"


async def test_many_at_once_take_little_longer_than_one(bmcs):
    async with AsyncExitStack() as stack:
        slow = [await stack.enter_async_context(relay_before(bmc, delay=0.015)) for bmc in bmcs]
        start = time.monotonic()
        await read(slow[0])
        one = time.monotonic() - start
        start = time.monotonic()
        facts = await asyncio.gather(*map(read, slow))
        together = time.monotonic() - start
    assert [each.system.serial for each in facts] == [f"SN{n:04}" for n in range(1, AT_ONCE + 1)]
    assert [each.bmc.macs for each in facts] == [(bmc.settings.mac,) for bmc in bmcs]
    assert together < 3 * one


@pytest.mark.parametrize(
    ("texts", "serial", "board_serial", "model", "asset_tag", "vendor"),
    [
        (
            FruTexts(board=("Acme", "X11", "BSN"), product=("", "", "", "", "To be filled by O.E.M.", "Default string")),
            "BSN", None, "X11", None, "Acme",
        ),
        (
            FruTexts(board=("Supermicro", "X11", "0123456789"), product=("Dell Inc.", "R1 ", "", "", " SN1 ", "00000000")),
            "SN1", None, "R1", None, "Dell",
        ),
        (FruTexts(board=("Maker",), product=("Brand",)), None, None, None, None, "Brand"),
    ],
    ids=["product placeholders", "board placeholders", "areas end early"],
)  # fmt: skip
async def test_placeholders_are_unknown(texts, serial, board_serial, model, asset_tag, vendor):
    with ipmi_bmcs([Settings(number=101, fru_texts=texts)]) as (bmc,):
        facts = await read(bmc)
    system = facts.system
    assert (system.serial, system.board_serial, system.model, system.asset_tag, system.vendor) == (
        serial,
        board_serial,
        model,
        asset_tag,
        vendor,
    )
    assert facts.warnings == ()


@pytest.mark.parametrize(
    "image", [b"", b"\xff" * 64, b"\x01\x00\x00\x01\x04\x00\x00\xfa" + b"\xff" * 40], ids=["none", "erased", "areas of rubbish"]
)
async def test_damaged_fru_leaves_the_rest(image):
    with ipmi_bmcs([Settings(number=102, fru=image)]) as (bmc,):
        facts = await read(bmc)
    assert (facts.system.serial, facts.system.vendor) == (None, None)
    assert facts.system.uuid == bmc.settings.uuid
    assert facts.sensors == ("Inlet Temp", "Fan1", "PSU1 Power")
    assert ("ipmi_fru_unread" in codes(facts)) == (not image.startswith(b"\x01"))
