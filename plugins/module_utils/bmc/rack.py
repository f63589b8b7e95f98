# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many BMCs at once: a bounded number of them, each on its own, so that one that fails stops no other."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from .client import Client, Limits, connect
from .errors import BmcError, Busy, NoServer, NotRedfish, RequestFailed, TimedOut, Unexpected, Unreachable
from .hardware import Hardware, Note, Reading, Server, Unread
from .ipmi_server import read_ipmi_server
from .server import servers
from .targets import Target, check_credentials
from .tls import check_tls
from .tree import BmcTree
from .walk import walk

T = TypeVar("T")
HTTPS = 443


@dataclasses.dataclass(frozen=True, slots=True)
class Progress:
    done: int
    total: int
    seconds: float
    target: str
    result: str

    def __str__(self) -> str:
        return f"{self.done}/{self.total} BMCs, {self.seconds:.1f} s: {self.target} {self.result}"


async def read_rack(targets: Sequence[Target], limits: Limits, progress: Callable[[Progress], None]) -> Hardware:
    """One record per server behind the targets, and one line for each target that gave none."""
    check_credentials(targets)
    check_tls((target.ca_path, target.fingerprint) for target in targets)
    gate = asyncio.Semaphore(limits.concurrency)
    start = time.monotonic()
    done = 0

    async def one(target: Target) -> list[Server] | Unread | None:
        nonlocal done
        async with gate:
            result = await _read_or_say_why(target, limits)
        done += 1
        progress(Progress(done, len(targets), time.monotonic() - start, str(target), _outcome(result)))
        return result

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(target)) for target in targets]
    results = [task.result() for task in tasks]
    found = [server for result in results if isinstance(result, list) for server in result]
    unread = [result for result in results if isinstance(result, Unread)]
    return Hardware(servers=tuple(_distinct(found)), unread=tuple(unread))


async def _read_or_say_why(target: Target, limits: Limits) -> list[Server] | Unread | None:
    try:
        return await read_bmc(target, limits)
    except BmcError as exc:
        if target.searched and isinstance(exc, Unreachable | NotRedfish):
            return None
        failed = exc
    except Exception as exc:  # noqa: BLE001 - whatever nonsense one BMC sends, it must not cost the reading of the others
        failed = Unexpected(f"Cannot make sense of {target}: {type(exc).__name__}: {exc}")
    return Unread(address=target.address, port=target.port, code=failed.code, text=failed.text, cure=failed.cure)


async def read_bmc(target: Target, limits: Limits) -> list[Server]:
    """The servers behind one BMC, by Redfish; by IPMI where there is no Redfish."""
    if target.protocol == "ipmi":
        return [await read_ipmi_server(target, limits.timeout)]
    try:
        return await _read_redfish(target, limits)
    except (Unreachable, NotRedfish) as exc:
        if target.protocol == "redfish":
            raise
        try:
            return [await read_ipmi_server(target, limits.timeout)]
        except Unreachable:
            raise exc from None


async def _read_redfish(target: Target, limits: Limits) -> list[Server]:
    start = time.monotonic()
    at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    async with connect(target, limits) as client:
        tree = BmcTree(client.root)
        failed = await _walk(client, tree, limits.deadline)
    if failed:
        failed.text += "".join(f"; {note.text}" for note in client.notes)
        raise failed
    tree.notes += [*(client.session.notes if client.session else ()), *client.notes]
    reading = Reading(at=at, requests=client.requests, seconds=round(time.monotonic() - start, 3))
    found = servers(tree, target, reading)
    if not found:
        raise _no_server(target, tree.notes)
    return found


async def _walk(client: Client, tree: BmcTree, deadline: float) -> BmcError | None:
    """Fill the tree; what ended it early comes back, to be raised when the session is gone."""
    try:
        async with asyncio.timeout(deadline):
            await client.open()
            tree.root = client.root
            await walk(client, tree)
    except RequestFailed as exc:
        return RequestFailed(f"Cannot list the servers behind {client.target}: {exc.text}", status=exc.status)
    except Unreachable as exc:
        return Busy(exc.text) if client.root else exc
    except BmcError as exc:
        return exc
    except TimeoutError:
        if not tree.servers:
            cure = "Raise `deadline`, or reset the BMC if it stays slow"
            return TimedOut(f"Cannot read {client.target}: it was not done within {deadline:g} s", cure=cure)
        tree.notes.append(Note(code="deadline", text=f"reading stopped after {deadline:g} s: what is missing was not read"))
    return None


def _no_server(target: Target, notes: list[Note]) -> BmcError:
    unread = [note.text for note in notes if note.code == "unread"]
    if unread:
        return RequestFailed(f"Cannot find a server behind {target}: {unread[0]}")
    return NoServer(f"Cannot find a server behind {target}: its Systems are none, or cards inside one")


def _distinct(found: list[Server]) -> list[Server]:
    """Two BMCs that claim one server are told apart by their addresses."""
    claims = Counter(server.id for server in found)
    return [_renamed(server) if claims[server.id] > 1 else server for server in found]


def _renamed(server: Server) -> Server:
    note = Note(code="serial_shared", text=f"{server.id} is also the identity of a server behind another BMC")
    place = server.bmc.address if server.bmc.port == HTTPS else f"{server.bmc.address}:{server.bmc.port}"
    return dataclasses.replace(server, id=f"{server.id}@{place}", warnings=(*server.warnings, note))


def _outcome(result: list[Server] | Unread | None) -> str:
    if result is None:
        return "no BMC"
    if isinstance(result, Unread):
        return f"not read ({result.code})"
    return ", ".join(f"{server.system.model or server.system.vendor or 'server'} {server.id}" for server in result)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end. On Ctrl-C and on termination sessions are deleted before the process goes."""
    received: list[int] = []

    async def guarded() -> T:
        task = asyncio.current_task()
        if task is None:
            raise AssertionError("a coroutine runs in a task")

        def stop(number: int) -> None:
            received.append(number)
            task.cancel()

        # Set here and not left to asyncio: a process that was started in the background ignores SIGINT from birth.
        for number in handlers:
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
        return await work

    main_thread = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)} if main_thread else {}
    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        if signal.SIGTERM in received:
            raise SystemExit(128 + signal.SIGTERM) from None
        raise KeyboardInterrupt from None
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
