# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP towards one BMC: few connections kept alive, one session, bounded time, careful retries."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import yarl

from .answer import Answer, looks_like, message, seconds
from .errors import (
    BmcError,
    Busy,
    CredentialsRefused,
    NotRedfish,
    RedirectRefused,
    RequestFailed,
    SessionLost,
    TimedOut,
    TlsRefused,
    Unreachable,
)
from .hardware import Note
from .payload import Resource
from .session import Session, log_in, log_out
from .targets import Target
from .tls import tls

CONNECTIONS = 4
CONNECT_SECONDS = 5
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 30.0
# Errors that seldom pass; they are not waited for as long as a BMC that says it is busy.
SERVER_ERRORS = (500, 502, 504)
MOST_RETRIES_OF_ERRORS = 2
MOST_BYTES = 32 * 1024**2
ROOT = "/redfish/v1/"
# After one of these the BMC is left alone: going on could lock the account or talk to somebody else.
FATAL = (CredentialsRefused, SessionLost, TlsRefused)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    # Seconds for one request, and for everything on one BMC.
    timeout: float = 30
    deadline: float = 300
    # Pauses double from a quarter of a second: six of them wait for about twenty seconds.
    retries: int = 6
    # BMCs read at once.
    concurrency: int = 64
    keep_alive: bool = True


@contextlib.asynccontextmanager
async def connect(target: Target, limits: Limits) -> AsyncIterator[Client]:
    """A client whose session, once it is open, is gone afterwards, whatever happens in between."""
    connector = aiohttp.TCPConnector(
        limit=CONNECTIONS,
        ssl=tls(validate=target.validate_certs, ca_path=target.ca_path, fingerprint=target.fingerprint),
        force_close=not limits.keep_alive,
    )
    timeout = aiohttp.ClientTimeout(total=limits.timeout, sock_connect=min(CONNECT_SECONDS, limits.timeout / 2))
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as http:
        client = Client(http, target, limits)
        try:
            yield client
        finally:
            await finished(asyncio.ensure_future(client.close()))


async def finished(task: asyncio.Future[Any]) -> None:
    """Wait for the end of a task, also when cancelled meanwhile; the cancellation comes out afterwards."""
    cancelled = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as exc:
            cancelled = exc
    if cancelled:
        raise cancelled


