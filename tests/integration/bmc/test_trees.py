# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every fact of every tree is found, none is invented, and few requests are made for it."""

from __future__ import annotations

import statistics

import pytest

from tests.integration.bmc.reading import RECORDED, differences, facts, read
from tests.lab.rack import Fault, Rack, family_rack, recorded_rack
from tests.lab.rack.spec import FAMILIES

recorded = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="recorded trees are kept beside the project, in ../shared/redfish, and are not there"
)


@pytest.fixture(scope="module")
def rack():
    with Rack(recorded_rack(RECORDED)) as rack:
        yield rack, read(rack)


@recorded
def test_recorded_facts_are_found_and_none_is_invented(rack):
    rack, hardware = rack
    assert not hardware.unread
    by_address = {}
    for server in hardware.servers:
        by_address.setdefault(server.bmc.address, []).append(server)
    for bmc in rack.bmcs:
        servers, expected = by_address[bmc.address], bmc.expected
        assert [server.system.id for server in servers] == [one["system"].rpartition("/")[2] for one in expected["servers"]]
        for server, want in zip(servers, expected["servers"], strict=True):
            assert differences(server, want, expected["optional_nics"]) == {}, expected["tree"]
            assert not {nic.mac for nic in server.nics or ()} & expected["not_nics"].keys()
        assert list(servers[0].bmc.macs) == expected["bmc"]["macs"]
        assert servers[0].bmc.firmware == (", ".join(sorted(set(expected["bmc"]["firmware"]))) or None)
        if expected["bmc"]["vendor"]:
            assert servers[0].bmc.vendor == expected["bmc"]["vendor"]


@recorded
def test_recorded_trees_cost_few_requests(rack):
    rack, _ = rack
    expanding = [bmc for bmc in rack.bmcs if "ExpandQuery" in str(bmc.spec.recording.tree["/redfish/v1"].get("ProtocolFeaturesSupported"))]
    requests = [bmc.counters.requests for bmc in expanding]
    assert max(requests) <= 32
    assert statistics.median(requests) <= 21
    assert max(bmc.counters.requests for bmc in rack.bmcs) <= 110
    assert all(bmc.counters.connections <= 4 for bmc in rack.bmcs)


@recorded
def test_recorded_trees_without_expand(rack):
    """The same facts by plain reads, as on a BMC that refuses the query it advertises."""
    rack, hardware = rack
    rack.reset()
    for bmc in rack.bmcs:
        bmc.faults = [Fault("expand_refused")]
    plain = read(rack)
    assert [facts(one) for one in plain.servers] == [facts(one) for one in hardware.servers]
    assert max(bmc.counters.requests for bmc in rack.bmcs) <= 110
    rack.reset()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("power", ["on", "off"])
def test_generated_facts(family, power):
    with Rack(family_rack(family, 3)) as rack:
        for bmc in rack.bmcs:
            bmc.power = power
        hardware = read(rack)
        assert not hardware.unread
        servers = iter(hardware.servers)
        for bmc in rack.bmcs:
            for want in bmc.expected["servers"]:
                server = next(servers)
                assert differences(server, want) == {}
                assert {"rack": server.location.rack, "unit": server.location.unit} == want["location"]
                if server.disks is not None:
                    told = None if server.volumes is None else [(one.raid, one.bytes, list(one.disks)) for one in server.volumes]
                    made = want["volumes"]
                    assert told == (None if made is None else [(one["raid"], one["size_bytes"], sorted(one["disks"])) for one in made])
        assert len({server.id for server in hardware.servers}) == len(hardware.servers)
        assert all(bmc.counters.sessions_open == 0 for bmc in rack.bmcs)


@recorded
def test_hpe_lists_what_its_own_trees_alone_have(rack):
    """Older firmware: no drives in Storage, no adapters but HPE's own."""
    rack, hardware = rack
    (bmc,) = [one for one in rack.bmcs if one.expected["tree"].startswith("hpe-dl360")]
    whole = next(server for server in hardware.servers if server.bmc.address == bmc.address)
    bmc.faults = [
        Fault("missing", path="/redfish/v1/Systems/1/Storage"),
        Fault("missing", path="/redfish/v1/Systems/1/EthernetInterfaces"),
        Fault("missing", path="/redfish/v1/Chassis/1/NetworkAdapters"),
    ]
    (server,) = read(rack, [bmc]).servers
    assert facts(server)["disks"] == facts(whole)["disks"]
    assert {nic.mac for nic in server.nics} == {nic.mac for nic in whole.nics}
    assert all(nic.adapter for nic in server.nics)
    rack.reset()
