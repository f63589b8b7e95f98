# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults on demand: which there are, when one strikes, and what it does to an answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from .messages import Reply, Request, error_reply

Variant = Literal["", "short", "cut", "authority", "name", "expired", "null", "absent", "bare", "partial"]
VARIANTS: dict[str, tuple[Variant, ...]] = {
    "truncated": ("short", "cut"),
    "certificate": ("authority", "name", "expired"),
    "members": ("null", "absent"),
    "expand_hollow": ("bare", "partial"),
}
KINDS = {
    "busy": "503 with Retry-After",
    "throttle": "429 with Retry-After",
    "error": "500, or another `status`",
    "missing": "404 though something links there",
    "redirect": "302 to `location`",
    "session_lost": "401, and every open session is gone",
    "gzip_only": "406 unless the client accepts gzip",
    "expand_refused": "400, or another `status`, on $expand though advertised",
    "expand_hollow": "expanded members are links only (`bare`) or lose fields (`partial`)",
    "members": "collections whose Members are `null` or `absent`",
    "glued": "two JSON documents in one answer",
    "truncated": "half of the JSON: with a fitting Content-Length (`short`), or cut off (`cut`)",
    "html": "a login page instead of JSON",
    "reset": "connection reset in the middle of the answer",
    "silent": "the request is read and never answered",
    "trickle": "`rate` bytes per second",
    "close": "the connection is closed after every answer",
    "certificate": "a certificate of another `authority`, with another `name`, or `expired`",
}
DEFAULT_STATUS = {"busy": 503, "throttle": 429, "error": 500, "missing": 404, "redirect": 302, "expand_refused": 400}


class FaultRefused(ValueError):
    """A fault that does not exist."""


@dataclass(frozen=True)
class Fault:
    """When it strikes, and how.

    `path` limits it to paths that start so (`exact`: are so), `on_expand` to requests with $expand, as unlicensed iDRACs glue
    (check_redfish#151). It lets `after` such requests pass and strikes `count` times or for `seconds`.
    """

    kind: str
    path: str = ""
    exact: bool = False
    on_expand: bool = False
    after: int = 0
    count: int | None = None
    seconds: float | None = None
    variant: Variant = ""
    status: int = 0
    retry_after: int | None = 1
    rate: int = 64
    location: str = "https://192.0.2.1/redfish/v1/"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise FaultRefused(f"Cannot use the fault {self.kind!r}: there are {', '.join(sorted(KINDS))}")
        allowed = VARIANTS.get(self.kind, ())
        if self.variant and self.variant not in allowed:
            raise FaultRefused(f"Cannot use {self.variant!r} with the fault {self.kind!r}: it has {', '.join(allowed) or 'no variants'}")
        if not self.variant and allowed:
            object.__setattr__(self, "variant", allowed[0])
        if not self.status:
            object.__setattr__(self, "status", DEFAULT_STATUS.get(self.kind, 0))


@dataclass
class Armed:
    """A fault in force, with what it has seen so far."""

    fault: Fault
    since: float = field(default_factory=time.monotonic)
    seen: int = 0
    struck: int = 0

    def strikes(self, request: Request) -> bool:
        fault = self.fault
        here = request.path == fault.path if fault.exact else request.path.startswith(fault.path)
        on_expand = fault.on_expand or fault.kind.startswith("expand_")
        if not here or (on_expand and request.expand is None):
            return False
        self.seen += 1
        if self.seen <= fault.after or (fault.count is not None and self.struck >= fault.count):
            return False
        if fault.seconds is not None and time.monotonic() - self.since > fault.seconds:
            return False
        self.struck += 1
        return True


def instead(fault: Fault, request: Request) -> Reply | None:
    """The answer that a fault gives in place of the BMC's own; None leaves the BMC's."""
    if fault.kind in ("busy", "throttle"):
        headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
        return error_reply(fault.status, "Base.1.8.ServiceTemporarilyUnavailable", "The service is temporarily unavailable.", headers)
    if fault.kind == "error":
        return error_reply(fault.status, "Base.1.8.InternalError", "The request failed due to an internal service error.")
    if fault.kind == "missing":
        return error_reply(404, "Base.1.8.ResourceMissingAtURI", f"The resource at the URI {request.path} was not found.")
    if fault.kind == "redirect":
        return Reply(fault.status, b"", {"Location": fault.location})
    if fault.kind == "session_lost":
        return error_reply(401, "Base.1.8.NoValidSession", "There is no valid session established with the implementation.")
    if fault.kind == "expand_refused":
        return error_reply(fault.status, "Base.1.8.QueryNotSupported", "Querying is not supported by the implementation.")
    if fault.kind == "gzip_only" and "gzip" not in request.headers.get("accept-encoding", ""):
        return error_reply(406, "Base.1.8.HeaderInvalid", "Only the content encoding gzip is served.")
    return None


def _members(fault: Fault, reply: Reply) -> Reply:
    document = reply.json()
    if "Members" not in document:
        return reply
    if fault.variant == "null":
        document["Members"] = None
    else:
        del document["Members"]
    return reply.with_json(document)


def _hollow(fault: Fault, reply: Reply) -> Reply:
    """`partial` keeps the identity but drops what a reader came for, as AMI-based trays do (nv-redfish#118)."""
    keep = ("@odata.id",) if fault.variant == "bare" else ("@odata.id", "@odata.type", "Name")
    document = reply.json()
    for key, value in document.items():
        if isinstance(value, list):
            document[key] = [{k: m[k] for k in keep if k in m} if isinstance(m, dict) and "@odata.id" in m else m for m in value]
    return reply.with_json(document)


def _truncated(fault: Fault, reply: Reply) -> Reply:
    half = reply.body[: max(1, len(reply.body) // 2)]
    return reply.changed(body=half) if fault.variant == "short" else reply.changed(delivery="cut")


def _html(fault: Fault, reply: Reply) -> Reply:
    page = b"<!DOCTYPE html><html><head><title>Login</title></head><body>Please log in.</body></html>"
    return reply.changed(body=page, content_type="text/html")


AFTERWARDS: dict[str, Callable[[Fault, Reply], Reply]] = {
    "gzip_only": lambda fault, reply: reply.gzipped(),
    "members": _members,
    "expand_hollow": _hollow,
    "glued": lambda fault, reply: reply.changed(body=reply.body + json.dumps({"error": {}}).encode()),
    "truncated": _truncated,
    "html": _html,
    "reset": lambda fault, reply: reply.changed(delivery="reset"),
    "silent": lambda fault, reply: reply.changed(delivery="silent"),
    "trickle": lambda fault, reply: reply.changed(delivery="trickle", rate=fault.rate),
    "close": lambda fault, reply: reply.changed(close=True),
}


def afterwards(fault: Fault, reply: Reply) -> Reply:
    """What a fault makes of the BMC's own answer."""
    change = AFTERWARDS.get(fault.kind)
    json_only = fault.kind in ("members", "expand_hollow", "glued", "truncated", "html")
    if change is None or (json_only and not reply.is_document):
        return reply
    return change(fault, reply)
