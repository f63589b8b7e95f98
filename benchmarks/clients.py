# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The clients side by side: how each is started, and what one run of it on the rack showed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks import playbooks
from benchmarks.job import Job
from benchmarks.lab import PORT, Lab, Seen
from benchmarks.measure import Cost, environment, measured, middle

FORKS = 64


@dataclass(frozen=True, slots=True)
class Result:
    """One client at one point; several runs are merged into one result by the median of each number."""

    cost: Cost
    seen: list[Seen]
    found: dict[str, int]
    # Cores that were busy with neither client nor rack.
    others: float
    runs: int = 1

    @property
    def requests(self) -> int:
        return sum(bmc.requests for bmc in self.seen)

    @property
    def connections(self) -> int:
        return sum(bmc.connections for bmc in self.seen)

    @property
    def most_connections(self) -> int:
        return max(bmc.connections for bmc in self.seen)

    @property
    def sessions_left(self) -> int:
        return sum(bmc.sessions_open for bmc in self.seen)

    @property
    def cpu_per_1000(self) -> float:
        return self.cost.cpu / self.requests * 1000


def median(results: Sequence[Result]) -> Result:
    """Counts do not vary between runs, but if they did, the worst run is the one to show."""
    worst = max(results, key=lambda one: (one.sessions_left, one.most_connections, one.requests))
    return replace(worst, cost=middle([one.cost for one in results]), others=max(one.others for one in results), runs=len(results))


@dataclass(frozen=True, slots=True)
class Client:
    name: str
    command: Callable[[Job, Path], list[str]]
    found: Callable[[Path], dict[str, int]]
    environment: Callable[[], dict[str, str]] = environment
    # ansible-playbook ends with 2 where a host failed; the table then says how many did not.
    accepted: tuple[int, ...] = (0,)
    output: str = field(default="output.txt")

    def run(self, lab: Lab, latency_ms: int, folder: Path, gets: list[list[str]] | None = None) -> Result:
        place = folder / self.name
        place.mkdir(parents=True, exist_ok=True)
        job = Job(addresses=lab.addresses, port=PORT, ca=str(lab.ca), username=lab.username, password=lab.password, gets=gets or [])
        command = self.command(job, place)
        before = lab.begin(latency_ms / 1000)
        cost = measured(command, place / self.output, self.environment(), accepted=self.accepted)
        others = (cost.busy - cost.cpu - (lab.cpu() - before)) / cost.wall
        return Result(cost, lab.seen(), self.found(place / self.output), others)


def _python(module: str) -> Callable[[Job, Path], list[str]]:
    def command(job: Job, folder: Path) -> list[str]:
        job.write(folder / "job.json")
        return [sys.executable, "-m", f"benchmarks.{module}", str(folder / "job.json")]

    return command


def _said(output: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads(output.read_text())
    return found


def _redfish_info(job: Job, folder: Path) -> list[str]:
    return playbooks.command(playbooks.redfish_info(job), job, folder)


def _redfish_info_environment() -> dict[str, str]:
    return playbooks.environment_of_ansible(forks=FORKS)


def _bmc_info(job: Job, folder: Path) -> list[str]:
    dest = folder / "hardware.json"
    dest.unlink(missing_ok=True)
    return playbooks.command(playbooks.bmc_info(job, dest), job, folder)


def _in_document(output: Path) -> dict[str, int]:
    return {"servers": len(json.loads((output.parent / "hardware.json").read_text())["servers"])}


OURS = Client("ours", _python("ours"), _said)
YARDSTICK = Client("yardstick", _python("yardstick"), _said)
BMC_INFO = Client("bmc_info", _bmc_info, _in_document, playbooks.environment_of_ansible)
SUSHY = Client("sushy", _python("sushy_client"), _said)
REDFISH_INFO = Client("redfish_info", _redfish_info, playbooks.recap, _redfish_info_environment, accepted=(0, 2))
PEERS = (SUSHY, REDFISH_INFO)
