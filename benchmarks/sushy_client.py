# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Client: sushy, one thread for each BMC that is read at once.

It takes the shortest way that the library has: chassis and managers by the system's links, storage expanded. There is nothing in
it for memory modules. The session is deleted at the end.
"""

from __future__ import annotations

import concurrent.futures
import logging
from collections import Counter
from typing import Any

import sushy
import sushy.auth

from benchmarks.job import Job, given, say


def read(job: Job, address: str) -> Counter[str]:
    auth = sushy.auth.SessionOrBasicAuth(job.username, job.password)
    root = sushy.Sushy(f"https://{address}:{job.port}", auth=auth, verify=job.ca)
    found: Counter[str] = Counter()
    for system in root.get_system_collection().get_members():
        found["servers"] += 1
        found["processors"] += len(system.processors.get_members())
        found["host NICs"] += len(system.ethernet_interfaces.get_members())
        found.update(_storage(system))
        for chassis in system.chassis:
            found["adapter ports"] += _ports(chassis)
        for manager in system.managers:
            found["BMC NICs"] += len(manager.ethernet_interfaces.get_members())
    auth.close()
    return found


def _storage(system: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for unit in system.storage_expanded.get_members():
        found["drives"] += len(unit.drives)
        if unit.drives and "Volumes" in unit.json:
            found["volumes"] += len(unit.volumes.get_members())
    return found


def _ports(chassis: Any) -> int:
    if "NetworkAdapters" not in chassis.json:
        return 0
    adapters = chassis.network_adapters.get_members()
    return sum(len((one.ports if "Ports" in one.json else one.network_ports).get_members()) for one in adapters)


def main() -> None:
    job = given()
    logging.disable()
    found: Counter[str] = Counter()
    with concurrent.futures.ThreadPoolExecutor(job.concurrency) as threads:
        for one in threads.map(lambda address: read(job, address), job.addresses):
            found.update(one)
    say(found)


if __name__ == "__main__":
    main()
