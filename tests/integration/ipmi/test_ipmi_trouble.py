# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""read_ipmi and probe_ipmi where the BMC refuses, is silent, dies or is no BMC, and where the reader is cancelled."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
import traceback
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.errors import BmcError, CredentialsRefused, TimedOut, Unreachable
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi import probe_ipmi, read_ipmi

from tests.integration.ipmi.common import AT_ONCE, MORE_THAN_ALL_SESSIONS, NEEDS_IPMI_SIM, codes, read
from tests.lab.ipmi import PASSWORD, USERNAME, Sensor, Settings, ipmi_bmcs, relay_before

pytestmark = NEEDS_IPMI_SIM


async def test_sessions_are_closed(bmcs):
    for _ in range(MORE_THAN_ALL_SESSIONS):
        await read(bmcs[4])


async def test_one_bmc_without_trouble_from_another(bmcs):
    """The right ones are read while others refuse, lose packets and are silent."""
    async with relay_before(bmcs[5], drop=lambda n: n > 8) as dying, relay_before(bmcs[6], drop=lambda n: n % 9 == 0) as lossy:
        wrong, dead, patient, *right = await asyncio.gather(
            read(bmcs[0], password="wrong"), read(dying, timeout=2), read(lossy, timeout=60), *map(read, bmcs[7:]), return_exceptions=True
        )
    assert isinstance(wrong, CredentialsRefused)
    assert isinstance(dead, TimedOut)
    assert patient.system.serial == "SN0007"
    assert patient.sensors == ("Inlet Temp", "Fan1", "PSU1 Power")
    assert [each.system.serial for each in right] == [f"SN{n:04}" for n in range(8, AT_ONCE + 1)]


@pytest.mark.parametrize(
    ("username", "password", "attempts"),
    [
        pytest.param(USERNAME, "not-the-password", 1, id="wrong password"),
        pytest.param("nobody", "labpass1x", 1, id="unknown user"),
        pytest.param(USERNAME, "", 1, id="no password"),
        pytest.param("a-name-of-17-byte", "secret-x", 0, id="name too long"),
        pytest.param(USERNAME, "a-password-of-21-byte", 0, id="password too long"),
    ],
)
async def test_refused_credentials_are_tried_once(bmcs, username, password, attempts):
    async with relay_before(bmcs[7]) as relay:
        with pytest.raises(CredentialsRefused) as caught:
            await read(relay, username=username, password=password)
    assert relay.login_attempts == attempts
    assert username in caught.value.text
    assert_no_secret(caught.value, password)


def assert_no_secret(error: BaseException, secret: str) -> None:
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(error)
    assert not secret or secret not in shown


async def test_closed_port_is_known_at_once():
    start = time.monotonic()
    with pytest.raises(Unreachable):
        await read_ipmi("127.6.23.250", port=9, username=USERNAME, password=PASSWORD, timeout=30)
    assert time.monotonic() - start < 0.5


@pytest.mark.parametrize("answer", [None, b"\x06\x00\xff\x07", b"not IPMI at all"], ids=["mute", "truncated", "other protocol"])
async def test_what_is_no_bmc_is_unreachable(answer):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.6.23.251", 0))
        port = mute.getsockname()[1]
        if answer:
            asyncio.get_running_loop().add_reader(mute, lambda: mute.sendto(answer, mute.recvfrom(500)[1]))
        start = time.monotonic()
        with pytest.raises(Unreachable):
            await read_ipmi("127.6.23.251", port=port, username=USERNAME, password=PASSWORD, timeout=0.6)
        assert time.monotonic() - start < 0.8
        asyncio.get_running_loop().remove_reader(mute)


async def test_probe(bmcs):
    assert await probe_ipmi(bmcs[0].address, port=bmcs[0].port, timeout=2)
    assert not await probe_ipmi("127.6.23.250", port=9, timeout=2)
    assert not await probe_ipmi("no-such-host.invalid", timeout=2)


