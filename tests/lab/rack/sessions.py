# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is logged in to a BMC."""

from __future__ import annotations

import base64
import json
import secrets
import time
from dataclasses import dataclass

from .counters import Counters
from .messages import Reply, Request, error_reply, json_reply
from .spec import BmcSpec, Json

COLLECTION = "/redfish/v1/SessionService/Sessions"
# What each family says when no session is free; the others answer as iLO does.
LIMIT_STATUS = {"dell": 400, "supermicro": 400}


@dataclass
class Session:
    id: str
    username: str
    used: float


class Sessions:
    """Sessions, basic authentication and the lock that follows too many failures."""

    def __init__(self, spec: BmcSpec, counters: Counters, username: str, password: str) -> None:
        self._spec = spec
        self._counters = counters
        self._account = (username, password)
        self._basic = "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()
        self._live: dict[str, Session] = {}
        self._failures = 0

    def admits(self, request: Request) -> bool:
        """A wrong password counts as a failed login each time; a dead token does not."""
        token = request.headers.get("x-auth-token")
        if token is not None:
            return self._alive(token)
        given = request.headers.get("authorization")
        if given is None:
            return False
        if given == self._basic and not self._locked:
            return True
        self._fail()
        return False

    def _alive(self, token: str) -> bool:
        session = self._live.get(token)
        now = time.monotonic()
        if session is None or now - session.used > self._spec.session_timeout:
            return False
        session.used = now
        return True

    @property
    def _locked(self) -> bool:
        return 0 < self._spec.lockout <= self._failures

    def _fail(self) -> None:
        self._failures += 1
        self._counters.failed_logins += 1

    def login(self, request: Request) -> Reply:
        try:
            given = json.loads(request.body)
            account = (given["UserName"], given["Password"])
        except (ValueError, KeyError, TypeError):
            return error_reply(400, "Base.1.8.PropertyMissing", "UserName and Password are required properties.")
        if account != self._account or self._locked:
            self._fail()
            return error_reply(401, "Base.1.8.ResourceAtUriUnauthorized", "The user name or the password is not valid.")
        self._expire()
        if len(self._live) >= self._spec.session_limit:
            status = LIMIT_STATUS.get(self._spec.family, 503)
            return error_reply(status, "Base.1.8.SessionLimitExceeded", "The session establishment failed due to too many open sessions.")
        self._failures = 0
        return self._open(account[0])

    def _open(self, username: str) -> Reply:
        token = secrets.token_hex(16)
        session = Session(secrets.token_hex(6), username, time.monotonic())
        self._live[token] = session
        self._counters.sessions_created += 1
        self._counters.sessions_open = len(self._live)
        return json_reply(self._document(session), 201, {"X-Auth-Token": token, "Location": f"{COLLECTION}/{session.id}"})

    def logout(self, path: str) -> Reply:
        token = next((t for t, s in self._live.items() if path == f"{COLLECTION}/{s.id}"), None)
        if token is None:
            return error_reply(404, "Base.1.8.ResourceMissingAtURI", f"The resource at the URI {path} was not found.")
        del self._live[token]
        self._counters.sessions_deleted += 1
        self._counters.sessions_open = len(self._live)
        return Reply(204, b"")

    def read(self, path: str) -> Reply:
        found = next((s for s in self._live.values() if path == f"{COLLECTION}/{s.id}"), None)
        if found is None:
            return error_reply(404, "Base.1.8.ResourceMissingAtURI", f"The resource at the URI {path} was not found.")
        return json_reply(self._document(found))

    def collection(self) -> Reply:
        members = [{"@odata.id": f"{COLLECTION}/{session.id}"} for session in self._live.values()]
        kind = "#SessionCollection.SessionCollection"
        document = {"@odata.id": COLLECTION, "@odata.type": kind, "Name": "Session Collection", "Members": members}
        return json_reply({**document, "Members@odata.count": len(members)})

    def drop_all(self) -> None:
        """As after a restart of the BMC: nobody is logged in and nothing is locked."""
        self._live.clear()
        self._failures = 0
        self._counters.sessions_open = 0

    def _expire(self) -> None:
        oldest = time.monotonic() - self._spec.session_timeout
        self._live = {token: session for token, session in self._live.items() if session.used >= oldest}
        self._counters.sessions_open = len(self._live)

    @staticmethod
    def _document(session: Session) -> Json:
        path = f"{COLLECTION}/{session.id}"
        kind = "#Session.v1_3_0.Session"
        return {"@odata.id": path, "@odata.type": kind, "Id": session.id, "Name": "User Session", "UserName": session.username}
