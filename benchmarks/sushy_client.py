# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Client: sushy, one thread for each BMC that is read at once.

It takes the shortest way that the library has: chassis and managers by the system's links, storage expanded. There is nothing in
it for memory modules. The session is deleted at the end.
"""

from __future__ import annotations

import collections
import concurrent.futures
import logging
from collections.abc import Callable, Iterable
from typing import Any

import sushy
import sushy.auth
import sushy.exceptions

from benchmarks.job import Job, given, say


def read(job: Job, address: str) -> collections.Counter[str]:
    found: collections.Counter[str] = collections.Counter()

    def part(name: str, things: Callable[[], Iterable[Any]]) -> list[Any]:
        """What is there; sushy raises where a link is missing, and the rest is still wanted."""
        try:
            read = list(things())
        except sushy.exceptions.SushyError:
            found["parts that failed"] += 1
            return []
        found[name] += len(read)
        return read

    auth = sushy.auth.SessionOrBasicAuth(job.username, job.password)
    root = sushy.Sushy(f"https://{address}:{job.port}", auth=auth, verify=job.ca)
    for system in part("servers", lambda: root.get_system_collection().get_members()):
        part("processors", lambda: system.processors.get_members())
        part("host NICs", lambda: system.ethernet_interfaces.get_members())
        for unit in part("storage units", lambda: system.storage_expanded.get_members()):
            if part("drives", lambda: unit.drives) and "Volumes" in unit.json:
                part("volumes", lambda: unit.volumes.get_members())
        for chassis in part("chassis", lambda: system.chassis):
            if "NetworkAdapters" in chassis.json:
                for adapter in part("adapters", lambda: chassis.network_adapters.get_members()):
                    ports = "ports" if "Ports" in adapter.json else "network_ports"
                    part("adapter ports", lambda: getattr(adapter, ports).get_members())
        for manager in part("managers", lambda: system.managers):
            part("BMC NICs", lambda: manager.ethernet_interfaces.get_members())
    auth.close()
    return found


def main() -> None:
    job = given()
    logging.disable()
    with concurrent.futures.ThreadPoolExecutor(job.concurrency) as threads:
        found = sum(threads.map(lambda address: read(job, address), job.addresses), collections.Counter())
    say(found)


if __name__ == "__main__":
    main()
