# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads by IPMI what a BMC without Redfish can tell of its server: who it is and whether it is on, not what is in it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

from .errors import BmcError, IpmiFailed, TimedOut, Unreachable
from .hardware import Bmc, Note, System
from .ipmi_fru import Fru, decode_text, read_fru
from .ipmi_probe import probe_ipmi, read_capabilities, read_findings
from .ipmi_session import Connection, Login, Refused, with_session
from .payload import mac
from .vendors import canonical_name

__all__ = ["IpmiFacts", "probe_ipmi", "read_ipmi"]

T = TypeVar("T")

# Enough for three packets to a BMC that is busy; an address without one should not hold up the others.
PROBE_SECONDS = 3.0
# Of the time; what follows must not be left out because of a slow session.
SESSION_SHARE = 0.9
# ipmi_sim and some BMCs refuse larger reads, and differ in the completion code they say it with.
FRU_BLOCK = 16
# Where the name stands in a record of a sensor: full and compact (IPMI 2.0, sections 43.1 and 43.2).
SENSOR_NAME_AT = {0x01: 47, 0x02: 31}
LAST_RECORD = 0xFFFF
# The BMC cancels a reservation whenever a record changes or another reader comes.
RESERVATION_CANCELLED = 0xC5
RESERVATIONS = 5

