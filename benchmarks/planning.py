# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.planning SERVERS SEED: plans a site once, and prints what that took as JSON."""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

from tests.unit.plugins.module_utils.plan.racks import boot_disks, disks, hardware, intent, server

# Up to here it is also tried what one more server moves.
FEW = 100
NETWORKS = {
    "management": {"cidr": "10.0.0.0/16", "gateway": "10.0.0.1", "ranges": ["10.0.1.0-10.0.200.0"]},
    "api": {"cidr": "10.1.0.0/16", "vlan": 11},
    "tunnel": {"cidr": "10.2.0.0/16", "vlan": 12, "mtu": 9000},
    "storage": {"cidr": "10.3.0.0/16", "vlan": 13, "mtu": 9000},
    "cluster": {"cidr": "10.4.0.0/16", "vlan": 14, "mtu": 9000},
    "external": {"vlan": 15},
}


def planned(servers: int, seed: int, previous: Plan | None = None) -> tuple[Plan, float]:
    """A plan, and how long it took."""
    found = [server(n, rack=f"R{n // 20:03d}", unit=n % 20 + 1, disks=(*boot_disks(n), *disks(n, 8))) for n in range(servers)]
    random.Random(seed).shuffle(found)
    rack, wish = hardware(found), intent(networks=NETWORKS)
    start = time.process_time()
    plan = plan_site(rack, wish, previous)
    return plan, time.process_time() - start


def result_of(servers: int, seed: int) -> dict[str, Any]:
    plan, seconds = planned(servers, seed)
    start = time.process_time()
    text = DOCUMENT.to_text(plan)
    result = {"cpu": seconds, "text": time.process_time() - start, "sha": hashlib.sha256(text.encode()).hexdigest(), "bytes": len(text)}
    result["objections"] = [one.text for one in plan.objections]
    if servers <= FEW:
        result["moved"] = moved(plan, planned(servers + 1, seed, plan)[0])
    return result


def moved(before: Plan, after: Plan) -> int:
    """Servers of the first plan of which anything is another in the second, and monitors that are."""
    new = {one.id: one for one in after.servers}
    return sum(new[one.id] != one for one in before.servers) + len(set(before.ceph.monitors) ^ set(after.ceph.monitors))


if __name__ == "__main__":
    print(json.dumps(result_of(*map(int, sys.argv[1:]))))
