# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rack: every BMC on an address of its own, all in one thread."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import resource
import socket
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from .bmc import EmulatedBmc
from .spec import BmcSpec
from .tls import Authority, Identity, write_ca
from .wire import Connection

FIRST_ADDRESS = "127.77.0.11"
USERNAME = "vitro"
PASSWORD = "lab-password"
BACKLOG = 512


class RackError(Exception):
    """The rack cannot be started, and why."""


def addresses(first: str, count: int) -> list[str]:
    """Consecutive addresses without .0 and .255, which people read as networks and broadcasts."""
    try:
        number = int(ipaddress.IPv4Address(first))
    except ValueError as exc:
        raise RackError(f"Cannot put the rack at {first}: {exc}") from exc
    if not ipaddress.IPv4Address(first).is_loopback:
        raise RackError(f"Cannot put the rack at {first}: only loopback addresses (127.0.0.0/8) are allowed")
    found: list[str] = []
    while len(found) < count:
        if number & 0xFF not in (0, 0xFF):
            found.append(str(ipaddress.IPv4Address(number)))
        number += 1
    return found


def _listen(address: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen(BACKLOG)
    except OSError as exc:
        listener.close()
        hint = "another rack is probably up (python -m tests.lab.rack status), or choose another --port"
        raise RackError(f"Cannot listen on {address}:{port}: {exc.strerror}; {hint}") from exc
    listener.setblocking(False)
    return listener


def _raise_file_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Rack:
    """A context; `bmcs` answer until it ends. `port=0` lets the kernel choose one for each BMC."""

    def __init__(
        self,
        specs: Sequence[BmcSpec],
        *,
        port: int = 0,
        latency: float = 0.0,
        first_address: str = FIRST_ADDRESS,
        folder: Path | None = None,
        username: str = USERNAME,
        password: str = PASSWORD,
    ) -> None:
        self.username, self.password = username, password
        self._port = port
        self._folder = folder
        self._ending = contextlib.ExitStack()
        authority = self._authority = Authority()
        account = (username, password)
        places = addresses(first_address, len(specs))
        self.bmcs = [EmulatedBmc(spec, Identity(authority, place), account, latency) for spec, place in zip(specs, places, strict=True)]
        self.connections: set[Connection] = set()
        self.last_request = time.monotonic()

    @property
    def ca_path(self) -> Path:
        if self._folder is None:
            raise RackError("Cannot tell the CA's path: the rack is not up")
        return self._folder / "ca.pem"

    def __enter__(self) -> Rack:
        _raise_file_limit()
        try:
            if self._folder is None:
                self._folder = Path(self._ending.enter_context(tempfile.TemporaryDirectory(prefix="vitro-rack-")))
            write_ca(self._authority, self._folder)
            listeners = [self._ending.enter_context(_listen(bmc.address, self._port)) for bmc in self.bmcs]
        except BaseException:
            self._ending.close()
            raise
        for bmc, listener in zip(self.bmcs, listeners, strict=True):
            bmc.port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listeners, ready), name="rack", daemon=True)
        self._thread.start()
        ready.wait()
        if not self._thread.is_alive():
            raise RackError("Cannot start the rack: its thread ended; the reason is printed above")
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._ending.close()

    def touched(self) -> None:
        self.last_request = time.monotonic()

    def _run(self, listeners: list[socket.socket], ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(listeners, ready))
        finally:
            ready.set()

    async def _serve(self, listeners: list[socket.socket], ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        servers = []
        for bmc, listener in zip(self.bmcs, listeners, strict=True):
            servers.append(await self._open(bmc, listener))
        ready.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        for connection in list(self.connections):
            connection.drop()
        while self.connections:
            await asyncio.sleep(0)

    async def _open(self, bmc: EmulatedBmc, listener: socket.socket) -> asyncio.Server:
        def connection() -> Connection:
            return Connection(bmc, self)

        return await self._loop.create_server(connection, sock=listener, ssl=bmc.identity.context, backlog=BACKLOG)

    def warm(self) -> None:
        """Build every tree now, so that a benchmark does not measure that."""
        for bmc in self.bmcs:
            bmc.resources  # noqa: B018

    def reset(self) -> None:
        for bmc in self.bmcs:
            bmc.reset()
