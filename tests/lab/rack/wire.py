# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP/1.1 on one connection.

Not a web framework: faults need the bare transport, and the benchmark needs more answers per second than one gives.
"""

from __future__ import annotations

import asyncio
import struct
from socket import SO_LINGER, SOL_SOCKET
from typing import Protocol, cast

from .counters import Counters
from .messages import CONTROL, Reply, Request, error_reply

LARGEST_HEAD = 32 * 1024
TICKS_PER_SECOND = 10


class Bmc(Protocol):
    counters: Counters

    def answer(self, request: Request) -> Reply: ...

    def delay(self, path: str) -> float: ...


class House(Protocol):
    """Knows who is in, and is told of every request."""

    connections: set[Connection]

    def touched(self) -> None: ...


class Connection(asyncio.Protocol):
    """Answers requests one after the other, as they came."""

    def __init__(self, bmc: Bmc, house: House) -> None:
        self._bmc = bmc
        self._house = house
        self._buffer = b""
        self._busy = False
        self._gone = False
        self._counted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._house.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone = True
        self._house.connections.discard(self)
        if self._busy:
            self._bmc.counters.finished()
        if self._counted:
            self._bmc.counters.disconnected()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._busy:
            self._next()

    def _next(self) -> None:
        while not self._busy and not self._gone:
            request = self._take()
            if request is None:
                return
            self._handle(request)

    def _take(self) -> Request | None:
        """The next whole request in the buffer, if there is one."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > LARGEST_HEAD:
                self._refuse(431)
            return None
        try:
            request = parse_head(self._buffer[:end])
            length = parse_length(request.headers)
        except ValueError:
            self._refuse(400)
            return None
        if "transfer-encoding" in request.headers:
            self._refuse(411)
            return None
        if len(self._buffer) < end + 4 + length:
            return None
        body = self._buffer[end + 4 : end + 4 + length]
        self._buffer = self._buffer[end + 4 + length :]
        return Request(request.method, request.target, request.path, request.query, request.headers, body) if length else request

    def _refuse(self, status: int) -> None:
        self._transport.write(
            error_reply(status, "Base.1.8.MalformedRequest", "The request cannot be read.", {"Connection": "close"}).encode()
        )
        self._transport.close()
        self._gone = True

    def _handle(self, request: Request) -> None:
        bmc = self._bmc
        if request.path.startswith(CONTROL):
            self._transport.write(bmc.answer(request).encode())
            return
        self._house.touched()
        if not self._counted:
            self._counted = True
            bmc.counters.connected()
        bmc.counters.started(request.method, request.target)
        self._busy = True
        reply = bmc.answer(request)
        if request.headers.get("connection", "").lower() == "close" and not reply.close:
            # RFC 9112, section 9.6. A client that is not told keeps the connection for its next request, and finds it closed.
            reply = reply.changed(close=True)
        seconds = bmc.delay(request.path)
        if seconds > 0:
            asyncio.get_running_loop().call_later(seconds, self._send_and_go_on, request, reply)
        else:
            self._send(request, reply)

    def _send(self, request: Request, reply: Reply) -> None:
        if self._gone or reply.delivery == "silent":
            return
        wire = reply.encode(head_only=request.method == "HEAD")
        if reply.delivery == "trickle":
            self._trickle(request, reply, wire)
            return
        if reply.delivery in ("reset", "cut"):
            self._transport.write(wire[: len(wire) - len(reply.body) // 2 - 1])
        else:
            self._transport.write(wire)
        self._finish(request, reply)

    def _send_and_go_on(self, request: Request, reply: Reply) -> None:
        self._send(request, reply)
        self._next()

    def _trickle(self, request: Request, reply: Reply, rest: bytes) -> None:
        if self._gone:
            return
        step = max(1, reply.rate // TICKS_PER_SECOND)
        self._transport.write(rest[:step])
        if len(rest) <= step:
            self._finish(request, reply)
            self._next()
        else:
            asyncio.get_running_loop().call_later(step / reply.rate, self._trickle, request, reply, rest[step:])

    def _finish(self, request: Request, reply: Reply) -> None:
        self._busy = False
        self._bmc.counters.finished()
        if reply.delivery == "reset":
            self._reset()
        elif reply.close or reply.delivery == "cut":
            self._gone = True
            self._transport.close()

    def _reset(self) -> None:
        """Zero linger makes the kernel send RST, which is what a rebooting BMC looks like."""
        raw = self._transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        self.drop()

    def drop(self) -> None:
        self._gone = True
        self._transport.abort()


def parse_length(headers: dict[str, str]) -> int:
    """Raises ValueError for what is no length."""
    length = headers.get("content-length", "0")
    if not length.isdecimal():
        raise ValueError(length)
    return int(length)


def parse_head(head: bytes) -> Request:
    """Raises ValueError for what is no HTTP request."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, version = first.split(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError(version)
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(line)
        headers[name.lower()] = value.strip()
    if version == "HTTP/1.0":
        headers.setdefault("connection", "close")
    path, _, query = target.partition("?")
    return Request(method, target, path.rstrip("/") or "/", query, headers)
