# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.lab.rack import build, default_bmc, default_server, expected, family_rack, lab_rack
from tests.lab.rack.shelf import plain_path
from tests.lab.rack.spec import FAMILIES, Adapter, Family, Gpu, Port, Power

STATES: tuple[Power, ...] = ("on", "off")


def tree_of(family: Family, power: Power = "on", **changes: Any) -> dict[str, Any]:
    servers = [replace(server, **changes) for server in default_bmc(family, 0).servers]
    return build(servers, [power] * len(servers))


def rich(family: Family) -> dict[str, Any]:
    """GPUs and a DPU on top of what a server has anyway."""
    server = default_server(family, 0)
    dpu = Adapter(
        slot=7, maker="NVIDIA", model="BlueField-3", serial="DPU1", ports=(Port(mac="02:d0:00:00:00:01", speed_mbps=100_000),), dpu=True
    )
    return {"gpus": (Gpu(slot=5, model="NVIDIA L40S", serial="GPU1"),), "adapters": (*server.adapters, dpu)}


def links_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "@odata.id":
                yield item
            else:
                yield from links_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from links_in(item)


def documents(tree: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [d for d in tree.values() if d["@odata.type"].startswith(f"#{kind}.")]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("power", STATES)
def test_no_link_dangles(family: Family, power: Power) -> None:
    changes = {} if family == "cray" else rich(family)
    tree = tree_of(family, power, **changes)
    known = {plain_path(path) for path in tree}
    assert {target for d in tree.values() for target in links_in(d) if plain_path(target) not in known} == set()
    assert all(plain_path(document["@odata.id"]) == path for path, document in tree.items())


@pytest.mark.parametrize("family", FAMILIES)
def test_same_spec_same_bytes(family: Family) -> None:
    assert json.dumps(tree_of(family)) == json.dumps(tree_of(family))


def test_no_two_servers_alike() -> None:
    servers = [spec.servers[0] for family in FAMILIES for spec in family_rack(family, 40)]
    for what in (
        [s.serial for s in servers],
        [s.uuid for s in servers if s.uuid],
        [mac for s in servers for mac in (*s.bmc_macs, *(p.mac for p in s.ports))],
        [d.serial for s in servers for d in s.disks],
        [(s.family, s.rack, s.unit) for s in servers],
    ):
        assert len(what) == len(set(what))


@pytest.mark.parametrize("family", FAMILIES)
def test_expected_is_what_the_tree_holds(family: Family) -> None:
    spec = default_bmc(family, 3)
    tree = build(spec.servers, ["on"] * len(spec.servers))
    facts = expected(spec.servers, ["on"] * len(spec.servers))
    text = json.dumps(tree).lower()
    systems = {d["@odata.id"].rstrip("/"): d for d in documents(tree, "ComputerSystem")}
    assert set(systems) == {server["system"] for server in facts["servers"]}
    for server in facts["servers"]:
        system, inside = systems[server["system"]], {p: d for p, d in tree.items() if p.startswith(server["system"] + "/")}
        for fact, field in (
            ("serial", "SerialNumber"),
            ("model", "Model"),
            ("manufacturer", "Manufacturer"),
            ("sku", "SKU"),
            ("bios", "BiosVersion"),
        ):
            assert server[fact] == system.get(field), fact
        assert (server["uuid"] or "") == (system.get("UUID") or "").lower()
        cpus = [d for d in documents(inside, "Processor") if d["ProcessorType"] == "CPU"]
        assert (len(cpus), sum(c["TotalCores"] for c in cpus)) == (server["cpu"]["sockets"], server["cpu"]["cores"])
        assert {c["Model"].strip() for c in cpus} == {server["cpu"]["model"]}
        dimms = [d for d in documents(inside, "Memory") if d["CapacityMiB"]]
        assert (sum(d["CapacityMiB"] for d in dimms) // 1024, len(dimms)) == (server["memory"]["gib"], server["memory"]["dimms"])
        nics = {d["Id"]: d for d in documents(inside, "EthernetInterface")}
        assert all(nics[nic["id"]]["MACAddress"].lower() == nic["mac"] for nic in server["nics"])
        present = {d["SerialNumber"].strip() for d in documents(tree, "Drive") if d.get("CapacityBytes")}
        assert present == {disk["serial"] for disk in server["disks"] or []}
    assert all(mac in text for mac in (*facts["bmc"]["macs"], *facts["not_nics"]))


def test_lab_rack_can_carry_a_site() -> None:
    servers = [spec.servers[0] for spec in lab_rack()]
    assert [s.family for s in servers] == ["dell"] * 3 + ["ilo6"] * 2 + ["ilo5", "lenovo", "supermicro"]
    assert {s.rack for s in servers} == {"R1", "R2", "R3"}
    assert len({(s.rack, s.unit) for s in servers}) == 8
    for s in servers:
        assert 32 <= s.sockets * s.cores <= 64
        assert 256 <= s.gib <= 512
        assert sum(d.boot for d in s.disks) == 2
        assert sum(not d.boot for d in s.disks) >= 4
        assert sorted(p.speed_mbps for p in s.ports) == [1000] * 2 + [25_000] * 4


def test_dell_traps() -> None:
    server, tree = default_server("dell", 0), tree_of("dell", **rich("dell"))
    system = tree["/redfish/v1/Systems/System.Embedded.1"]
    assert (system["SKU"], system["SerialNumber"]) == (server.serial, server.board_serial)
    assert {d["Name"] for p, d in tree.items() if "/Systems/" in p and d["@odata.type"].startswith("#EthernetInterface.")} == {
        "System Ethernet Interface"
    }
    assert "PCIe" in {d["Protocol"] for d in documents(tree, "Drive")}
    assert {v["VolumeType"] for v in documents(tree, "Volume")} == {"RawDevice", "Mirrored"}
    assert all(d["Model"] != d["Model"].strip() for d in documents(tree, "Drive"))
    assert documents(tree, "Port")
    assert {p["LinkStatus"] for p in documents(tree, "NetworkPort")} == {"Up", "Down"}
    dpu = tree["/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces/NIC.Slot.7-1-1"]
    assert (dpu["MACAddress"], dpu["SpeedMbps"], dpu["Status"]["State"]) == ("02:D0:00:00:00:01", 0, "Disabled")


def test_dell_off_says_zero_and_blank() -> None:
    tree = tree_of("dell", "off")
    system = tree["/redfish/v1/Systems/System.Embedded.1"]
    assert (system["PowerState"], system["ProcessorSummary"]["Count"], system["Manufacturer"].strip()) == ("Off", 0, "")
    assert not documents(tree, "Processor") + documents(tree, "Memory") + documents(tree, "Drive")
    assert {d["SpeedMbps"] for p, d in tree.items() if "/Systems/" in p and "SpeedMbps" in d} == {0}
    facts = expected([default_server("dell", 0)], ["off"])["servers"][0]
    assert (facts["cpu"]["cores"], facts["memory"]["gib"], facts["disks"], facts["manufacturer"]) == (None, None, None, None)


@pytest.mark.parametrize(("family", "volumes"), [("ilo5", 0), ("ilo6", 1)])
def test_hpe_traps(family: Family, volumes: int) -> None:
    tree = tree_of(family)
    drives = documents(tree, "Drive")
    assert {d["Status"]["State"] for d in drives} == {"Enabled", "Absent"}
    assert any("/Chassis/DE00A000/Drives/" in d["@odata.id"] for d in drives)
    functions = documents(tree, "NetworkDeviceFunction")
    macs = [f["Ethernet"] for f in functions]
    assert len({m["MACAddress"] for m in macs}) < len({m["PermanentMACAddress"] for m in macs}) == len(functions)
    boot = tree["/redfish/v1/Systems/1/Storage/DE07A000/Volumes"]
    assert (boot["Members@odata.count"], len(boot["Members"])) == (1, volumes)
    other = build([default_server(family, 1)], ["on"])
    third = "/redfish/v1/Managers/1/EthernetInterfaces/3"
    assert tree[third]["MACAddress"] == other[third]["MACAddress"]
    assert tree["/redfish/v1/Systems/1/Processors/1"]["Model"].endswith("  ")
    assert tree["/redfish/v1/Systems/1"]["@odata.id"].endswith("/") == (family == "ilo5")


def test_lenovo_traps() -> None:
    tree = tree_of("lenovo", **rich("lenovo"))
    assert tree["/redfish/v1/Systems/1/EthernetInterfaces/ToManager"]["Links"]["HostInterface"]
    assert all(":" not in mac for p in documents(tree, "NetworkPort") for mac in p["AssociatedNetworkAddresses"])
    assert {p["ProcessorType"] for p in documents(tree, "Processor")} == {"CPU", "GPU"}
    assert None in {d["CapacityMiB"] for d in documents(tree, "Memory")}
    assert tree["/redfish/v1/Chassis/1/NetworkAdapters/slot-7/Ports"]["Members"] == []


def test_supermicro_traps() -> None:
    tree = tree_of("supermicro")
    server = default_server("supermicro", 0)
    assert "Vendor" not in tree["/redfish/v1"]
    backplane = "/redfish/v1/Chassis/NVMeSSD.0.Group.0.StorageBackplane"
    assert tree[f"{backplane}/Drives"]["Members"] == []
    nvme = [d for d in documents(tree, "Drive") if d["@odata.id"].startswith(backplane)]
    assert nvme
    assert not any("MediaType" in d or "Protocol" in d for d in nvme)
    assert server.uuid.endswith(server.bmc_macs[0].replace(":", ""))
    names = {d["Name"] for p, d in tree.items() if p.startswith("/redfish/v1/Systems/1/EthernetInterfaces/") and "ToManager" not in p}
    assert names == {"AOC_NIC1"}


def test_cray_traps() -> None:
    tree = tree_of("cray")
    nodes = documents(tree, "ComputerSystem")
    assert len(nodes) == 2
    assert len({n["SerialNumber"] for n in nodes}) == 1
    assert not any("UUID" in n or "Links" in n or "Storage" in n for n in nodes)
    assert "Not Available" in {d.get("MACAddress") for d in documents(tree, "EthernetInterface")}
    assert "ProtocolFeaturesSupported" not in tree["/redfish/v1"]
