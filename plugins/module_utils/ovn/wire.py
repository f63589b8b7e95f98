# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation with a daemon of OVN or Open vSwitch on its own socket (RFC 7047: JSON-RPC without framing).

`ovs-appctl`, `ovn-nbctl` and `ovsdb-client` are a process for each question. The daemons' sockets are on the host also when Kolla runs them
in containers, so here no process is needed, and nothing is asked by way of a container's engine.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .errors import OvnRefused, OvnSilent

CHUNK: Final = 1 << 16
LONGEST: Final = 400


@dataclass
class Wire:
    """An open conversation."""

    path: str
    link: socket.socket
    timeout: float
    _held: bytes = b""
    _number: int = 0

    def call(self, method: str, params: Sequence[Any]) -> Any:
        """What the daemon answers."""
        self._number += 1
        until = time.monotonic() + self.timeout
        self._send({"method": method, "params": list(params), "id": self._number})
        while True:
            said = self._receive(until)
            if said.get("method") == "echo":
                self._send({"result": said["params"], "error": None, "id": said["id"]})
            elif said.get("id") == self._number:
                if said.get("error") is not None:
                    raise OvnRefused(f"{self.path} refused `{method}`: {_words(said['error'])}")
                return said["result"]

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self.link.sendall(json.dumps(message).encode())
        except OSError as exc:
            raise OvnSilent(f"Cannot write to {self.path}: {exc.strerror or exc}") from None

    def _receive(self, until: float) -> dict[str, Any]:
        # A whole message ends with a brace; to decode after each piece of a large one would take long.
        while (found := self._decoded() if self._held.endswith(b"}") else None) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise OvnSilent(f"{self.path} gave no answer within {self.timeout:g} s")
            self.link.settimeout(left)
            try:
                piece = self.link.recv(CHUNK)
            except TimeoutError:
                continue
            except OSError as exc:
                raise OvnSilent(f"Cannot read from {self.path}: {exc.strerror or exc}") from None
            if not piece:
                raise OvnSilent(f"{self.path} hung up")
            self._held += piece
        return found

    def _decoded(self) -> dict[str, Any] | None:
        """The first message, if it is whole; what follows it is kept."""
        text = self._held.decode()
        try:
            found, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return None
        self._held = text[end:].lstrip().encode()
        said: dict[str, Any] = found
        return said


@contextlib.contextmanager
def opened(path: str, timeout: float = 30) -> Iterator[Wire]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(timeout)
        try:
            link.connect(path)
        except OSError as exc:
            raise OvnSilent(f"Cannot talk to {path}: {exc.strerror or exc}") from None
        yield Wire(path, link, timeout)


def control(path: str, command: str, *arguments: str, timeout: float = 30) -> str:
    """What `ovs-appctl -t PATH COMMAND` would print."""
    with opened(path, timeout) as wire:
        return str(wire.call(command, arguments))


def _words(error: object) -> str:
    if isinstance(error, dict):
        error = ": ".join(str(error[key]) for key in ("error", "details") if error.get(key))
    return str(error).strip()[:LONGEST]
