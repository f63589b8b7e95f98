# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One emulated BMC: what it answers, and the handles that a test turns."""

from __future__ import annotations

import json
from collections.abc import Iterable

from .counters import Counters
from .expand import ExpandRefused
from .faults import Armed, Fault, afterwards, instead
from .generate import build, expected
from .messages import CONTROL, Reply, Request, error_reply, json_reply
from .recorded import expected_of, switched, without_dimm, without_drive
from .sessions import COLLECTION, Sessions
from .shelf import ROOT, Shelf
from .spec import BmcSpec, Json, Power, ServerSpec, SpecRefused
from .tls import Identity

OPEN_PATHS = ("/redfish", ROOT)
SWITCHES: dict[str, Power] = {
    **dict.fromkeys(("On", "ForceOn", "ForceRestart", "GracefulRestart", "PowerCycle"), "on"),
    **dict.fromkeys(("ForceOff", "GracefulShutdown"), "off"),
}


def power_after(reset: str, power: Power) -> Power:
    if reset == "PushPowerButton":
        return "off" if power == "on" else "on"
    return SWITCHES.get(reset, power)


class EmulatedBmc:
    """`faults`, `power` and `latency` take effect at once, from any thread."""

    def __init__(self, spec: BmcSpec, identity: Identity, account: tuple[str, str], latency: float) -> None:
        self.spec = spec
        self.identity = identity
        self.address = identity.address
        self.port = 0
        self.counters = Counters()
        self.latency = self._first_latency = latency if spec.latency is None else spec.latency
        self._sessions = Sessions(spec, self.counters, *account)
        self._restore()

    def _restore(self) -> None:
        self._servers = list(self.spec.servers)
        self._recording = self.spec.recording
        self._power: list[Power] = [self.spec.power] * max(1, len(self._servers))
        self.faults = self.spec.faults
        self._stock()

    def _stock(self) -> None:
        self._stocked: Shelf | None = None

    @property
    def _shelf(self) -> Shelf:
        """Built when first asked for: a thousand BMCs are up at once, and few tests visit them all."""
        if self._stocked is None:
            tree = switched(self._recording, self._power[0]) if self._recording else build(self._servers, self._power)
            self._stocked = Shelf(tree, page_size=self.spec.page_size)
        return self._stocked

    @property
    def fingerprint(self) -> str:
        return self.identity.fingerprint

    @property
    def serial(self) -> str | None:
        if self._servers:
            return self._servers[0].serial
        servers = self.expected.get("servers") or [{}]
        serial: str | None = servers[0].get("serial")
        return serial

    @property
    def servers(self) -> tuple[ServerSpec, ...]:
        """What is in the server now; `spec.servers` is what it began with."""
        return tuple(self._servers)

    @property
    def expected(self) -> Json:
        """What a correct reader reports at this moment."""
        if self._recording:
            return expected_of(self._recording, self._power[0])
        return expected(self._servers, self._power)

    @property
    def paths(self) -> list[str]:
        return list(self.counters.paths)

    @property
    def resources(self) -> list[str]:
        return self._shelf.paths

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(armed.fault for armed in self._armed)

    @faults.setter
    def faults(self, faults: Iterable[Fault]) -> None:
        self._armed = [Armed(fault) for fault in faults]
        wrong = [armed.fault.variant for armed in self._armed if armed.fault.kind == "certificate"]
        self.identity.present(wrong[0] if wrong else "")

    @property
    def power(self) -> Power:
        return "on" if "on" in self._power else "off"

    @power.setter
    def power(self, power: Power) -> None:
        if power not in ("on", "off"):
            raise SpecRefused(f"Cannot switch the power to {power!r}: it is on or off")
        self._power = [power] * len(self._power)
        self._stock()

    def remove_drive(self, index: int, *, server: int = 0) -> None:
        if self._recording:
            self._recording = without_drive(self._recording, index)
        else:
            self._servers[server] = self._servers[server].without_disk(index)
        self._stock()

    def remove_dimm(self, index: int, *, server: int = 0) -> None:
        if self._recording:
            self._recording = without_dimm(self._recording, index)
        else:
            self._servers[server] = self._servers[server].without_dimm(index)
        self._stock()

    def reset(self) -> None:
        """As it was at the start: hardware, power, faults, latency, sessions and counters."""
        self.latency = self._first_latency
        self._restore()
        self._sessions.drop_all()
        self.counters.reset()

    def delay(self, path: str) -> float:
        slow = self.spec.slow
        extra = max((seconds for prefix, seconds in slow.items() if path.startswith(prefix)), default=0.0) if slow else 0.0
        return self.latency + extra

    def answer(self, request: Request) -> Reply:
        if request.path.startswith(CONTROL):
            return self._control(request)
        if not self._armed:
            return self._serve(request)
        striking = [armed.fault for armed in self._armed if armed.strikes(request)]
        if any(fault.kind == "session_lost" for fault in striking):
            self._sessions.drop_all()
        reply = next((given for fault in striking if (given := instead(fault, request))), None) or self._serve(request)
        for fault in striking:
            reply = afterwards(fault, reply)
        return reply

    def _serve(self, request: Request) -> Reply:
        path, method = request.path, request.method
        if path == COLLECTION and method == "POST":
            return self._sessions.login(request)
        if path not in OPEN_PATHS and not self._sessions.admits(request):
            return error_reply(401, "Base.1.8.NoValidSession", "There is no valid session established with the implementation.")
        if path in self._shelf.reset_targets:
            return self._switch(request)
        if path.startswith(COLLECTION + "/") and method == "DELETE":
            return self._sessions.logout(path)
        if method not in ("GET", "HEAD"):
            return self._wrong_method(path)
        return self._read(request)

    def _read(self, request: Request) -> Reply:
        path = request.path
        if path == "/redfish":
            return json_reply({"v1": "/redfish/v1/"})
        if path == COLLECTION:
            return self._sessions.collection()
        if path.startswith(COLLECTION + "/"):
            return self._sessions.read(path)
        try:
            reply = self._shelf.reply(request, ignore_unsupported=self.spec.unsupported_expand == "ignore")
        except ExpandRefused as exc:
            return error_reply(400, "Base.1.8.QueryParameterOutOfRange", f"{exc}.")
        if reply.status == 200 and request.headers.get("if-none-match") == reply.headers["ETag"]:
            return Reply(304, b"", reply.headers)
        return reply

    def _wrong_method(self, path: str) -> Reply:
        if path not in self._shelf and not path.startswith(COLLECTION) and path not in OPEN_PATHS:
            return error_reply(404, "Base.1.8.ResourceMissingAtURI", f"The resource at the URI {path} was not found.")
        allowed = "GET, HEAD"
        if path == COLLECTION:
            allowed += ", POST"
        elif path.startswith(COLLECTION):
            allowed += ", DELETE"
        return error_reply(405, "Base.1.8.OperationNotAllowed", "The HTTP method is not allowed on this resource.", {"Allow": allowed})

    def _switch(self, request: Request) -> Reply:
        """ComputerSystem.Reset."""
        if request.method != "POST":
            return error_reply(405, "Base.1.8.OperationNotAllowed", "The HTTP method is not allowed on this resource.", {"Allow": "POST"})
        number, allowed = self._shelf.reset_targets[request.path]
        try:
            wanted = json.loads(request.body)["ResetType"]
        except (ValueError, KeyError, TypeError):
            return error_reply(400, "Base.1.8.ActionParameterMissing", "The action requires the parameter ResetType.")
        if allowed and wanted not in allowed:
            return error_reply(400, "Base.1.8.ActionParameterNotSupported", f"ResetType {wanted} is not one of {', '.join(allowed)}.")
        # A recording has one switch for all that is in it.
        number = min(number, len(self._power) - 1)
        self._power[number] = power_after(wanted, self._power[number])
        self._stock()
        return Reply(204, b"")

    def _control(self, request: Request) -> Reply:
        """The rack's own handles, for clients in another process; not part of Redfish, not counted, no login."""
        what, method = request.path.removeprefix(CONTROL), request.method
        try:
            if what == "counters" and method == "GET":
                return json_reply(self.counters.as_dict())
            if what == "reset" and method == "POST":
                self.reset()
            elif what == "faults" and method == "PUT":
                self.faults = [Fault(**given) for given in json.loads(request.body)]
            elif what == "power" and method == "PUT":
                self.power = json.loads(request.body)
            else:
                return error_reply(404, "Rack.NoSuchHandle", "There are GET counters, POST reset, PUT faults and PUT power.")
        except (ValueError, TypeError) as exc:
            return error_reply(400, "Rack.Refused", str(exc))
        return Reply(204, b"")
