# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the cluster's own ports with its own certificates. Standard library only: hosts need not have more Python."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .errors import Rke2Refused, Rke2Silent

# Every certificate of a server has this name. Addresses are not in all of them, and only the cluster's CA gives it.
SERVER_NAME: Final = "kubernetes"


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom to trust, and who asks. `name` is what the certificate of the other side must be for; without it, its address."""

    ca: Path
    certificate: Path
    key: Path
    name: str = ""

    def context(self) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(self.ca))
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as exc:
            raise Rke2Silent(f"Cannot use {self.certificate} and {self.ca}: {exc}") from None
        return context


class _Connection(http.client.HTTPSConnection):
    """Connects to an address and wants a certificate for another name."""

    def __init__(self, host: str, port: int, identity: Identity, timeout: float) -> None:
        self._tls, self._wanted = identity.context(), identity.name or host
        super().__init__(host, port, timeout=timeout, context=self._tls)

    def connect(self) -> None:
        plain = socket.create_connection((self.host, self.port), self.timeout)
        try:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self._wanted)
        except BaseException:
            plain.close()
            raise


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A port that is asked; each question has a connection of its own, as they are few."""

    host: str
    port: int
    identity: Identity
    timeout: float = 10.0
    headers: Mapping[str, str] | None = None

    def ask(self, method: str, path: str, body: object = None, kind: str = "application/json") -> tuple[int, bytes]:
        """The status and what was said."""
        connection = _Connection(self.host, self.port, self.identity, self.timeout)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, {"Accept": "application/json", "Content-Type": kind, **(self.headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as exc:
            raise Rke2Silent(f"{self.host}:{self.port} gives no answer to {method} {path}: {exc or type(exc).__name__}") from None
        finally:
            connection.close()

    def json(self, method: str, path: str, body: object = None, kind: str = "application/json") -> Any:
        status, said = self.ask(method, path, body, kind)
        if status >= http.client.BAD_REQUEST:
            raise Rke2Refused(f"{self.host}:{self.port} gave {status} to {method} {path}: {said.decode(errors='replace')[:300]}")
        try:
            return json.loads(said)
        except ValueError:
            raise Rke2Refused(f"{self.host}:{self.port} gave no JSON to {method} {path}") from None
