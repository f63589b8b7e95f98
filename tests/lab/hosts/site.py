# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The site of the hosts: a hardware document with their MACs, and what the real planner makes of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT as HARDWARE
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import (
    Bmc,
    Disk,
    Hardware,
    Location,
    Memory,
    Nic,
    Processor,
    Reading,
    Server,
    System,
    Verdict,
)  # fmt: skip
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT as PLAN
from ansible_collections.frontier.vitro.plugins.module_utils.plan.intent import parse_intent
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

from .lab import Lab

GIB, TB = 1024**3, 10**12


def server(lab: Lab, host: int) -> Server:
    """A server whose NICs are those of the host; the rest is as a planner likes it, since no role here touches it."""
    nics = tuple(
        Nic(mac=lab.mac(host, n), name=f"eth{n}", adapter=f"slot-{n}", port="0", speed_mbps=10000, link="up", kind="ethernet")
        for n in range(lab.nics)
    )
    serial = lab.serials_of(host)[-1]
    return Server(
        id=serial, bmc=Bmc(address=f"198.51.100.{host}", port=443, protocol="redfish"), system=System(serial=serial),
        processors=(Processor(socket="CPU0", model="lab", cores=32, threads=64, architecture="x86_64"),), memory=Memory(bytes=256 * GIB),
        nics=nics, disks=disks(lab, host), volumes=(), accelerators=(), health="ok",
        location=Location(unit=host, rack=f"R{(host - 1) % lab.racks + 1}" if lab.racks else None),
        verdict=Verdict(status="supported"), read=Reading(at="2026-01-01T00:00:00Z", requests=1, seconds=1.0),
    )  # fmt: skip


def disks(lab: Lab, host: int) -> tuple[Disk, ...]:
    """Two for the system that are only told of; then those of the host, or, if it has none, two that are only told of too."""
    system = [(f"D{host}-{n}", f"51{host:08x}{n:06x}", TB // 2, "NVMe") for n in range(2)]
    told = [(f"D{host}-{n}", f"51{host:08x}{n:06x}", 4 * TB, "NVMe") for n in range(2, 4)]
    data = [(one.serial, one.wwn, one.bytes, "SATA") for one in lab.disks_of(host)] or told
    return tuple(
        Disk(serial=serial, model="data", wwn=wwn, bytes=size, media="ssd", protocol=protocol, slot=f"bay {n}", controller="backplane",
             health="ok")
        for n, (serial, wwn, size, protocol) in enumerate([*system, *data])
    )  # fmt: skip


def intent(lab: Lab) -> dict[str, Any]:
    """Untagged networks on a port each: this machine's kernel may know neither VLANs nor bonds."""
    hosts = f"{lab.subnet}.11-{lab.subnet}.60"
    serials = [lab.serials_of(host) for host in range(1, lab.hosts + 1)]
    replaced = {old: new for one in serials for old, new in pairwise(one)}
    more = ({"disks": {"os": ["D?-*"], "osd_minimum_gb": 1}} if lab.disks else {}) | ({"replaced": replaced} if replaced else {})
    return {
        "name": lab.name, "domain": f"{lab.name}.example", "registry": f"{lab.subnet}.1:5000", "ntp": [f"{lab.subnet}.1"],
        "networks": {
            "management": {"cidr": f"{lab.subnet}.0/24", "gateway": f"{lab.subnet}.1", "ranges": [hosts]},
            "storage": {"cidr": "10.89.92.0/24", "mtu": lab.mtu},
            "external": {},
        },
        "links": {
            "main": {"networks": ["management", "api", "public", "tunnel", "migration", "fmc"], "ports": 1, "adapter": "slot-0"},
            "data": {"networks": ["storage", "cluster"], "ports": 1, "adapter": "slot-1"},
            "provider": {"networks": ["external"], "ports": 1, "adapter": "slot-2"},
        },
        **more, **lab.intent,
    }  # fmt: skip


def write_site(lab: Lab, previous: Plan | None = None) -> Path:
    """The folder of the site's inventory, with the plan beside it, as on a real controller."""
    hardware = Hardware(servers=tuple(server(lab, host) for host in range(1, lab.hosts + 1)))
    plan = plan_site(hardware, parse_intent(intent(lab)), previous)
    if plan.objections:
        raise SystemExit("\n".join(one.text for one in plan.objections))
    HARDWARE.write(hardware, lab.folder / "sites" / lab.name / "hardware.json")
    return _write(lab, lab.name, plan)


def write_again(lab: Lab) -> Path:
    """What the planner makes of the lab as it is by now: what stays keeps its names and addresses."""
    return write_site(lab, PLAN.read(lab.folder / "sites" / lab.name / "plan.json"))


def write_broken(lab: Lab) -> Path:
    """The same with two mistakes: the first host has the addresses of two ports swapped, the second a port that is not there."""
    plan = PLAN.read(lab.folder / "sites" / lab.name / "plan.json")
    first, second, *others = plan.servers
    swapped = {"main0": "data0", "data0": "main0"}
    macs = {one.name: one.mac for one in first.interfaces}
    first = replace(first, interfaces=tuple(replace(one, mac=macs[swapped.get(one.name, one.name)]) for one in first.interfaces))
    missing = (replace(one, mac="02:00:00:00:00:02" if one.name == "data0" else one.mac) for one in second.interfaces)
    return _write(lab, "broken", replace(plan, servers=(first, replace(second, interfaces=tuple(missing)), *others)))


def _write(lab: Lab, name: str, plan: Plan) -> Path:
    PLAN.write(plan, lab.folder / "sites" / name / "plan.json")
    inventory = lab.folder / "inventories" / name
    (inventory / "group_vars" / "all").mkdir(parents=True, exist_ok=True)
    (inventory / "site.yml").write_text(yaml.safe_dump({"plugin": "frontier.vitro.site", "plan": f"../../sites/{name}/plan.json"}))
    reached = {
        "ansible_user": "root",
        "ansible_pipelining": True,
        "ansible_python_interpreter": "/usr/bin/python3",
        "ansible_ssh_private_key_file": str(lab.folder / "id_ed25519"),
        "ansible_ssh_common_args": "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR",
    }
    (inventory / "group_vars" / "all" / "lab.yml").write_text(yaml.safe_dump(reached))
    return inventory