async def test_probe_asks_again_when_packets_get_lost(bmcs):
    async with relay_before(bmcs[0], drop=lambda n: n < 3) as relay:
        assert await probe_ipmi(relay.address, port=relay.port, timeout=1.5)
    async with relay_before(bmcs[0], drop=lambda _: True) as relay:
        assert not await probe_ipmi(relay.address, port=relay.port, timeout=0.3)
        assert len(relay.packets) == 3


async def test_bmc_killed_while_it_is_read():
    with ipmi_bmcs([Settings(number=103)]) as (bmc,):
        async with relay_before(bmc, delay=0.05) as relay:
            reading = asyncio.create_task(read(relay, timeout=2))
            await asyncio.sleep(0.5)
            bmc.stop()
            start = time.monotonic()
            with pytest.raises(TimedOut) as caught:
                await reading
    assert time.monotonic() - start < 2
    assert_no_secret(caught.value, PASSWORD)


async def test_time_that_ends_among_the_sensors_leaves_the_rest():
    sensors = tuple(Sensor(number=n, kind=1, unit=1, name=f"Temp {n}", multiplier=1, raw=20) for n in range(1, 60))
    with ipmi_bmcs([Settings(number=104, sensors=sensors)]) as (bmc,):
        assert (await read(bmc)).sensors == tuple(sensor.name for sensor in sensors)
        async with relay_before(bmc, delay=0.01) as relay:
            facts = await read(relay, timeout=1.2)
    assert facts.system.serial == "SN0104"
    assert facts.sensors is None
    assert "ipmi_sensors_unread" in codes(facts)


async def test_cancelling_is_quick_and_leaves_nothing(bmcs):
    sockets = len(open_sockets())
    async with relay_before(bmcs[8], delay=0.05) as relay:
        for pause in (0.0, 0.08, 0.2, 0.4, 0.6):
            reading = asyncio.create_task(read(relay))
            await asyncio.sleep(pause)
            reading.cancel()
            start = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await reading
            assert time.monotonic() - start < 0.1
    await asyncio.sleep(0.4)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("vitro-ipmi")]
    assert len(open_sockets()) == sockets


async def test_cancelled_reads_close_their_sessions(bmcs):
    async with relay_before(bmcs[11], delay=0.03) as relay:
        for _ in range(2):
            readings = [asyncio.create_task(read(relay)) for _ in range(MORE_THAN_ALL_SESSIONS // 2)]
            await asyncio.sleep(0.7)
            for reading in readings:
                reading.cancel()
            assert all(isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*readings, return_exceptions=True))
            await asyncio.sleep(0.4)
    assert (await read(bmcs[11])).system.serial == "SN0012"


def open_sockets() -> list[str]:
    return [link for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink() and (link := str(fd.readlink())).startswith("socket:")]


async def test_interrupted_interpreter_exits_soon(bmcs):
    program = f"""
import asyncio
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi import read_ipmi
async def main():
    async with asyncio.timeout(1):
        await read_ipmi({{address!r}}, port={{port}}, username={USERNAME!r}, password="labpass1", timeout=60)
asyncio.run(main())
"""
    async with relay_before(bmcs[9], drop=lambda n: n > 5) as relay:
        start = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-",
            stdin=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": "build/collections"},
        )
        _, errors = await process.communicate(program.format(address=relay.address, port=relay.port).encode())
    assert b"TimeoutError" in errors
    assert time.monotonic() - start < 3


async def test_no_secret_in_the_process_list(bmcs):
    async with relay_before(bmcs[10], delay=0.02) as relay:
        reading = asyncio.create_task(read(relay))
        while not reading.done():
            assert not processes_that_show(PASSWORD)
            await asyncio.sleep(0.05)
        assert (await reading).system.serial == "SN0011"


def processes_that_show(secret: str) -> list[Path]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            shown = path.read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if secret.encode() in shown and b"pytest" not in shown:
            found.append(path)
    return found


async def test_errors_say_where_and_what_next(bmcs):
    with pytest.raises(BmcError, match=rf"Cannot log in to {bmcs[0].address}:{bmcs[0].port} as {USERNAME} .*tried once"):
        await read(bmcs[0], password="wrong")
