# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay before a simulated BMC, for what ipmi_sim cannot be: slow, lossy, strict about cipher suite 0, silent half way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from .simulator import LabBmc

RMCP_PLUS = b"\x06\x00\xff\x07\x06"
OPEN_REQUEST, OPEN_ANSWER, RAKP1 = 0x10, 0x11, 0x12
NO_CIPHER_SUITE_MATCH = 0x11


@dataclass(kw_only=True)
class Relay(asyncio.DatagramProtocol):
    """`drop` decides by the count of the client's packets so far, from 1, whether this one gets lost."""

    bmc: LabBmc
    refuse_cipher_zero: bool = False
    delay: float = 0.0
    drop: Callable[[int], bool] = field(default=lambda _: False)
    packets: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.upstreams: dict[tuple[str, int], _Upstream] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return str(self.transport.get_extra_info("sockname")[0])

    @property
    def port(self) -> int:
        return int(self.transport.get_extra_info("sockname")[1])

    @property
    def login_attempts(self) -> int:
        """How often a user was named: RAKP message 1."""
        return sum(packet[:5] == RMCP_PLUS and packet[5] == RAKP1 for packet in self.packets)

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.packets.append(data)
        if self.drop(len(self.packets)):
            return
        if self.refuse_cipher_zero and data[:6] == RMCP_PLUS + bytes([OPEN_REQUEST]) and data[28] == 0:
            self.transport.sendto(
                RMCP_PLUS + bytes([OPEN_ANSWER, *bytes(8), 8, 0, data[16], NO_CIPHER_SUITE_MATCH, 0, 0]) + data[20:24], addr
            )
            return
        task = asyncio.ensure_future(self._forward(data, addr))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _forward(self, data: bytes, addr: tuple[str, int]) -> None:
        await asyncio.sleep(self.delay)
        if addr not in self.upstreams:
            _, self.upstreams[addr] = await asyncio.get_running_loop().create_datagram_endpoint(
                lambda: _Upstream(self.transport, addr), remote_addr=(self.bmc.address, self.bmc.port)
            )
        self.upstreams[addr].transport.sendto(data)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for transport in (self.transport, *(upstream.transport for upstream in self.upstreams.values())):
            transport.close()
        # transports close in the next turn of the loop
        await asyncio.sleep(0)


class _Upstream(asyncio.DatagramProtocol):
    """The way to the BMC for one client, and back."""

    def __init__(self, back: asyncio.DatagramTransport, client: tuple[str, int]) -> None:
        self.back, self.client = back, client

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.back.sendto(data, self.client)


@asynccontextmanager
async def relay_before(
    bmc: LabBmc, *, refuse_cipher_zero: bool = False, delay: float = 0.0, drop: Callable[[int], bool] = lambda _: False
) -> AsyncIterator[Relay]:
    relay = Relay(bmc=bmc, refuse_cipher_zero=refuse_cipher_zero, delay=delay, drop=drop)
    await asyncio.get_running_loop().create_datagram_endpoint(lambda: relay, local_addr=(bmc.address, 0))
    try:
        yield relay
    finally:
        await relay.close()
