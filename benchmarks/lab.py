# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulated rack in a process of its own, so that its work is no client's."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil

from tests.lab.rack import BmcSpec, Rack, lab_rack, recorded_rack

# Apart from the addresses of the demo and of the tests, which may be up at the same time.
FIRST_ADDRESS = "127.99.0.11"
PORT = 8443
SESSIONS = "/redfish/v1/SessionService/Sessions"


@dataclass(frozen=True, slots=True)
class Seen:
    """What one BMC saw of a client."""

    requests: int
    connections: int
    sessions_open: int
    # Path and query of each GET, in the order they came; a login and a logout are no GETs.
    gets: tuple[str, ...]


def _seen(bmc: Any) -> Seen:
    counters = bmc.counters
    gets = tuple(path for path in counters.paths if not path.startswith(SESSIONS))
    return Seen(counters.requests, counters.connections, counters.sessions_open, gets)


def _serve(specs: Callable[[], Sequence[BmcSpec]], folder: Path, pipe: Connection) -> None:
    with Rack(specs(), port=PORT, first_address=FIRST_ADDRESS, folder=folder) as rack:
        rack.warm()
        names = [bmc.spec.vendor for bmc in rack.bmcs]
        pipe.send({"username": rack.username, "password": rack.password, "addresses": [bmc.address for bmc in rack.bmcs], "names": names})
        while (order := pipe.recv()) is not None:
            if order == "seen":
                pipe.send([_seen(bmc) for bmc in rack.bmcs])
                continue
            # Not `rack.reset()`: that would also forget the trees and the answers made from them.
            for bmc in rack.bmcs:
                bmc.counters.reset()
                bmc.latency = order
            pipe.send(None)


class Lab:
    """A context; the rack answers until it ends."""

    def __init__(self, specs: Callable[[], Sequence[BmcSpec]], folder: Path) -> None:
        self.ca = folder / "ca.pem"
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(specs, folder, far), name="rack", daemon=True)
        self._process.start()
        far.close()
        started = self._pipe.recv()
        self.username: str = started["username"]
        self.password: str = started["password"]
        self.addresses: list[str] = started["addresses"]
        self.names: list[str] = started["names"]

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        # Ctrl-C reaches the rack as well, which may have ended before.
        with contextlib.suppress(BrokenPipeError):
            self._pipe.send(None)
        self._process.join()

    def begin(self, latency: float) -> float:
        """Count from zero, and answer each request after so many seconds; gives the CPU seconds that the rack has used so far."""
        self._pipe.send(latency)
        self._pipe.recv()
        return self.cpu()

    def cpu(self) -> float:
        times = psutil.Process(self._process.pid).cpu_times()
        return float(times.user + times.system)

    def seen(self) -> list[Seen]:
        self._pipe.send("seen")
        found: list[Seen] = self._pipe.recv()
        return found


def generated(count: int, folder: Path) -> Lab:
    """The lab's mix of families, repeated until there are `count` BMCs."""
    return Lab(partial(lab_rack, count), folder)


def recorded(trees: Path, folder: Path) -> Lab:
    """One BMC for each recorded tree."""
    return Lab(partial(recorded_rack, trees), folder)