class Client:
    def __init__(self, http: aiohttp.ClientSession, target: Target, limits: Limits) -> None:
        self.target = target
        self.requests = 0
        self.root: Resource = {}
        self.session: Session | None = None
        self.notes: list[Note] = []
        self._http = http
        self._limits = limits
        self._base = f"https://{target}"
        self._slots = asyncio.Semaphore(CONNECTIONS)
        self._encoding = "identity"

    async def open(self) -> None:
        try:
            self.root = await self.get(ROOT)
        except RequestFailed as exc:
            # What may pass is said of a BMC that is there; only an answer of another kind says that there is none.
            kind = Busy if exc.again_after is not None else NotRedfish
            raise kind(f"Cannot read {self.target}: {exc.text}") from exc
        if "Systems" not in self.root and "RedfishVersion" not in self.root:
            raise NotRedfish(f"Cannot read {self.target}: GET {ROOT} gave JSON that is no Redfish service root")
        # A session that the BMC has made must be known here, or nobody could delete it: login is never abandoned half-way.
        login = asyncio.ensure_future(log_in(self.send, self.root, self.target))
        try:
            await finished(login)
        finally:
            if login.done() and not login.cancelled() and not login.exception():
                self.session = login.result()
        try:
            login.result()
        except Unreachable as exc:
            raise Busy(f"Cannot log in to {self.target}: {exc.text}") from exc

    async def close(self) -> None:
        if self.session and self.session.path and not await log_out(self.send, self.session):
            self.notes.append(Note(code="session_left", text=f"the session {self.session.path} could not be deleted; the BMC will end it"))

    async def get(self, path: str) -> Resource:
        """Read one resource; failures that may pass are tried again."""
        for attempt in range(self._limits.retries + 1):
            try:
                return self._payload(path, await self.send("GET", path))
            except RequestFailed as exc:
                seldom = exc.status in SERVER_ERRORS and attempt == MOST_RETRIES_OF_ERRORS
                if exc.again_after is None or seldom or attempt == self._limits.retries:
                    raise
                pause = max(exc.again_after, FIRST_PAUSE * 2**attempt)
            except Unreachable:
                # A BMC that has answered before is starting again; one that has not is not there.
                if not self.root or attempt == self._limits.retries:
                    raise
                pause = FIRST_PAUSE * 2**attempt
            # Jitter, so that a rack of BMCs behind one busy switch is not asked again all at once.
            await asyncio.sleep(min(pause, LONGEST_PAUSE) * random.uniform(0.75, 1.5))  # noqa: S311
        raise AssertionError("the last attempt returns or raises")

    async def send(self, method: str, path: str, *, payload: Resource | None = None) -> Answer:
        """One request on one of the few connections; redirects stay on the BMC."""
        for _hop in range(4):
            async with self._slots:
                answer = await self._exchange(method, path, payload)
            if answer.status == 406 and self._encoding == "identity":
                self._encoding = "gzip"
            elif answer.status in (301, 302, 307, 308):
                path = self._redirected(method, path, answer)
            else:
                return answer
        raise RequestFailed(f"{method} {path} was redirected in a circle")

    async def _exchange(self, method: str, path: str, payload: Resource | None) -> Answer:
        headers = {"Accept": "application/json", "Accept-Encoding": self._encoding, "OData-Version": "4.0"}
        if self.session and path != ROOT:
            headers |= self.session.headers
        self.requests += 1
        # `$expand=.($levels=1)` is sent as it is: some services do not decode an encoded query.
        url = yarl.URL(self._base + path, encoded=True)
        try:
            async with self._http.request(method, url, headers=headers, json=payload, allow_redirects=False) as response:
                if (response.content_length or 0) > MOST_BYTES:
                    raise RequestFailed(f"{method} {path} would give {response.content_length:,} bytes")
                return Answer(response.status, response.headers, await response.read())
        except aiohttp.ClientConnectorCertificateError as exc:
            raise TlsRefused(f"Cannot trust {self.target}: {exc.certificate_error}") from exc
        except aiohttp.ClientConnectorSSLError as exc:
            raise TlsRefused(f"Cannot agree on TLS with {self.target}: {exc.os_error}") from exc
        except aiohttp.ServerFingerprintMismatch as exc:
            raise TlsRefused(
                f"Cannot trust {self.target}: its certificate's fingerprint is {exc.got.hex(':')}, not the pinned one"
            ) from exc
        except (aiohttp.ConnectionTimeoutError, aiohttp.ClientConnectorError) as exc:
            reason = "no answer" if isinstance(exc, aiohttp.ConnectionTimeoutError) else _reason(exc.os_error)
            raise Unreachable(f"Cannot connect to {self.target}: {reason}") from exc
        except TimeoutError as exc:
            raise TimedOut(f"Cannot read {self.target}: {method} {path} gave nothing whole within {self._limits.timeout:g} s") from exc
        except (aiohttp.ClientError, OSError) as exc:
            raise RequestFailed(f"{method} {path} broke off: {type(exc).__name__}", again_after=0.0) from exc

    def _payload(self, path: str, answer: Answer) -> Resource:
        if answer.status == 200:
            try:
                return answer.json()
            except ValueError as exc:
                raise RequestFailed(f"GET {path} gave {looks_like(answer)} instead of one JSON object", status=200) from exc
        if answer.status == 401:
            raise self._refused(path)
        passing = answer.status in (429, 503) or (answer.status in SERVER_ERRORS and "?$expand" not in path)
        again = seconds(answer.headers.get("Retry-After")) if passing else None
        raise RequestFailed(f"GET {path} gave {answer.status}{message(answer)}", status=answer.status, again_after=again)

    def _refused(self, path: str) -> BmcError:
        if self.session and self.session.path:
            return SessionLost(f"Cannot go on reading {self.target}: GET {path} gave 401 after the login had succeeded")
        return CredentialsRefused(f"Cannot log in to {self.target} as {self.target.username}: GET {path} gave 401")

    def _redirected(self, method: str, path: str, answer: Answer) -> str:
        location = answer.headers.get("Location", "")
        try:
            goal = yarl.URL(self._base + path, encoded=True).join(yarl.URL(location, encoded=True))
        except ValueError as exc:
            raise RedirectRefused(f"Cannot follow {self.target}: {method} {path} redirects to no address: {location[:60]}") from exc
        if f"{goal.scheme}://{goal.host}:{goal.port}" != f"https://{self.target.address}:{self.target.port}":
            raise RedirectRefused(f"Cannot follow {self.target}: {method} {path} redirects to {goal.scheme}://{goal.host}:{goal.port}")
        return goal.raw_path_qs


def _reason(error: OSError) -> str:
    """The system's words for it; asyncio puts its own in their place."""
    if error.errno and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error)
