# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves the guests of a compute host away, a few at a time, and goes on when one cannot be moved.

It keeps nothing of its own: what Nova says is all there is to know, so a run that was killed is gone on with by the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from .client import Cloud
from .compute import read_departed, read_guest, read_guests
from .errors import CloudRequest
from .guests import Guest, way_of

POLL_SECONDS: Final = 2.0
# Nova writes why an action failed a moment after the guest is idle again.
REASON_SECONDS: Final = 15.0

# Of a guest that has left; Nova writes the end of its migration a moment later.
UNSETTLED: Final = ("VERIFY_RESIZE", "RESIZE", "MIGRATING")

# Somebody else began something with the guest between our looking and our asking: Nova says 409, or 500 (UnexpectedTaskStateError).
MEANWHILE: Final = (409, 500, 503)
TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """`stopped` and `local_disks` as the options of the module say; `timeout` is for all guests together."""

    stopped: str = "migrate"
    local_disks: str = "copy"
    parallel: int = 2
    timeout: float = 3600


@dataclass(slots=True)
class Drain:
    cloud: Cloud
    host: str
    rules: Rules
    report: Callable[[str], None]
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    # Guests that were here, by id; those that are elsewhere now; those that stay, and why; what was begun, and when it was seen idle.
    seen: dict[str, Guest] = field(default_factory=dict)
    moved: dict[str, Guest] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    begun: dict[str, str] = field(default_factory=dict)
    idle: dict[str, float] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)
    said: str = ""

    def run(self) -> None:
        end = self.clock() + self.rules.timeout
        while True:
            confirming = self._confirm()
            here = {one.id: one for one in read_guests(self.cloud, self.host)}
            self.seen |= here
            arriving = self._arrivals({*here, *confirming})
            ready, waiting = self._sorted(here)
            waiting += arriving
            room = max(0, self.rules.parallel - len(waiting) - len(confirming))
            for guest in ready[:room]:
                self._begin(guest)
            self._tell(len(ready) + len(waiting) + len(confirming), [*waiting, *ready[:room]])
            if not ready and not waiting and not confirming:
                return
            if self.clock() > end:
                self._give_up([*ready, *waiting, *confirming.values()])
                return
            self.pause(POLL_SECONDS)

    def _confirm(self) -> dict[str, Guest]:
        """Cold migrations wait for a word; resizes wait for their owner's, and keep a place here until then."""
        confirming = {}
        for guest, kind in read_departed(self.cloud, self.host):
            self.seen[guest.id] = guest
            if kind != "migration":
                self.left.setdefault(guest.id, "it has left, but a resize of its owner waits to be confirmed or reverted")
                continue
            confirming[guest.id] = guest
            if not guest.task:
                try:
                    self.cloud.send("POST", "compute", f"/servers/{guest.id}/action", {"confirmResize": None})
                except CloudRequest as exc:
                    self.left[guest.id] = f"its migration cannot be confirmed: {exc.text}"
                    del confirming[guest.id]
        return confirming

    def _arrivals(self, away_not_yet: set[str]) -> list[Guest]:
        """Who has left the host; those that are not settled elsewhere yet are given back."""
        arriving = []
        for guest in [one for key, one in self.seen.items() if key not in away_not_yet | {*self.moved, *self.left}]:
            now = read_guest(self.cloud, guest.id)
            if now is None:
                # Its owner deleted it meanwhile: there is nothing to move any more.
                self.moved[guest.id] = guest
            elif now.status == "ERROR":
                self.left[guest.id] = f"it is on {now.host or 'no host'} now, and in ERROR ({now.fault or 'Nova does not say why'})"
            elif now.task or now.status in UNSETTLED or now.host == self.host:
                arriving.append(now)
            else:
                self.moved[guest.id] = now
        return arriving

    def _sorted(self, here: dict[str, Guest]) -> tuple[list[Guest], list[Guest]]:
        """Guests that can be begun with, and guests that Nova is at work on. All others get a reason."""
        ready, waiting = [], []
        for guest in (one for one in here.values() if one.id not in self.left):
            way, why = way_of(guest, stopped=self.rules.stopped)
            if way == "wait":
                waiting.append(guest)
            elif guest.id in self.begun:
                self.idle.setdefault(guest.id, self.clock())
                reason = self._reason(guest)
                if reason or self.clock() - self.idle[guest.id] > REASON_SECONDS:
                    self.left[guest.id] = f"it was not moved: {reason or 'Nova does not say why'}"
                else:
                    waiting.append(guest)
            elif way == "no":
                self.left[guest.id] = why
            else:
                ready.append(guest)
        return sorted(ready, key=lambda one: one.name), waiting

    def _begin(self, guest: Guest) -> None:
        way, _ = way_of(guest, stopped=self.rules.stopped)
        block: Any = "auto" if self.rules.local_disks == "copy" else False
        action = {"os-migrateLive": {"host": None, "block_migration": block}} if way == "live" else {"migrate": None}
        try:
            self.begun[guest.id] = self.cloud.send("POST", "compute", f"/servers/{guest.id}/action", action)[1]
        except CloudRequest as exc:
            self.tries[guest.id] = self.tries.get(guest.id, 0) + 1
            if exc.status not in MEANWHILE or self.tries[guest.id] >= TRIES:
                self.left[guest.id] = f"Nova does not begin to move it: {exc.text}"

    def _reason(self, guest: Guest) -> str:
        """Why the request that we made failed, in Nova's words."""
        path = f"/servers/{guest.id}/os-instance-actions/{self.begun[guest.id]}"
        answer = self.cloud.send("GET", "compute", path, missing_ok=True)[0]
        action = answer["instanceAction"] if answer else {}
        events = [one for one in action.get("events") or () if one.get("result") == "Error"]
        told = [str(one.get("details") or "").strip() for one in events]
        if any(told):
            return next(one for one in told if one).splitlines()[0]
        return f"{events[0]['event']} failed" if events else "Nova calls it an error" if action.get("message") == "Error" else ""

    def _tell(self, going: int, moving: list[Guest]) -> None:
        names = ", ".join(one.name for one in moving[:5])
        stay = f", {len(self.left)} cannot be moved" if self.left else ""
        line = f"{self.host}: {going} of {len(self.seen)} guests left to move{f' (now: {names})' if names and going else ''}{stay}"
        if line != self.said:
            self.report(line)
            self.said = line

    def _give_up(self, guests: list[Guest]) -> None:
        for guest in guests:
            self.left.setdefault(guest.id, f"it is still {guest.task or guest.status} after {self.rules.timeout:.0f} s")
