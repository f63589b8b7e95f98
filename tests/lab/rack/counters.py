# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a BMC has seen."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

REMEMBERED_PATHS = 5000


@dataclass
class Counters:
    """Only the rack's own thread writes; anyone may read."""

    requests: int = 0
    connections: int = 0
    open_connections: int = 0
    peak_connections: int = 0
    in_flight: int = 0
    peak_in_flight: int = 0
    sessions_created: int = 0
    sessions_deleted: int = 0
    sessions_open: int = 0
    failed_logins: int = 0
    by_method: Counter[str] = field(default_factory=Counter)
    paths: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED_PATHS))

    def connected(self) -> None:
        self.connections += 1
        self.open_connections += 1
        self.peak_connections = max(self.peak_connections, self.open_connections)

    def disconnected(self) -> None:
        self.open_connections -= 1

    def started(self, method: str, target: str) -> None:
        self.requests += 1
        self.by_method[method] += 1
        self.paths.append(target)
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)

    def finished(self) -> None:
        self.in_flight -= 1

    def reset(self) -> None:
        """Forget what was counted; what is open stays open."""
        self.requests = self.connections = self.sessions_created = self.sessions_deleted = self.failed_logins = 0
        self.peak_connections, self.peak_in_flight = self.open_connections, self.in_flight
        self.by_method.clear()
        self.paths.clear()

    def as_dict(self) -> dict[str, Any]:
        plain = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        return {**plain, "by_method": dict(self.by_method), "paths": list(self.paths)}
