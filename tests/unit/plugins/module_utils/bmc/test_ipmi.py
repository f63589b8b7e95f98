# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc import ipmi
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.errors import IpmiFailed, TimedOut
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi_session import Login, Refused

from tests.lab.ipmi import FruTexts, Sensor
from tests.lab.ipmi.config import fru_image, sensor_record

LOGIN = Login(address="192.0.2.1", port=623, username="admin", password="secret-1")


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        pytest.param("785634 12bc9a f04e a123 456789000001", "12345678-9abc-4ef0-a123-456789000001", id="order of SMBIOS"),
        pytest.param("010000896745 23a1 f04e bc9a 78563412", "12345678-9abc-4ef0-a123-456789000001", id="order of the IPMI specification"),
        pytest.param("12345678 9abc 4ef0 a123 456789000001", "12345678-9abc-4ef0-a123-456789000001", id="order as written"),
        pytest.param("44454c4c 5100 1035 8052 b4c04f4e3732", "4c4c4544-0051-3510-8052-b4c04f4e3732", id="Dell, service tag inside"),
        pytest.param("00112233 4455 6677 0899 aabbccddeeff", "33221100-5544-7766-0899-aabbccddeeff", id="no version: SMBIOS"),
        pytest.param("00" * 16, None, id="zeros"),
        pytest.param("ff" * 16, None, id="erased"),
    ],
)
def test_parse_guid(wire, expected):
    assert ipmi.parse_guid(bytes.fromhex(wire)) == expected


class FakeBmc:
    """Answers commands from a table of functions; what is not in it is an invalid command (C1h)."""

    def __init__(self, answers):
        self.answers = answers

    def call(self, netfn: int, command: int, *data: int, least: int = 1) -> bytes:
        if (netfn, command) not in self.answers:
            raise Refused("invalid command", completion=0xC1)
        return self.answers[netfn, command](*data)


@pytest.mark.parametrize(
    ("number", "vendor"),
    [
        (674, "Dell"),
        (11, "HPE"),
        (47196, "HPE"),
        (10876, "Supermicro"),
        (19046, "Lenovo"),
        (20301, "IBM"),
        (343, "Intel"),
        (5703, "NVIDIA"),
        (5771, "Cisco"),
        (20974, None),
        (0, None),
        (0xFFFFFF, None),
    ],
)
def test_vendor_of_the_manufacturer_number(number, vendor):
    device = bytes([0x20, 1, 0x86, 0x42, 2, 0xBF]) + number.to_bytes(3, "little") + bytes(2)
    assert ipmi._read_device(FakeBmc({(6, 1): lambda: device})) == (vendor, "6.42")


def fru_bmc(image: bytes, *, words: bool = False, largest: int = 16) -> FakeBmc:
    def read(_: int, low: int, high: int, count: int) -> bytes:
        scale = 2 if words else 1
        offset, size = (low | high << 8) * scale, count * scale
        assert size <= largest
        return bytes([count]) + image[offset : offset + size]

    return FakeBmc({(0x0A, 0x10): lambda _: len(image).to_bytes(2, "little") + bytes([words]), (0x0A, 0x11): read})


@pytest.mark.parametrize("words", [False, True], ids=["by bytes", "by words"])
def test_fru_is_read_in_small_blocks(words):
    assert ipmi._read_fru(fru_bmc(fru_image(FruTexts.numbered(9)), words=words)).serial == "SN0009"


def test_fru_that_gives_nothing_ends():
    silent = FakeBmc({(0x0A, 0x10): lambda _: b"\x00\x10\x00", (0x0A, 0x11): lambda *_: b"\x00"})
    with pytest.raises(IpmiFailed, match="no valid header"):
        ipmi._read_fru(silent)


def record(number: int, kind: int, name_at: int, name: bytes) -> bytes:
    body = bytes(name_at - 5) + name
    return bytes([number, 0, 0x51, kind, len(body)]) + body


FULL = bytes.fromhex(sensor_record(Sensor(number=1, kind=1, unit=1, name="Inlet", multiplier=1, raw=1)).replace("0x", ""))
RECORDS = [
    FULL,
    record(2, 0x02, 31, b"\xc4PSU1"),
    record(3, 0x11, 16, b"\xc3FRU"),
    record(4, 0x01, 47, b"\x83\x29\xdc\xa6"),
    record(5, 0x02, 31, b"\xc0"),
]


def sdr_bmc(records: list[bytes], *, last: int = 0xFFFF, cancelled: int = 0) -> FakeBmc:
    """`cancelled` is how often the reservation ends, each time before the next read."""
    reservation = [1, cancelled]

    def get(low: int, _high: int, record_low: int, record_high: int, offset: int, count: int) -> bytes:
        if reservation[1]:
            reservation[0] = (reservation[0] + 1) % 256
            reservation[1] -= 1
        if low != reservation[0]:
            raise Refused("reservation cancelled", completion=0xC5)
        index = max((record_low | record_high << 8) - 1, 0)
        following = last if index + 1 == len(records) else index + 2
        return following.to_bytes(2, "little") + records[index][offset : offset + count]

    return FakeBmc({(0x0A, 0x22): lambda: bytes([reservation[0], 0]), (0x0A, 0x23): get})


@pytest.mark.parametrize(
    "bmc",
    [sdr_bmc(RECORDS), sdr_bmc(RECORDS, cancelled=3), sdr_bmc(RECORDS, last=2)],
    ids=["plain", "reservation cancelled", "chain that runs in a circle"],
)
def test_sensor_names(bmc):
    assert list(dict.fromkeys(ipmi._read_sensor_names(bmc))) == ["Inlet", "PSU1", "IPMI"]


def test_sensors_that_never_stand_still_are_given_up():
    with pytest.raises(IpmiFailed, match="change while they are read"):
        list(ipmi._read_sensor_names(sdr_bmc(RECORDS, cancelled=1000)))


def test_a_bmc_that_refuses_everything_gives_warnings_only():
    facts = ipmi._read_facts(FakeBmc({}), login=LOGIN, channel=1)
    assert {note.code for note in facts.warnings} == {
        f"ipmi_{name}_unread" for name in ("device", "fru", "guid", "power", "lan", "sensors")
    }
    assert (facts.bmc.vendor, facts.bmc.firmware, facts.bmc.macs, facts.sensors) == (None, None, (), None)
    assert facts.system == ipmi.System()


def test_a_bmc_that_falls_silent_is_no_record():
    def silent() -> bytes:
        raise TimedOut("it stopped answering")

    with pytest.raises(TimedOut):
        ipmi._read_facts(FakeBmc({(0, 1): silent}), login=LOGIN, channel=1)


@pytest.mark.parametrize(
    ("answer", "macs"),
    [("11 52540000000a", ("52:54:00:00:00:0a",)), ("11 000000000000", ()), ("11 ffffffffffff", ())],
    ids=["mac", "zeros", "erased"],
)
def test_mac_of_the_bmc(answer, macs):
    asked = []

    def lan(*data: int) -> bytes:
        asked.append(data)
        return bytes.fromhex(answer)

    assert ipmi._read_facts(FakeBmc({(0x0C, 2): lan}), login=LOGIN, channel=8).bmc.macs == macs
    assert asked == [(8, 5, 0, 0)]
