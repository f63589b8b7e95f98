# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder through which a rack in the background is found, asked and stopped."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .rack import Rack, RackError

START_SECONDS = 60
STOP_SECONDS = 10
CHECKOUT = Path(__file__).resolve().parents[3]


def _started(pid: int) -> int | None:
    """When a process began, in clock ticks since the kernel did (proc(5), stat field 22); None if it has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(fields[18])


@dataclass(frozen=True)
class State:
    folder: Path

    @property
    def ca(self) -> Path:
        return self.folder / "ca.pem"

    @property
    def log(self) -> Path:
        return self.folder / "rack.log"

    @property
    def _pid_file(self) -> Path:
        return self.folder / "pid"

    @property
    def _bmcs_file(self) -> Path:
        return self.folder / "bmcs.json"

    def running(self) -> int | None:
        """The pid of our rack; a number that the kernel has since given to somebody else is not ours."""
        try:
            pid, since = (int(word) for word in self._pid_file.read_text().split())
        except (OSError, ValueError):
            return None
        return pid if _started(pid) == since else None

    def bmcs(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self._bmcs_file.read_text())["bmcs"]
        return found

    def account(self) -> tuple[str, str]:
        document = json.loads(self._bmcs_file.read_text())
        return document["username"], document["password"]

    def announce(self, rack: Rack) -> None:
        """Written last, in one step: whoever sees bmcs.json finds everything in it listening."""
        bmcs = [
            {
                "address": bmc.address,
                "port": bmc.port,
                "vendor": bmc.spec.vendor,
                "family": bmc.spec.family,
                "serial": bmc.serial,
                "fingerprint": bmc.fingerprint,
            }
            for bmc in rack.bmcs
        ]
        document = {"username": rack.username, "password": rack.password, "ca": str(rack.ca_path), "bmcs": bmcs}
        self._pid_file.write_text(f"{os.getpid()} {_started(os.getpid())}\n")
        fresh = self._bmcs_file.with_suffix(".new")
        fresh.write_text(json.dumps(document, indent=1) + "\n")
        fresh.rename(self._bmcs_file)

    def forget(self) -> None:
        for path in (self._bmcs_file, self._pid_file):
            path.unlink(missing_ok=True)

    def start(self, arguments: list[str]) -> None:
        """Start `serve` in the background and wait until it listens."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.forget()
        command = [sys.executable, "-m", "tests.lab.rack", "serve", "--state", str(self.folder), *arguments]
        with self.log.open("wb") as log:
            child = subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + START_SECONDS
        while not self._bmcs_file.exists():
            if child.poll() is not None:
                raise RackError(self.log.read_text().strip() or f"Cannot start the rack: it ended with {child.returncode}")
            if time.monotonic() > deadline:
                child.terminate()
                raise RackError(f"Cannot start the rack: it does not listen after {START_SECONDS} s; see {self.log}")
            time.sleep(0.05)

    def stop(self) -> bool:
        """True if there was something to stop."""
        pid = self.running()
        if pid is None:
            self.forget()
            return False
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while self.running() == pid:
            if time.monotonic() > deadline:
                raise RackError(f"Cannot stop the rack: process {pid} still runs after {STOP_SECONDS} s; see {self.log}")
            time.sleep(0.05)
        self.forget()
        return True

    def counters(self) -> list[dict[str, Any]]:
        context = ssl.create_default_context(cafile=str(self.ca))
        found = []
        for bmc in self.bmcs():
            url = f"https://{bmc['address']}:{bmc['port']}/_rack/counters"
            with urllib.request.urlopen(url, context=context, timeout=10) as answer:
                found.append({**bmc, **json.load(answer)})
        return found
