# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts and stops ipmi_sim processes: one BMC each, on an address of the loopback network."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .config import Settings, write_files

PACKAGES = {"ipmi_sim": "openipmi", "ipmitool": "ipmitool"}
# ASF presence ping, DSP0136 section 3.2.4.2: the cheapest question every BMC answers
PING = bytes.fromhex("0600ff06000011be80000000")


@dataclass(frozen=True, kw_only=True)
class LabBmc:
    address: str
    port: int
    process: subprocess.Popen[bytes]
    directory: Path
    settings: Settings

    def set_power(self, state: str) -> None:
        (self.directory / "power").write_text("1\n" if state == "on" else "0\n")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def missing_packages(*programs: str) -> str:
    """What to tell a user whose machine cannot run this lab; empty if it can."""
    missing = [PACKAGES[program] for program in programs or tuple(PACKAGES) if shutil.which(program) is None]
    return f"needs the Debian package(s) {' '.join(missing)}: apt-get install {' '.join(missing)}" if missing else ""


def free_port(address: str) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


def start(settings: Settings, directory: Path, *, port: int = 0) -> LabBmc:
    address = f"127.6.23.{settings.number}"
    port = port or free_port(address)
    directory.mkdir(parents=True)
    write_files(settings, directory, address, port)
    command = ["ipmi_sim", "-n", "-p", "-s", str(directory), "-c", str(directory / "config"), "-f", str(directory / "commands")]
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    (directory / "pid").write_text(f"{process.pid}\n")
    return LabBmc(address=address, port=port, process=process, directory=directory, settings=settings)


def wait_until_up(bmc: LabBmc, *, timeout: float = 15) -> None:
    deadline = time.monotonic() + timeout
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.settimeout(0.05)
        probe.connect((bmc.address, bmc.port))
        while time.monotonic() < deadline:
            try:
                probe.send(PING)
                probe.recv(64)
                return
            except ConnectionRefusedError:
                time.sleep(0.02)
            except TimeoutError:
                pass
    # with -n the first bad line of the command file ends ipmi_sim's reading of it in silence
    raise RuntimeError(f"ipmi_sim did not answer at {bmc.address}:{bmc.port}; run it without -n and look for '**' ({bmc.directory})")


def stop_by_pid(directory: Path) -> None:
    """End the BMC that an earlier process started in this directory, if its process id is still the BMC's."""
    pid = int((directory / "pid").read_text())
    try:
        if str(directory).encode() not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return
        os.kill(pid, signal.SIGTERM)
    except (FileNotFoundError, ProcessLookupError):
        return


@contextmanager
def ipmi_bmcs(settings: int | Sequence[Settings] = 1) -> Iterator[tuple[LabBmc, ...]]:
    """Run that many BMCs, or one for each of the settings, while the block lasts."""
    wanted = [Settings(number=n) for n in range(1, settings + 1)] if isinstance(settings, int) else list(settings)
    with TemporaryDirectory(prefix="vitro-ipmi-") as folder:
        bmcs: list[LabBmc] = []
        try:
            bmcs.extend(start(each, Path(folder) / f"bmc{each.number}") for each in wanted)
            for bmc in bmcs:
                wait_until_up(bmc)
            yield tuple(bmcs)
        finally:
            for bmc in bmcs:
                bmc.stop()
