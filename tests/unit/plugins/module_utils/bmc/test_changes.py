# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import dataclasses
import errno

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.changes import changes
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.discovery import with_old_records
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.errors import NamesClash
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import (
    Bmc,
    Disk,
    Hardware,
    Location,
    Memory,
    MemoryModule,
    Nic,
    Reading,
    Server,
    System,
    Unread,
    Verdict,
    Volume,
)
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hosts import check_names, host_name
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.table import table
from ansible_collections.frontier.vitro.plugins.module_utils.errors import DocumentRefused, DocumentUnwritable
from hypothesis import given
from hypothesis import strategies as st

BASE = Server(
    id="A1",
    bmc=Bmc(address="192.0.2.1", port=443, protocol="redfish", firmware="7.10"),
    system=System(serial="A1", model="R750", power="on"),
    processors=None,
    memory=Memory(bytes=32 * 2**30, modules=(MemoryModule(slot="A1", bytes=16 * 2**30), MemoryModule(slot="A2", bytes=16 * 2**30))),
    nics=(Nic(mac="02:00:00:00:00:01", speed_mbps=25000, link="up"),),
    disks=(Disk(serial="S1", bytes=10**12, model="X", slot="bay 1", health="ok"), Disk(serial="S2", bytes=10**12)),
    volumes=(Volume(name="v", raid="RAID1", disks=("S1", "S2")),),
    accelerators=(),
    location=Location(rack="R1", unit=4),
    health="ok",
    verdict=Verdict(status="supported"),
    read=Reading(at="2026-01-01T00:00:00Z", requests=20, seconds=1.5),
)
new = dataclasses.replace
CASES = {
    "cost only": (new(BASE, read=Reading(at="2026-01-01T00:00:00Z", requests=99, seconds=9.0)), []),
    "disk gone": (
        new(BASE, disks=BASE.disks[1:], volumes=(Volume(name="v", raid="RAID1", disks=("S2",)),)),
        ["A1: disk S1 is gone (X, bay 1, 1,000 GB)", "A1, volume v: disks is S2, was S1, S2"],
    ),
    "memory less": (
        new(BASE, memory=Memory(bytes=16 * 2**30, modules=BASE.memory.modules[:1])),
        ["A1, memory: bytes is 16 GiB, was 32 GiB", "A1, memory: memory module A2 is gone (16 GiB)"],
    ),
    "link": (new(BASE, nics=(new(BASE.nics[0], link="down"),)), ["A1, network port 02:00:00:00:00:01: link is down, was up"]),
    "firmware": (new(BASE, bmc=new(BASE.bmc, firmware="7.20")), ["A1, bmc: firmware is 7.20, was 7.10"]),
    "unknown now": (new(BASE, disks=None, volumes=None), ["A1: disks is unknown, was 2 of them", "A1: volumes is unknown, was 1 of them"]),
    "failing": (new(BASE, disks=(new(BASE.disks[0], health="critical"), BASE.disks[1])), ["A1, disk S1: health is critical, was ok"]),
}


@pytest.mark.parametrize(("after", "want"), CASES.values(), ids=CASES)
def test_sentences(after, want):
    assert changes(Hardware(servers=(BASE,)), Hardware(servers=(after,))) == want


def test_servers_come_and_go():
    other = new(BASE, id="B2", bmc=new(BASE.bmc, address="192.0.2.2"))
    unread = Unread(address="192.0.2.1", port=443, code="timeout", text="t", cure="c")
    assert changes(None, Hardware(servers=(BASE,))) == ["A1: new, R750 behind 192.0.2.1"]
    assert changes(Hardware(servers=(BASE,)), Hardware(servers=(other,))) == [
        "B2: new, R750 behind 192.0.2.2",
        "A1: gone; R750 behind 192.0.2.1 is in no answer",
    ]
    told = changes(Hardware(servers=(BASE,)), Hardware(servers=(), unread=(unread,)))
    assert told == ["A1: gone; R750 behind 192.0.2.1 could not be read (timeout)", "192.0.2.1:443: could not be read (timeout)"]
    assert changes(Hardware(servers=(), unread=(unread,)), Hardware(servers=(BASE,)))[-1] == "192.0.2.1:443: no longer fails"


records = st.builds(
    lambda rack, link, size, count: new(
        BASE,
        location=Location(rack=rack),
        nics=tuple(Nic(mac=f"02:00:00:00:00:{n:02x}", link=link) for n in range(count)),
        memory=Memory(bytes=size),
    ),
    st.none() | st.text(max_size=5),
    st.sampled_from([None, "up", "down"]),
    st.none() | st.integers(0, 2**40),
    st.integers(0, 4),
)


@given(records, records)
def test_a_change_is_told_exactly_when_there_is_one(before, after):
    told = changes(Hardware(servers=(before,)), Hardware(servers=(after,)))
    assert bool(told) == (before != after)


@given(records)
def test_a_document_comes_back_as_it_was(server):
    hardware = Hardware(servers=(server,))
    assert DOCUMENT.parse(DOCUMENT.to_text(hardware).encode(), "x") == hardware


