# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the suites over the emulated rack share: reading a rack, and comparing a record with what the rack is made of."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.client import Limits
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Hardware, Server
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.rack import read_rack, run
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.targets import Target
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.vendors import canonical_name

from tests.lab.rack import EmulatedBmc, Rack

RECORDED = Path(__file__).parents[4] / "shared" / "redfish"
QUICK = Limits(timeout=3, deadline=20, retries=2)
# Where a drive does not say what it is, its controller may: both answers are right.
DERIVED = {(None, None): ("ssd", "NVMe")}


def target(rack: Rack, bmc: EmulatedBmc, **settings: Any) -> Target:
    account = {"username": rack.username, "password": rack.password, "ca_path": str(rack.ca_path), "protocol": "redfish"}
    return Target(address=bmc.address, port=bmc.port, **{**account, **settings})


def read(rack: Rack, bmcs: Iterable[EmulatedBmc] | None = None, *, limits: Limits = QUICK, **settings: Any) -> Hardware:
    targets = [target(rack, bmc, **settings) for bmc in (rack.bmcs if bmcs is None else bmcs)]
    return run(read_rack(targets, limits, lambda _: None))


def facts(server: Server) -> dict[str, Any]:
    """A record in the shape of expected.json."""
    cpus, system = server.processors, server.system
    return {
        "manufacturer": system.vendor,
        "model": system.model,
        "serial": system.board_serial or system.serial,
        "sku": system.sku,
        "uuid": system.uuid,
        "power": system.power,
        "bios": system.bios,
        "cpu": cpus
        and {
            "sockets": len(cpus),
            "cores": sum(one.cores or 0 for one in cpus),
            "threads": sum(one.threads or 0 for one in cpus),
            "model": cpus[0].model,
        },
        "memory": {
            "gib": server.memory.bytes and server.memory.bytes / 2**30,
            "dimms": None if server.memory.modules is None else len(server.memory.modules),
            "summary_gib": server.memory.claimed_bytes and server.memory.claimed_bytes / 2**30,
        },
        "nics": None if server.nics is None else {one.mac: (one.speed_mbps, one.link, one.name) for one in server.nics},
        "disks": None if server.disks is None else {one.serial: (one.model, one.bytes, one.media, one.protocol) for one in server.disks},
    }


def wanted(expected: dict[str, Any]) -> dict[str, Any]:
    """One server of expected.json in the same shape."""
    nics, disks, cpu = expected["nics"], expected["disks"], expected["cpu"]
    return {
        **{key: expected[key] for key in ("model", "serial", "sku", "uuid", "power", "bios", "memory")},
        "cpu": cpu if cpu and cpu["sockets"] else None,
        "manufacturer": canonical_name(expected["manufacturer"]),
        "nics": None if nics is None else {one["mac"]: (one["speed_mbps"], one["link"], one["id"]) for one in nics},
        "disks": None
        if disks is None
        else {one["serial"]: (one["model"], one["size_bytes"], one["media"], one["protocol"]) for one in disks},
    }


def differences(server: Server, expected: dict[str, Any], optional: Iterable[str] = ()) -> dict[str, Any]:
    """What a record says otherwise than what is expected of it."""
    found, want = facts(server), wanted(expected)
    if found["nics"] is not None:
        found["nics"] = {mac: nic for mac, nic in found["nics"].items() if mac not in optional}
    for serial, disk in (want["disks"] or {}).items():
        told = (found["disks"] or {}).get(serial, ())[2:]
        if told and disk[2:] in DERIVED and told == DERIVED[disk[2:]]:
            want["disks"][serial] = (*disk[:2], *told)
    return {key: (found[key], want[key]) for key in want if found[key] != want[key]}
