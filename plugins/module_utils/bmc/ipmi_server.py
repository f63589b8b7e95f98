# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that only IPMI tells of: it can be named and powered, and the rest has to be asked in-band."""

from __future__ import annotations

import dataclasses
import datetime
import time

from .hardware import Memory, Reading, Server, Verdict
from .ipmi import read_ipmi
from .targets import Target

VERDICT = Verdict(
    status="limited", reasons=("read by IPMI: processors, memory, network ports and disks are unknown until the server is asked in-band",)
)


async def read_ipmi_server(target: Target, timeout: float) -> Server:
    start = time.monotonic()
    at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    facts = await read_ipmi(
        target.address, port=target.ipmi_port, username=target.username or "", password=target.password or "", timeout=timeout
    )
    return Server(
        id=facts.system.serial or facts.system.uuid or next(iter(facts.bmc.macs), facts.bmc.address),
        # Address and HTTPS port name a BMC everywhere, whatever it was read by.
        bmc=dataclasses.replace(facts.bmc, port=target.port),
        system=facts.system,
        processors=None,
        memory=Memory(),
        nics=None,
        disks=None,
        volumes=None,
        accelerators=None,
        location=target.location,
        health=None,
        sensors=facts.sensors,
        verdict=VERDICT,
        warnings=facts.warnings,
        findings=facts.findings,
        read=Reading(at=at, requests=0, seconds=round(time.monotonic() - start, 3)),
    )
