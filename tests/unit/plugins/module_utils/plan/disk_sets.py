# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers with chosen disks, and the few questions that the tests of disks ask about a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Disk, Server, Volume
from ansible_collections.frontier.vitro.plugins.module_utils.plan.disks import DiskPlan, plan_disks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.intent import Disks
from ansible_collections.frontier.vitro.plugins.module_utils.plan.machines import Machine, survey
from ansible_collections.frontier.vitro.plugins.module_utils.plan.objections import Found
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import CpuShares, MemoryShares, PlannedServer

from tests.unit.plugins.module_utils.plan.racks import boot_disks, disks, hardware, server

HDD = {"media": "hdd", "protocol": "SAS"}
BOOT, DATA = boot_disks(0), disks(0, 4)
BOSS = replace(BOOT[0], controller="BOSS.SL.10-1"), replace(BOOT[1], controller="BOSS.SL.10-1")


def machine(*all_disks: Disk, volumes: tuple[Volume, ...] | None = (), **changes: Any) -> Machine:
    return machine_of(server(0, disks=all_disks, volumes=volumes, **changes))


def machine_of(one: Server) -> Machine:
    return survey(hardware([one]), ())[0][0]


def planned(plan: DiskPlan, of: Machine) -> PlannedServer:
    """What the last plan would say of a server with this result."""
    return PlannedServer(
        id=of.id, name="lab-01", fqdn="lab-01.lab.example", state="present", roles=("storage",), location=of.server.location, bmc="",
        traffic={}, os_disk=plan.os_disk, osds=plan.osds, memory=MemoryShares(total=0), cpu=CpuShares(total=0),
    )  # fmt: skip


def codes(found: list[Found]) -> set[str]:
    return {one.objection.code for one in found}


def planned_disks(of: Machine, wish: Disks | None = None) -> DiskPlan:
    return plan_disks(of, wish or Disks(), None)[0]


def serials(plan: DiskPlan) -> list[str]:
    return [one.serial for one in plan.osds]
