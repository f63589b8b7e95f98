# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vendors' shapes that the trees do not show, in tables."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.compute import accelerators, memory, processors
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Bmc, Memory, Reading, System
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.network import nics
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.rack import _distinct
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.server import _identity, _place, _system, servers, verdict
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.storage import disks, volumes
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.targets import Target
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.tree import AdapterTree, BmcTree, ServerTree, StorageTree
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.vendors import GENERIC, canonical_name, vendor, vendor_name
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.walk import is_server

GIB = 1024**3
DRIVE = {"Id": "0", "Name": "bay 0", "SerialNumber": "S1", "CapacityBytes": 10**12, "MediaType": "SSD", "Protocol": "SAS"}
DRIVES = {
    "plain": ({}, ("ssd", "SAS", 10**12)),
    "pcie is nvme": ({"Protocol": "PCIe", "MediaType": None}, ("ssd", "NVMe", 10**12)),
    "nvme by model": ({"Protocol": None, "MediaType": None, "Model": "SAMSUNG NVMe x"}, ("ssd", None, 10**12)),
    "spinning": ({"Protocol": "SATA", "MediaType": None, "RotationSpeedRPM": 7200}, ("hdd", "SATA", 10**12)),
    "not spinning": ({"MediaType": None, "RotationSpeedRPM": 0}, (None, "SAS", 10**12)),
    "hpe's own": (
        {"CapacityBytes": None, "CapacityLogicalBlocks": 9, "BlockSizeBytes": 512, "Protocol": None, "InterfaceType": "SATA"},
        ("ssd", "SATA", 4608),
    ),
    "absent": ({"Status": {"State": "Absent"}}, None),
    "no serial": ({"SerialNumber": " "}, None),
    "no size": ({"CapacityBytes": 0}, None),
}
CISCO = {"bytes": (10**12, 10**12), "mebibytes": (953869, 953869 * 1024**2)}


def one_disk(drive, known=GENERIC):
    notes = []
    found = disks(ServerTree({}, storages=[StorageTree({"Id": "c"}, drives=[drive])]), known, notes, powered=True)
    return found, notes


@pytest.mark.parametrize(("change", "want"), DRIVES.values(), ids=DRIVES)
def test_disk(change, want):
    found, _ = one_disk(DRIVE | change)
    assert [(disk.media, disk.protocol, disk.bytes) for disk in found] == ([want] if want else [])


@pytest.mark.parametrize(("given", "want"), CISCO.values(), ids=CISCO)
def test_sizes_in_the_wrong_unit(given, want):
    found, _ = one_disk(DRIVE | {"CapacityBytes": given}, vendor("Cisco"))
    assert found[0].bytes == want


def test_a_drive_listed_twice_is_one():
    storages = [StorageTree({"Id": "a"}, drives=[DRIVE]), StorageTree({"Id": "b"}, drives=[dict(DRIVE)])]
    assert len(disks(ServerTree({}, storages=storages), GENERIC, [], powered=True)) == 1


def test_volumes_name_their_disks_and_raw_devices_are_none():
    drives = [DRIVE | {"@odata.id": "/d/1"}, DRIVE | {"@odata.id": "/d/2", "SerialNumber": "S2"}]
    mirror = {"Id": "v", "RAIDType": "RAID1", "CapacityBytes": 5, "Links": {"Drives": [{"@odata.id": "/d/1"}, {"@odata.id": "/d/2/"}]}}
    raw = {"Id": "r", "VolumeType": "RawDevice"}
    server = ServerTree({}, storages=[StorageTree({"Volumes": {}}, drives=drives, volumes=[mirror, raw])])
    (volume,) = volumes(server, disks(server, GENERIC, [], powered=True))
    assert (volume.raid, volume.disks) == ("RAID1", ("S1", "S2"))


def interface(**fields):
    return {"Id": "1", "MACAddress": "02:00:00:00:00:01", **fields}


LINKS = {
    "up": ("LinkUp", True, "up"),
    "linked": ("Linked", True, "up"),
    "dell port": ("Up", True, "up"),
    "down": ("NoLink", True, "down"),
    "null": (None, True, None),
    "words": ("No Link Information", True, None),
    "off": ("LinkUp", False, None),
}


@pytest.mark.parametrize(("status", "powered", "want"), LINKS.values(), ids=LINKS)
def test_link(status, powered, want):
    (nic,) = nics(ServerTree({}, interfaces=[interface(LinkStatus=status)]), (), powered=powered)
    assert nic.link == want


def test_permanent_address_where_it_is_nobody_elses():
    shared = [interface(Id=str(n), MACAddress="02:00:00:00:00:09", PermanentMACAddress=f"02:00:00:00:00:0{n}") for n in (1, 2)]
    assert [nic.mac for nic in nics(ServerTree({}, interfaces=shared), (), powered=True)] == ["02:00:00:00:00:01", "02:00:00:00:00:02"]
    same = [interface(Id=str(n), MACAddress=f"02:00:00:00:00:0{n}", PermanentMACAddress="02:00:00:00:00:09") for n in (1, 2)]
    assert [nic.mac for nic in nics(ServerTree({}, interfaces=same), (), powered=True)] == ["02:00:00:00:00:01", "02:00:00:00:00:02"]


