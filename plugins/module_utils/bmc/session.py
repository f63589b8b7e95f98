# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One session per BMC: made once, always deleted; basic authentication where there is no session to be had."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from .errors import BmcError, CredentialsRefused, RequestFailed
from .hardware import Note
from .payload import Resource, dig, link_path

if TYPE_CHECKING:
    from .answer import Answer
    from .targets import Target

LOGOUT_TRIES = 3
LOGOUT_SECONDS = 10


class Send(Protocol):
    async def __call__(self, method: str, path: str, *, payload: Resource | None = None) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Session:
    """How requests prove who asks; `path` is there when the BMC keeps a session that has to be deleted."""

    headers: Mapping[str, str] = field(repr=False)
    path: str | None = None
    # Whether every request carries the password.
    basic: bool = False
    notes: tuple[Note, ...] = ()


def basic(target: Target, *notes: Note) -> Session:
    token = base64.b64encode(f"{target.username}:{target.password}".encode()).decode()
    return Session({"Authorization": f"Basic {token}"}, basic=True, notes=notes)


async def log_in(send: Send, root: Resource, target: Target) -> Session:
    """Try the credentials once. What is no refusal of them leads to basic authentication, never to a second try."""
    sessions = link_path(dig(root, "Links", "Sessions"))
    if not sessions:
        return basic(target)
    try:
        answer = await send("POST", sessions, payload={"UserName": target.username, "Password": target.password})
    except RequestFailed as exc:
        return basic(target, Note(code="no_session", text=f"no session could be made, basic authentication was used: {exc.text}"))
    token = answer.headers.get("X-Auth-Token")
    if answer.status in (200, 201, 202) and token:
        path = _session_path(answer)
        hidden = Note(code="session_left", text="the BMC did not say where its session is, so it could not be deleted; the BMC will end it")
        return Session({"X-Auth-Token": token}, path=path, notes=() if path else (hidden,))
    if answer.status in (401, 403) or (answer.status == 400 and not _says_limit(answer)):
        raise CredentialsRefused(f"Cannot log in to {target} as {target.username}: POST {sessions} gave {answer.status}")
    if answer.status in (404, 405, 501):
        return basic(target)
    return basic(
        target,
        Note(code="no_session", text=f"no session could be made, basic authentication was used: POST {sessions} gave {answer.status}"),
    )


async def log_out(send: Send, session: Session) -> bool:
    """Delete the session, and say whether that is done; deleting twice harms nothing, so this is tried again where it fails."""
    if session.path is None:
        raise AssertionError("only a session that was made can be deleted")
    try:
        async with asyncio.timeout(LOGOUT_SECONDS):
            for attempt in range(LOGOUT_TRIES):
                try:
                    answer = await send("DELETE", session.path)
                except BmcError:
                    pass
                else:
                    if answer.status < 400 or answer.status in (401, 404):
                        return True
                await asyncio.sleep(0.25 * 2**attempt)
    except TimeoutError:
        pass
    return False


def _session_path(answer: Answer) -> str | None:
    location = answer.headers.get("Location")
    if location:
        return urlsplit(location).path.rstrip("/")
    try:
        return link_path(answer.json())
    except ValueError:
        return None


def _says_limit(answer: Answer) -> bool:
    """Whether a 400 means too many sessions; iLO also answers 400 to a wrong password."""
    said: Any = answer.body.lower()
    return b"limit" in said or b"maximum" in said