# Enterprise numbers of IANA. Firms that make BMCs for others (AMI, Insyde, OpenBMC) are left out: theirs name no server.
VENDORS = {
    2: "IBM",
    11: "HPE",
    42: "Oracle",
    343: "Intel",
    674: "Dell",
    2011: "Huawei",
    2623: "ASUS",
    5703: "NVIDIA",
    5771: "Cisco",
    6653: "Tyan",
    7244: "Quanta",
    10368: "Fujitsu",
    10876: "Supermicro",
    15370: "Gigabyte",
    19046: "Lenovo",
    20301: "IBM",
    25506: "H3C",
    37945: "Inspur",
    40092: "Wiwynn",
    47196: "HPE",
    49622: "ASRock Rack",
    52538: "Ampere",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class IpmiFacts:
    """`sensors` are names. What IPMI cannot tell, such as processors and disks, has no place here."""

    bmc: Bmc
    system: System
    sensors: tuple[str, ...] | None
    warnings: tuple[Note, ...] = ()
    findings: tuple[Note, ...] = ()


async def read_ipmi(address: str, *, port: int = 623, username: str, password: str, timeout: float) -> IpmiFacts:
    """Read one BMC in at most `timeout` seconds, with one login. What the BMC refuses to tell is None and a warning."""
    deadline = time.monotonic() + timeout
    login = Login(address=address, port=port, username=username, password=password)
    capabilities = await read_capabilities(address, port=port, timeout=min(timeout, PROBE_SECONDS))
    if capabilities is None:
        raise Unreachable(f"Cannot reach {login} by IPMI: nothing answered on its UDP port")
    if not capabilities.version_2:
        raise IpmiFailed(f"Cannot read {login} by IPMI: it speaks no IPMI 2.0", cure="Update the BMC's firmware, or leave this address out")
    work = partial(_read_facts, login=login, channel=capabilities.channel)
    facts = await with_session(login, work, timeout=(deadline - time.monotonic()) * SESSION_SHARE)
    # after the session, not beside it: BMCs have few
    findings = await read_findings(capabilities, address, port=port, timeout=max(0, min(deadline - time.monotonic(), PROBE_SECONDS)))
    return replace(facts, findings=findings)


def _read_facts(connection: Connection, *, login: Login, channel: int) -> IpmiFacts:
    """The sensors come last: they take the longest, and where the time ends among them the rest stands."""
    warnings: list[Note] = []

    def part(name: str, read: Callable[[], T], *, forgiven: tuple[type[BmcError], ...] = (IpmiFailed,)) -> T | None:
        try:
            return read()
        except forgiven as exc:
            warnings.append(Note(code=f"ipmi_{name}_unread", text=f"the {name} could not be read by IPMI: {exc.text}"))
            return None

    device = part("device", partial(_read_device, connection)) or (None, None)
    fru = part("fru", partial(_read_fru, connection)) or Fru()
    system = System(
        uuid=part("guid", lambda: parse_guid(connection.call(0x06, 0x37, least=16))),
        serial=fru.serial or fru.board_serial,
        board_serial=fru.board_serial if fru.serial and fru.board_serial != fru.serial else None,
        asset_tag=fru.asset_tag,
        vendor=canonical_name(fru.manufacturer or fru.board_manufacturer),
        model=fru.product or fru.board_product,
        power=part("power", partial(_read_power, connection)),
    )
    address = part("lan", lambda: mac(connection.call(0x0C, 0x02, channel, 5, 0, 0, least=7)[1:7].hex()))
    bmc = Bmc(
        address=login.address, port=login.port, protocol="ipmi", vendor=device[0], firmware=device[1], macs=(address,) if address else ()
    )
    sensors = part("sensors", lambda: tuple(dict.fromkeys(_read_sensor_names(connection))), forgiven=(IpmiFailed, TimedOut))
    return IpmiFacts(bmc=bmc, system=system, sensors=sensors, warnings=tuple(warnings))


def _read_device(connection: Connection) -> tuple[str | None, str]:
    """Vendor of the BMC and revision of its firmware, whose second half is two decimal digits in BCD."""
    data = connection.call(0x06, 0x01, least=9)
    return VENDORS.get(int.from_bytes(data[6:9], "little")), f"{data[2] & 0x7F}.{data[3]:02x}"


def _read_power(connection: Connection) -> Literal["on", "off"]:
    return "on" if connection.call(0x00, 0x01)[0] & 1 else "off"


def _read_fru(connection: Connection) -> Fru:
    """FRU 0, in blocks that every BMC gives. pyghmi's reader asks for more and gives up, and crashes on damaged ones."""
    info = connection.call(0x0A, 0x10, 0, least=3)
    size, words = int.from_bytes(info[:2], "little"), info[2] & 1

    def read(offset: int, count: int) -> bytes:
        found = b""
        end = min(offset + count, size)
        while (at := offset + len(found)) < end:
            block = connection.call(0x0A, 0x11, 0, *(at >> words).to_bytes(2, "little"), min(FRU_BLOCK, end - at) >> words)[1:]
            if not block:
                break
            found += block
        return found[:count]

    try:
        return read_fru(read)
    except ValueError as exc:
        raise IpmiFailed(str(exc)) from exc


def _read_sensor_names(connection: Connection) -> Iterator[str]:
    """Of each record only its head and name are read: whole ones are longer than some BMCs send at once."""
    record, seen = 0, set[int]()
    records = _Records(connection)
    while record != LAST_RECORD and record not in seen:
        seen.add(record)
        head = records.read(record, 0, 5, least=7)
        name_at = SENSOR_NAME_AT.get(head[5])
        if name_at is not None and (count := head[6] + 5 - name_at) > 1:
            name = records.read(record, name_at, count, least=3)[2:]
            if found := decode_text(name[0], name[1 : 1 + (name[0] & 0x1F)]):
                yield found
        record = int.from_bytes(head[:2], "little")


class _Records:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._reservation = b""

    def read(self, record: int, offset: int, count: int, *, least: int) -> bytes:
        """Part of a sensor data record; before it stands the number of the next one."""
        for _ in range(RESERVATIONS):
            self._reservation = self._reservation or self._connection.call(0x0A, 0x22, least=2)[:2]
            try:
                return self._connection.call(0x0A, 0x23, *self._reservation, *record.to_bytes(2, "little"), offset, count, least=least)
            except Refused as exc:
                if exc.completion != RESERVATION_CANCELLED:
                    raise
                self._reservation = b""
        raise IpmiFailed("the sensor records change while they are read")


def parse_guid(data: bytes) -> str | None:
    """The UUID as SMBIOS, dmidecode and Redfish write it.

    The specification sends all sixteen bytes backwards (IPMI 2.0, section 20.8), most BMCs send them as they stand in
    SMBIOS, with the first three numbers backwards, and some as written (ipmitool/ipmitool#25). Version and variant tell
    which; where they fit none, as with vendors that fill in bytes of their own, it is SMBIOS.
    """
    raw = data[:16]
    if raw in (bytes(16), b"\xff" * 16):
        return None
    readings = [uuid.UUID(bytes_le=raw), uuid.UUID(bytes=raw[::-1]), uuid.UUID(bytes=raw)]
    fitting = (reading for reading in readings if reading.version in range(1, 6))
    return str(next(fitting, readings[0]))
