# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m tests.lab.rack up | down | serve | status"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from pathlib import Path

from .catalogue import lab_rack
from .rack import FIRST_ADDRESS, Rack, RackError
from .recorded import recorded_rack
from .spec import BmcSpec, SpecRefused
from .specfile import read_specs
from .state import CHECKOUT, State

DEFAULT_COUNT = 8
LARGEST = 1000
SHOWN = ("requests", "connections", "peak_connections", "peak_in_flight", "sessions_created", "sessions_open", "failed_logins")


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.rack", description="An emulated rack of BMCs on loopback.")
    parser.add_argument("verb", choices=("up", "down", "serve", "status"))
    parser.add_argument("--state", type=Path, default=CHECKOUT / "build" / "rack", help="folder for pid, log, CA and list of BMCs")
    parser.add_argument("--count", type=int, help=f"how many BMCs (default {DEFAULT_COUNT}, or one for each recorded tree)")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--spec", type=Path, help="rack description, JSON or YAML")
    source.add_argument("--recorded", type=Path, help="folder of recorded trees: <tree>/tree.json")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="delay of every answer")
    parser.add_argument("--idle-exit", type=float, default=3600.0, help="seconds without a request after which it ends; 0 never")
    parser.add_argument("--port", type=int, default=8443)
    parser.add_argument("--first-address", default=FIRST_ADDRESS)
    options = parser.parse_args(arguments)
    if options.count is not None and not 1 <= options.count <= LARGEST:
        parser.error(f"--count {options.count} is not between 1 and {LARGEST}")
    if options.spec and options.count is not None:
        parser.error("--count does not go with --spec: give each entry its own `count`")
    options.state = options.state.resolve()
    return options


def specs_of(options: argparse.Namespace) -> list[BmcSpec]:
    if options.spec:
        return read_specs(options.spec)
    if options.recorded:
        return recorded_rack(options.recorded, options.count)
    return lab_rack(options.count or DEFAULT_COUNT)


def up(options: argparse.Namespace) -> None:
    state = State(options.state)
    if state.running() is None:
        state.start(_for_serve(options))
        done = "The rack is up"
    else:
        done = "The rack was up already, as it was started then"
    bmcs, (username, password) = state.bmcs(), state.account()
    first, last = bmcs[0], bmcs[-1]
    print(f"{done}: {len(bmcs)} BMCs at https://{first['address']}:{first['port']} to {last['address']}:{last['port']}.")
    print(f"Account: {username} / {password}   CA: {state.ca}   list: {state.folder / 'bmcs.json'}")
    print(f"Try:     curl --cacert {state.ca} -u {username}:{password} https://{first['address']}:{first['port']}/redfish/v1/Systems")
    print(f"Watch:   python -m tests.lab.rack status --state {state.folder}   log: {state.log}")
    print(f"Stop:    python -m tests.lab.rack down --state {state.folder}   (it ends by itself when nobody asks it anything)")


def _for_serve(options: argparse.Namespace) -> list[str]:
    given = {
        "--count": options.count,
        "--spec": options.spec and options.spec.resolve(),
        "--recorded": options.recorded and options.recorded.resolve(),
        "--latency-ms": options.latency_ms,
        "--idle-exit": options.idle_exit,
        "--port": options.port,
        "--first-address": options.first_address,
    }
    return [word for name, value in given.items() if value is not None for word in (name, str(value))]


def down(options: argparse.Namespace) -> None:
    stopped = State(options.state).stop()
    print("The rack is down." if stopped else f"No rack is up from {options.state}.")


def serve(options: argparse.Namespace) -> None:
    options.state.mkdir(parents=True, exist_ok=True)
    state = State(options.state)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    rack = Rack(
        specs_of(options), port=options.port, latency=options.latency_ms / 1000, first_address=options.first_address, folder=options.state
    )
    with rack:
        state.announce(rack)
        print(f"{len(rack.bmcs)} BMCs from {rack.bmcs[0].address}:{rack.bmcs[0].port}", flush=True)
        while not ended.wait(1.0):
            if 0 < options.idle_exit < time.monotonic() - rack.last_request:
                print(f"No request for {options.idle_exit:g} s: ending", flush=True)
                break
    state.forget()


def status(options: argparse.Namespace) -> None:
    state = State(options.state)
    if state.running() is None:
        raise RackError(f"No rack is up from {options.state}. Start it with: python -m tests.lab.rack up")
    rows = [("address", "vendor", "serial", *SHOWN)]
    rows += [
        (f"{bmc['address']}:{bmc['port']}", bmc["vendor"], bmc["serial"] or "-", *(str(bmc[name]) for name in SHOWN))
        for bmc in state.counters()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def main(arguments: list[str] | None = None) -> int:
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        {"up": up, "down": down, "serve": serve, "status": status}[options.verb](options)
    except (RackError, SpecRefused, OSError) as exc:
        print(exc, file=sys.stderr)
        return 1
    return 0
