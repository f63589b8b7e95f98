# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One HTTP request and one answer, as values."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import unquote

Delivery = Literal["plain", "cut", "reset", "silent", "trickle"]
REASONS = {status.value: status.phrase for status in HTTPStatus}
# The rack's own paths, beside Redfish.
CONTROL = "/_rack/"
JSON_TYPE = "application/json;charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """`path` has neither query nor trailing slash; `target` is what the client sent."""

    method: str
    target: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def expand(self) -> str | None:
        """The value of $expand, if asked for."""
        for part in unquote(self.query).split("&") if self.query else ():
            name, _, value = part.partition("=")
            if name == "$expand":
                return value
        return None


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = JSON_TYPE
    delivery: Delivery = "plain"
    rate: int = 0
    close: bool = False
    ready: bytes | None = None

    @property
    def is_document(self) -> bool:
        return self.status == HTTPStatus.OK and bool(self.body) and self.content_type == JSON_TYPE

    def json(self) -> Any:
        return json.loads(self.body)

    def changed(self, **fields: Any) -> Reply:
        return replace(self, ready=None, **fields)

    def with_json(self, document: Any) -> Reply:
        return self.changed(body=dump(document))

    def gzipped(self) -> Reply:
        return self.changed(body=gzip.compress(self.body, 1), headers={**self.headers, "Content-Encoding": "gzip"}) if self.body else self

    def encode(self, *, head_only: bool = False) -> bytes:
        """The bytes on the wire; answers that are served again and again carry them in `ready`."""
        if self.ready is not None and not head_only:
            return self.ready
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Unknown')}", "OData-Version: 4.0", "Cache-Control: no-cache"]
        if self.body:
            lines.append(f"Content-Type: {self.content_type}")
        if self.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
            lines.append(f"Content-Length: {len(self.body)}")
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        if self.close:
            lines.append("Connection: close")
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        return head if head_only else head + self.body


def dump(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def json_reply(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    return Reply(status, dump(document), headers or {})


def error_reply(status: int, message_id: str, text: str, headers: dict[str, str] | None = None) -> Reply:
    """A Redfish error body (DSP0266, error responses)."""
    info = {
        "@odata.type": "#Message.v1_1_1.Message",
        "MessageId": message_id,
        "Message": text,
        "Severity": "Critical",
        "Resolution": "None.",
    }
    body = {"error": {"code": "Base.1.8.GeneralError", "message": text, "@Message.ExtendedInfo": [info]}}
    return json_reply(body, status, headers)