WRONG = {
    "empty": (lambda text: "", "no whole JSON"),
    "half": (lambda text: text[: len(text) // 2], "no whole JSON"),
    "list": (lambda text: "[]", "schema is `None`"),
    "newer": (lambda text: text.replace("hardware/1", "hardware/2"), "vitro/hardware/2"),
    "type": (lambda text: text.replace('"unit": 4', '"unit": "4"'), "servers.0.location.unit"),
    "unknown": (lambda text: text.replace('"rack"', '"rak"'), "did you mean `rack`?"),
    "word": (lambda text: text.replace('"link": "up"', '"link": "sideways"'), "servers.0.nics.0.link"),
    "missing": (lambda text: text.replace('"id": "A1",', ""), "servers.0.id"),
}


@pytest.mark.parametrize(("spoil", "words"), WRONG.values(), ids=WRONG)
def test_damaged_documents_are_refused(spoil, words):
    with pytest.raises(DocumentRefused) as told:
        DOCUMENT.parse(spoil(DOCUMENT.to_text(Hardware(servers=(BASE,)))).encode(), "hardware.json")
    assert words in str(told.value)
    assert "hardware.json" in str(told.value)


def test_all_mistakes_of_a_document_at_once():
    text = DOCUMENT.to_text(Hardware(servers=(BASE,))).replace('"unit": 4', '"unit": "4"').replace('"rack"', '"rak"')
    with pytest.raises(DocumentRefused, match=r"2 mistakes.*unit.*rak|2 mistakes.*rak.*unit"):
        DOCUMENT.parse(text.encode(), "x")


def test_names():
    assert host_name("HA19340017/Node0") == "ha19340017-node0"
    with pytest.raises(NamesClash, match=r"`x` for A1 behind 192\.0\.2\.1 and A1 behind"):
        check_names([("x", {"id": "A1", "bmc": {"address": "192.0.2.1"}}), ("x", {"id": "A1", "bmc": {"address": "192.0.2.9"}})])


def test_table_has_a_row_per_server_and_a_line_per_failure():
    unread = Unread(address="192.0.2.7", port=443, code="timeout", text="t", cure="c")
    lines = table(Hardware(servers=tuple(new(BASE, id=f"S{n}") for n in range(70)), unread=(unread,)))
    assert lines[1].startswith("S0 ")
    assert lines[-2:] == ["… and 6 more servers", "not read: 192.0.2.7:443 (timeout)"]


NOW = Hardware(servers=(), unread=(Unread(address="192.0.2.1", port=443, code="timeout", text="t", cure="c"),))


def test_an_old_record_is_kept_and_marked_until_its_bmc_answers():
    (kept,) = with_old_records(Hardware(servers=(BASE,)), NOW).servers
    (again,) = with_old_records(Hardware(servers=(kept,)), NOW).servers
    assert again == kept
    assert [note.code for note in kept.warnings] == ["not_read_now"]
    assert "2026-01-01T00:00:00Z" in kept.warnings[0].text
    assert with_old_records(Hardware(servers=(kept,)), Hardware(servers=(BASE,))).servers == (BASE,)
    assert with_old_records(Hardware(servers=(BASE,)), Hardware(servers=())).servers == ()
    assert with_old_records(None, NOW).servers == ()


def test_what_ipmi_tells_does_not_replace_what_redfish_told():
    thin = new(BASE, id="board-1", bmc=new(BASE.bmc, protocol="ipmi"), disks=None, nics=None)
    (kept,) = with_old_records(Hardware(servers=(BASE,)), Hardware(servers=(thin,))).servers
    assert kept.disks == BASE.disks
    assert "IPMI" in kept.warnings[-1].text
    assert with_old_records(Hardware(servers=(thin,)), Hardware(servers=(thin,))).servers == (thin,)


def test_a_full_disk_leaves_the_old_document_whole(tmp_path, monkeypatch):
    path = tmp_path / "hardware.json"
    DOCUMENT.write(Hardware(servers=(BASE,)), path)
    before = path.read_bytes()

    def full(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DocumentUnwritable, match="No space left on device"):
        DOCUMENT.write(Hardware(servers=()), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_mode_of_the_document_is_the_operators(tmp_path):
    path = tmp_path / "hardware.json"
    DOCUMENT.write(Hardware(servers=(BASE,)), path)
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o600)
    DOCUMENT.write(Hardware(servers=()), path)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.filterwarnings("ignore:Pydantic serializer")
def test_what_could_not_be_read_back_is_not_written(tmp_path):
    path = tmp_path / "hardware.json"
    with pytest.raises(DocumentRefused):
        DOCUMENT.write(Hardware(servers=(new(BASE, location=Location(rack=5)),)), path)
    assert not path.exists()


def test_the_document_is_replaced_and_never_rewritten(tmp_path):
    """Whoever has the old document open, or a kill in the middle of the write, finds it whole."""
    path, other = tmp_path / "hardware.json", tmp_path / "other"
    DOCUMENT.write(Hardware(servers=(BASE,)), path)
    other.hardlink_to(path)
    before = other.read_bytes()
    DOCUMENT.write(Hardware(servers=()), path)
    assert other.read_bytes() == before
    assert path.read_bytes() != before
