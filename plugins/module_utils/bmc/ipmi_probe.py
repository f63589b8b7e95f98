# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a BMC tells without a login: whether it speaks IPMI, and whether its door stands open.

Nothing here names a user, so nothing here can lock an account.
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from .hardware import Note

TRIES = 3
RMCP = b"\x06\x00\xff\x07"
# Payload types of RMCP+ (IPMI 2.0, table 13-16).
OPEN_REQUEST, OPEN_ANSWER, RAKP3 = 0x10, 0x11, 0x14
# "Illegal or unrecognized parameter" (table 13-15): said by the console, it ends a session that is only half open.
ABORT = 0x12


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities:
    """The answer to Get Channel Authentication Capabilities (IPMI 2.0, section 22.13)."""

    channel: int
    version_2: bool
    none_allowed: bool
    anonymous: bool


async def probe_ipmi(address: str, *, port: int = 623, timeout: float) -> bool:
    """Whether a BMC answers there to an unauthenticated packet."""
    return await read_capabilities(address, port=port, timeout=timeout) is not None


async def read_capabilities(address: str, *, port: int, timeout: float) -> Capabilities | None:
    """None if nothing that speaks IPMI answers."""
    async with _exchange(address, port) as exchange:
        answer = exchange and await exchange.ask(CAPABILITIES_REQUEST, is_capabilities, timeout)
    return parse_capabilities(answer) if answer else None


async def read_findings(capabilities: Capabilities, address: str, *, port: int, timeout: float) -> tuple[Note, ...]:
    found = []
    if capabilities.version_2 and await accepts_cipher_zero(address, port=port, timeout=timeout):
        found.append(Note(code="ipmi_cipher_zero", text="the BMC opens IPMI sessions with cipher suite 0, for which any password is right"))
    if capabilities.none_allowed:
        found.append(Note(code="ipmi_auth_none", text="the BMC offers IPMI sessions without authentication (authentication type NONE)"))
    if capabilities.anonymous:
        found.append(Note(code="ipmi_anonymous", text="the BMC lets in an IPMI user without name and password"))
    return tuple(found)


async def accepts_cipher_zero(address: str, *, port: int, timeout: float) -> bool:
    """Whether a session opens with cipher suite 0; it is given back at once, since BMCs have few."""
    console = os.urandom(4)
    async with _exchange(address, port) as exchange:
        answer = exchange and await exchange.ask(_open_request(console), is_open_answer, timeout)
        session = parse_opened(answer, console) if answer else None
        if exchange and session:
            exchange.send(_rmcp_plus(RAKP3, bytes([0, ABORT, 0, 0]) + session))
    return session is not None


def _command(netfn: int, command: int, data: bytes) -> bytes:
    """A request outside any session, in the format of IPMI 1.5, which every version answers (section 13.6)."""
    head, body = bytes([0x20, netfn << 2]), bytes([0x81, 0, command]) + data
    message = head + bytes([-sum(head) & 0xFF]) + body + bytes([-sum(body) & 0xFF])
    return RMCP + bytes(9) + bytes([len(message)]) + message


# For this channel (0Eh) with the data of IPMI 2.0 (80h), as an administrator (4) would find it.
CAPABILITIES_REQUEST = _command(0x06, 0x38, b"\x8e\x04")


def is_capabilities(packet: bytes) -> bool:
    return len(packet) > 21 and packet[:5] == RMCP + b"\x00" and packet[15] >> 2 == 0x07 and packet[19] == 0x38


def parse_capabilities(packet: bytes) -> Capabilities:
    data = packet[21:-1]
    if packet[20] != 0 or len(data) < 4:
        # some firmware of IPMI 1.5 refuses the bit of 2.0; it is a BMC all the same
        return Capabilities(channel=0x0E, version_2=False, none_allowed=False, anonymous=False)
    return Capabilities(
        channel=data[0],
        version_2=bool(data[1] & 0x80 and data[3] & 0x02),
        none_allowed=bool(data[1] & 0x01),
        anonymous=bool(data[2] & 0x01),
    )


def _rmcp_plus(payload_type: int, payload: bytes) -> bytes:
    return RMCP + bytes([6, payload_type]) + bytes(8) + struct.pack("<H", len(payload)) + payload


def _open_request(console: bytes) -> bytes:
    """Proposes cipher suite 0: no authentication (0), no integrity (1), no confidentiality (2)."""
    return _rmcp_plus(OPEN_REQUEST, bytes(4) + console + b"".join(bytes([kind, 0, 0, 8, 0, 0, 0, 0]) for kind in range(3)))


def is_open_answer(packet: bytes) -> bool:
    return len(packet) >= 18 and packet[:6] == RMCP + bytes([6, OPEN_ANSWER])


def parse_opened(packet: bytes, console: bytes) -> bytes | None:
    """The BMC's id of the session it opened; None if it refused, or answered with an algorithm that authenticates."""
    payload = packet[16:]
    opened = len(payload) >= 36 and payload[1] == 0 and payload[4:8] == console
    return payload[8:12] if opened and payload[16] & 0x3F == 0 else None


class _Exchange(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.packets: asyncio.Queue[bytes | None] = asyncio.Queue()

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self.transport = transport

    def datagram_received(self, data: bytes, addr: object) -> None:  # noqa: ARG002
        self.packets.put_nowait(data)

    def error_received(self, exc: Exception) -> None:  # noqa: ARG002
        self.packets.put_nowait(None)

    def send(self, packet: bytes) -> None:
        self.transport.sendto(packet)

    async def ask(self, packet: bytes, is_answer: Callable[[bytes], bool], timeout: float) -> bytes | None:
        """The answer; None on silence, or as soon as the machine says that the port is closed."""
        for _ in range(TRIES):
            self.send(packet)
            try:
                async with asyncio.timeout(timeout / TRIES):
                    while (got := await self.packets.get()) is not None:
                        if is_answer(got):
                            return got
                return None
            except TimeoutError:
                continue
        return None


@asynccontextmanager
async def _exchange(address: str, port: int) -> AsyncIterator[_Exchange | None]:
    """None for an address that does not resolve or has no route."""
    try:
        transport, exchange = await asyncio.get_running_loop().create_datagram_endpoint(_Exchange, remote_addr=(address, port))
    except OSError:
        yield None
        return
    try:
        yield exchange
    finally:
        transport.close()