def test_the_bmcs_own_ports_are_none_of_the_hosts():
    to_manager = interface(Id="ToManager", MACAddress="02:00:00:00:00:03", Links={"HostInterface": {"@odata.id": "/h"}})
    found = nics(ServerTree({}, interfaces=[interface(), to_manager]), ("02:00:00:00:00:01",), powered=True)
    assert found is None


def test_ports_tell_the_macs_where_interfaces_do_not():
    """Lenovo with an empty host list, and BMCs without EthernetInterfaces."""
    port = {
        "Id": "1",
        "@odata.id": "/p/1",
        "AssociatedNetworkAddresses": ["020000000005"],
        "CurrentLinkSpeedMbps": 25000,
        "LinkStatus": "Up",
    }
    server = ServerTree({}, interfaces=[], adapters=[AdapterTree({"Id": "slot-1"}, ports=[port])])
    (nic,) = nics(server, (), powered=True)
    assert (nic.mac, nic.adapter, nic.speed_mbps, nic.link) == ("02:00:00:00:00:05", "slot-1", 25000, "up")


def test_infiniband_addresses_are_no_macs():
    port = {"Id": "1", "@odata.id": "/p/1", "AssociatedNetworkAddresses": ["94:6d:ae:03:00:91:fb:22"]}
    assert nics(ServerTree({}, adapters=[AdapterTree({"Id": "a"}, ports=[port])]), (), powered=True) is None


def dimm(**fields):
    return {"Id": "1", "CapacityMiB": 16384, **fields}


MEMORIES = {
    "plain": ([dimm(), dimm(Id="2")], 32, 32, 0),
    "absent": ([dimm(), dimm(Id="2", CapacityMiB=None, Status={"State": "Absent"}), dimm(Id="3", CapacityMiB=0)], 16, 16, 0),
    "decimal": ([dimm(CapacityMiB=15625) for _ in range(16)], 244, 256, 1),
    "mismatch": ([dimm()], 32, 16, 1),
    "not read": (None, 32, 32, 0),
    "empty": ([], 32, 32, 0),
}


@pytest.mark.parametrize(("members", "claimed", "gib", "told"), MEMORIES.values(), ids=MEMORIES)
def test_memory(members, claimed, gib, told):
    notes = []
    found = memory(ServerTree({"MemorySummary": {"TotalSystemMemoryGiB": claimed}}, memory=members), notes)
    assert found.bytes == gib * GIB
    assert len(notes) == told


def test_processors_are_sockets_with_cores():
    cpu = {"Id": "1", "ProcessorType": "CPU", "TotalCores": 32, "TotalThreads": 64, "InstructionSet": "x86-64", "Model": " Xeon   9 "}
    gpu = {"Id": "GPU1", "ProcessorType": "GPU", "Manufacturer": "NVIDIA Corporation"}
    empty = {"Id": "2", "ProcessorType": "CPU", "TotalCores": 0}
    server = ServerTree({}, processors=[cpu, gpu, empty])
    (found,) = processors(server)
    assert (found.model, found.cores, found.architecture) == ("Xeon 9", 32, "x86_64")
    assert [one.kind for one in accelerators(server, GENERIC)] == ["gpu"]
    assert processors(ServerTree({}, processors=[])) is None


def test_no_accelerators_is_known_only_where_the_vendor_lists_them():
    server = ServerTree({}, processors=[{"Id": "1", "TotalCores": 8}])
    assert accelerators(server, vendor("Dell")) == ()
    assert accelerators(server, vendor("HPE")) is None
    dpu = AdapterTree({"Id": "NIC.Slot.5", "Model": "BlueField-3 DPU"})
    assert [one.kind for one in accelerators(ServerTree({}, processors=[], adapters=[dpu]), vendor("HPE"))] == ["dpu"]


SYSTEMS = {
    "server": ({"Id": "1", "Bios": {}}, "", True),
    "dpu": ({"Id": "Bluefield", "SystemType": "DPU", "Bios": {}}, "", False),
    "bluefield": ({"Id": "Bluefield", "Bios": {}}, "NVIDIA", False),
    "gpu baseboard": ({"Id": "HGX_Baseboard_0", "Processors": {}}, "NVIDIA", False),
    "baseboard of anybody": ({"Id": "Board", "Processors": {}}, "", False),
}


@pytest.mark.parametrize(("system", "maker", "want"), SYSTEMS.values(), ids=SYSTEMS)
def test_what_is_a_server(system, maker, want):
    assert is_server(system, vendor(maker)) == want


