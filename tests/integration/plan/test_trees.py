# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each recorded server as a rack of three: a plan, or objections that an operator can act on."""

from __future__ import annotations

import dataclasses
import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.integration.bmc.reading import RECORDED, read
from tests.lab.rack import Rack, recorded_rack
from tests.unit.plugins.module_utils.plan.racks import hardware, intent

pytestmark = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="recorded trees are kept beside the project, in ../shared/redfish, and are not there"
)
# What the recorded servers lack; everything else about them can be planned with.
LACKING = {"facts_missing", "no_link", "no_os_disk", "server_unsupported", "too_few_osds", "too_few_servers", "too_few_storage"}


@pytest.fixture(scope="module")
def servers():
    with Rack(recorded_rack(RECORDED)) as rack:
        yield read(rack).servers


def twin(server, number):
    """The same server once more, with serials and MACs of its own."""
    nics = server.nics and tuple(
        dataclasses.replace(one, mac=f"02:00:00:{number:02x}:00:{index:02x}") for index, one in enumerate(server.nics)
    )
    disks = server.disks and tuple(dataclasses.replace(one, serial=f"{one.serial}-{number}") for one in server.disks)
    volumes = server.volumes and tuple(
        dataclasses.replace(one, disks=one.disks and tuple(f"{serial}-{number}" for serial in one.disks)) for one in server.volumes
    )
    return dataclasses.replace(
        server,
        id=f"{server.id}-{number}",
        system=dataclasses.replace(server.system, serial=f"{server.id}-{number}"),
        location=Location(rack=f"R{number}", unit=1),
        nics=nics,
        disks=disks,
        volumes=volumes,
    )


def test_recorded_servers_as_racks_of_three(servers):
    told = {}
    for server in servers:
        rack = hardware(twin(server, number) for number in (1, 2, 3))
        plan = plan_site(rack, intent())
        told[f"{server.system.model} {server.id}"] = sorted({one.code for one in plan.objections})
        assert all(one.cure and one.why and one.subject for one in plan.objections)
    assert {code for codes in told.values() for code in codes} <= LACKING, json.dumps(told, indent=1)
