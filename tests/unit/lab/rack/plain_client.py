# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plain client, so that nothing of ours stands between the tests and the wire."""

from __future__ import annotations

import http.client
import json
import ssl
from dataclasses import dataclass
from typing import Any

from tests.lab.rack import EmulatedBmc, Rack

SESSIONS = "/redfish/v1/SessionService/Sessions"


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One kept-alive connection to one BMC."""

    def __init__(self, rack: Rack, bmc: EmulatedBmc, *, timeout: float = 5.0) -> None:
        self._rack = rack
        context = ssl.create_default_context(cafile=str(rack.ca_path))
        self.connection = http.client.HTTPSConnection(bmc.address, bmc.port, context=context, timeout=timeout)
        self.headers: dict[str, str] = {}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.connection.request(method, path, None if body is None else json.dumps(body), sent)
        response = self.connection.getresponse()
        return Answer(response.status, response.headers, response.read())

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def login(self, password: str = "") -> Answer:
        answer = self.ask("POST", SESSIONS, {"UserName": self._rack.username, "Password": password or self._rack.password})
        if answer.status == 201:
            self.headers = {"X-Auth-Token": answer.headers["X-Auth-Token"]}
        return answer

    def close(self) -> None:
        self.connection.close()