IDENTITIES = {
    "dell": ({"SKU": "CLLV0R3", "SerialNumber": "BOARD1"}, "Dell", ("CLLV0R3", "BOARD1")),
    "dell without tag": ({"SKU": None, "SerialNumber": "BOARD1"}, "Dell", ("BOARD1", None)),
    "hpe": ({"SKU": "P28948-B21", "SerialNumber": "MXQ1"}, "HPE", ("MXQ1", None)),
    "placeholder": ({"SerialNumber": "To be filled by O.E.M."}, "", (None, None)),
}


@pytest.mark.parametrize(("system", "maker", "want"), IDENTITIES.values(), ids=IDENTITIES)
def test_serials(system, maker, want):
    found = _system(ServerTree(system), vendor(maker))
    assert (found.serial, found.board_serial) == want


@pytest.mark.parametrize("value", ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "", None, "no"])
def test_uuids_that_are_none(value):
    assert _system(ServerTree({"UUID": value}), GENERIC).uuid is None


def test_identity_falls_back():
    bmc = Bmc(address="192.0.2.1", port=443, protocol="redfish", macs=("02:00:00:00:00:01",))
    assert _identity(System(serial="A", uuid="u"), bmc) == "A"
    assert _identity(System(uuid="u"), bmc) == "u"
    assert _identity(System(), bmc) == "02:00:00:00:00:01"


SHARED = {
    "apart": (["A", "B"], ["A", "B"]),
    "one serial": (["A", "A"], ["A/n0", "A/n1"]),
    "an empty slot is no server": (["A", None], ["A"]),
    "empty slots share nothing": (["A", None, None], ["A"]),
    "two of three": (["A", "B", "A"], ["A/n0", "B", "A/n2"]),
}
READING = Reading(at="2026-01-01T00:00:00Z", requests=1, seconds=0.1)


@pytest.mark.parametrize(("serials", "want"), SHARED.values(), ids=SHARED)
def test_servers_behind_one_bmc_are_told_apart_by_place(serials, want):
    tree = BmcTree({}, servers=[ServerTree({"Id": f"n{n}", "SerialNumber": serial}) for n, serial in enumerate(serials)])
    assert [one.id for one in servers(tree, Target(address="192.0.2.1"), READING)] == want


def test_two_bmcs_that_claim_one_server_are_told_by_address():
    tree = BmcTree({}, servers=[ServerTree({"Id": "1", "SerialNumber": "A"})])
    found = [servers(tree, Target(address=f"192.0.2.{n}", port=port), READING)[0] for n, port in ((1, 443), (2, 443), (2, 8443))]
    named = _distinct(found)
    assert [one.id for one in named] == ["A@192.0.2.1", "A@192.0.2.2", "A@192.0.2.2:8443"]
    assert [note.code for note in named[0].warnings] == ["serial_shared"]


PLACES = {
    "placement": ({"Placement": {"Rack": "R1", "RackOffset": 7}}, ("R1", 7)),
    "dell text": ({"Info": "DC;Room;A;R4;12", "InfoFormat": "DataCenter;RoomName;Aisle;RackName;RackSlot"}, ("R4", 12)),
    "dell empty": (
        {"Info": ";;;;1", "InfoFormat": "DataCenter;RoomName;Aisle;RackName;RackSlot", "Placement": {"Rack": "", "RackOffset": 1}},
        (None, None),
    ),
    "none": (None, (None, None)),
}


@pytest.mark.parametrize(("location", "want"), PLACES.values(), ids=PLACES)
def test_place(location, want):
    assert _place({"Location": location}) == want


PARTS = {"processors": (), "memory": Memory(bytes=1), "nics": (), "disks": (), "volumes": ()}
VERDICTS = {
    "all": (System(serial="A"), {}, "supported"),
    "no disks": (System(serial="A"), {"disks": None}, "limited"),
    "no memory": (System(serial="A"), {"memory": Memory()}, "limited"),
    "off": (System(serial="A", power="off"), {}, "limited"),
    "no name": (System(), {}, "unsupported"),
    "nothing": (System(serial="A"), {"processors": None, "memory": Memory(), "nics": None, "disks": None}, "unsupported"),
}


@pytest.mark.parametrize(("system", "change", "want"), VERDICTS.values(), ids=VERDICTS)
def test_verdict(system, change, want):
    found = verdict(system, PARTS | change)
    assert found.status == want
    assert bool(found.reasons) == (want != "supported")


NAMES = {
    "root": ({"Vendor": "HPE"}, [], "HPE"),
    "oem": ({"Oem": {"Supermicro": {}}}, [], "Supermicro"),
    "old hp": ({"Oem": {"Hp": {}}}, [], "HPE"),
    "maker": ({}, [{"Manufacturer": "Dell Inc."}], "Dell"),
    "unknown": ({}, [{"Manufacturer": "Acme"}], "Acme"),
    "nobody": ({}, [], None),
}


@pytest.mark.parametrize(("root", "systems", "want"), NAMES.values(), ids=NAMES)
def test_vendor(root, systems, want):
    assert vendor_name(root, systems) == want
    assert canonical_name(want) == want
