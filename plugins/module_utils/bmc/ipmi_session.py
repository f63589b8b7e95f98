# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""IPMI sessions by pyghmi, each in a thread of its own.

pyghmi keeps all sessions in one set of module globals and lets any thread work on the packets of any session. Measured
with 1.6.19 in threads: a session fails by the fault of another, answers are overlooked until they are asked for again
(0.5 to 1 s), and a BMC that dies is noticed after 30 s. So each session here gets a copy of pyghmi's session module to
itself, with the one function replaced that waits: it looks at this session's socket only, and keeps to the time allowed.
"""

from __future__ import annotations

import asyncio
import importlib.util
import select
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .errors import BmcError, CredentialsRefused, IpmiFailed, TimedOut

T = TypeVar("T")

# The least privilege that may read the LAN settings (IPMI 2.0, appendix G). Naming it also keeps pyghmi from a second
# login with another privilege after a refusal, which would count against the account.
OPERATOR = 3
# How late a cancelled read may notice it.
SLICE_SECONDS = 0.1
# Longer ones cannot be right (IPMI 2.0, sections 13.20 and 22.30).
NAME_BYTES, PASSWORD_BYTES = 16, 20
# What pyghmi raises on packets that are shorter or other than it expects.
GARBLED = (IndexError, KeyError, TypeError, ValueError, struct.error)
# pyghmi tells the causes of a refused login by text only.
REFUSALS = ("Incorrect password", "Unauthorized name", "Unauthorized role", "Invalid role", "RAKP4")


@dataclass(frozen=True, kw_only=True)
class Login:
    address: str
    port: int
    username: str
    password: str = field(repr=False)

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


class Refused(IpmiFailed):
    """The BMC answered a command with an error."""

    def __init__(self, text: str, *, completion: int) -> None:
        super().__init__(text)
        self.completion = completion


class _Stopped(Exception):
    """The time is over, or nobody waits for the result any more."""


class _Limit:
    def __init__(self, timeout: float) -> None:
        self.deadline = time.monotonic() + timeout
        self.cancelled = threading.Event()

    def left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0 or self.cancelled.is_set():
            raise _Stopped
        return left


class Connection:
    def __init__(self, session: Any, login: Login, lost: type[Exception]) -> None:
        self._session, self._login, self._lost = session, login, lost

    def call(self, netfn: int, command: int, *data: int, least: int = 1) -> bytes:
        """Send a command and return the data of its answer, of which there must be that many bytes."""
        try:
            answer = self._session.raw_command(netfn=netfn, command=command, data=data)
        except (_Stopped, self._lost, *GARBLED) as exc:
            # where pyghmi gives a session up, it trips over its own record of that with a KeyError
            if isinstance(exc, _Stopped | self._lost) or not self._session.logged:
                raise TimedOut(f"Cannot read {self._login} by IPMI: it stopped answering") from exc
            _end_command(self._session)
            raise IpmiFailed(f"the answer to IPMI command {netfn:02x}h {command:02x}h is garbled") from exc
        if answer["code"] != 0:
            text = answer.get("error") or f"completion code {answer['code']:02x}h"
            raise Refused(f"IPMI command {netfn:02x}h {command:02x}h was refused: {text}", completion=answer["code"])
        if len(answer["data"]) < least:
            raise IpmiFailed(f"the answer to IPMI command {netfn:02x}h {command:02x}h is too short")
        return bytes(answer["data"])


async def with_session(login: Login, work: Callable[[Connection], T], *, timeout: float) -> T:
    """Log in once, do the work in a thread, log out. Cancelled, it returns at once and the thread soon after."""
    if len(login.username.encode()) > NAME_BYTES or len(login.password.encode()) > PASSWORD_BYTES:
        raise CredentialsRefused(
            f"Cannot log in to {login} as {login.username}: IPMI allows {NAME_BYTES} bytes of user name and {PASSWORD_BYTES} of password",
            cure="Give the BMC an account that keeps to this, or use Redfish",
        )
    limit = _Limit(timeout)
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vitro-ipmi")
    try:
        return await asyncio.wrap_future(executor.submit(_work, login, work, limit))
    finally:
        limit.cancelled.set()
        executor.shutdown(wait=False)


def _work(login: Login, work: Callable[[Connection], T], limit: _Limit) -> T:
    with _private_pyghmi(limit) as pyghmi:
        return work(_log_in(pyghmi, login))


def _log_in(pyghmi: Any, login: Login) -> Connection:
    try:
        session = pyghmi.Session(login.address, login.username, login.password, port=login.port, privlevel=OPERATOR)
    except _Stopped as exc:
        raise TimedOut(f"Cannot log in to {login} by IPMI: it did not finish the login") from exc
    except pyghmi.exc.IpmiException as exc:
        raise _login_error(login, str(exc)) from exc
    except GARBLED as exc:
        raise IpmiFailed(f"Cannot log in to {login} by IPMI: its answer is garbled") from exc
    return Connection(session, login, pyghmi.exc.IpmiException)


def _login_error(login: Login, text: str) -> BmcError:
    what = f"Cannot log in to {login} as {login.username} with the IPMI privilege Operator: {text}"
    if any(refusal in text for refusal in REFUSALS):
        return CredentialsRefused(what)
    if "Insufficient resources" in text:
        return IpmiFailed(what, cure="Close sessions that others left open on the BMC, or wait until they expire")
    if text in ("None", "timeout", "Session no longer connected"):
        return TimedOut(f"Cannot log in to {login} by IPMI: it stopped answering")
    return IpmiFailed(what)


@contextmanager
def _private_pyghmi(limit: _Limit) -> Iterator[Any]:
    """A copy of pyghmi's session module, whose sessions and sockets are closed at the end."""
    try:
        spec = importlib.util.find_spec("pyghmi.ipmi.private.session")
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.loader is None:
        raise IpmiFailed("Cannot use IPMI: the Python package pyghmi is not installed", cure="Install what requirements/runtime.txt lists")
    pyghmi: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pyghmi)

    def wait(timeout: float, *_: object) -> None:
        poller = select.poll()
        for socket in pyghmi.iosockets:
            poller.register(socket, select.POLLIN)
        poller.poll(1000 * max(0, min(timeout, limit.left(), SLICE_SECONDS)))
        pyghmi._io_graball(pyghmi.iosockets, {})  # noqa: SLF001

    pyghmi._io_wait = wait  # noqa: SLF001
    # pyghmi starts its thread for input and output only where there is none
    pyghmi.iothread = pyghmi.iothreadready = True
    try:
        yield pyghmi
    finally:
        for session in [session for sessions in pyghmi.Session.bmc_handlers.values() for session in sessions.values()]:
            _end_command(session)
            # without waiting for an answer
            session.logout(sessionok=False)
        for socket in pyghmi.iosockets:
            socket.close()


def _end_command(session: Any) -> None:
    """Leave a command that was broken off, which the next one would wait for."""
    session.incommand = False
    session.lastpayload = None
