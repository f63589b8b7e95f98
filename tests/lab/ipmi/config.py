# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What one simulated BMC is: its FRU image, sensors and settings, and the files ipmi_sim reads them from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

USERNAME = "admin"
PASSWORD = "labpass1"
CONTROL = Path(__file__).with_name("control.sh")


@dataclass(frozen=True, kw_only=True)
class Sensor:
    number: int
    kind: int
    unit: int
    name: str
    multiplier: int
    raw: int


SENSORS = (
    Sensor(number=1, kind=0x01, unit=0x01, name="Inlet Temp", multiplier=1, raw=25),
    Sensor(number=2, kind=0x04, unit=0x12, name="Fan1", multiplier=100, raw=74),
    Sensor(number=3, kind=0x0B, unit=0x06, name="PSU1 Power", multiplier=4, raw=70),
)


@dataclass(frozen=True, kw_only=True)
class FruTexts:
    """The fields of the board and product areas, in the order of the FRU storage definition, sections 11 and 12."""

    board: tuple[str, ...]
    product: tuple[str, ...]

    @classmethod
    def numbered(cls, number: int) -> FruTexts:
        return cls(
            board=("Acme", "Board", f"BSN{number:04}", "BPN1", "fru"),
            product=("Acme", "Node2U", "PPN1", "v1", f"SN{number:04}", f"TAG{number}", "fru"),
        )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """One BMC. `fru` replaces the whole image, none for an empty one; `none_allowed` offers sessions without authentication."""

    number: int
    fru_texts: FruTexts | None = None
    fru: bytes | None = None
    manufacturer: int = 674
    sensors: tuple[Sensor, ...] = field(default=SENSORS)
    none_allowed: bool = True
    anonymous: bool = False

    @property
    def mac(self) -> str:
        return f"52:54:00:aa:00:{self.number:02x}"

    @property
    def guid(self) -> str:
        """The sixteen bytes as they go over the wire, in hex."""
        return f"78563412bc9af04ea1234567890000{self.number:02x}"

    @property
    def uuid(self) -> str:
        """The same in the order of SMBIOS, as dmidecode and Redfish print it."""
        return f"12345678-9abc-4ef0-a123-4567890000{self.number:02x}"

    def fru_image(self) -> bytes:
        return self.fru if self.fru is not None else fru_image(self.fru_texts or FruTexts.numbered(self.number))


def text_field(text: str) -> bytes:
    assert len(text) != 1, "the type/length byte of a text of one byte is the end mark"
    return bytes([0xC0 | len(text)]) + text.encode()


def with_checksum(data: bytes) -> bytes:
    return data + bytes([-sum(data) & 0xFF])


def fru_area(header: bytes, texts: tuple[str, ...]) -> bytes:
    """Version, length in units of eight bytes, fields, end mark, padding, checksum."""
    body = header + b"".join(map(text_field, texts)) + b"\xc1"
    body += bytes((-len(body) - 3) % 8)
    return with_checksum(bytes([1, (len(body) + 3) // 8]) + body)


def fru_image(texts: FruTexts) -> bytes:
    board = fru_area(bytes(4), texts.board)
    product = fru_area(bytes(1), texts.product)
    return with_checksum(bytes([1, 0, 0, 1, 1 + len(board) // 8, 0, 0])) + board + product


def sensor_record(sensor: Sensor) -> str:
    """A full sensor record (type 1); ipmi_sim refuses one whose length byte does not match."""
    body = bytes([0x20, 0, sensor.number, 3, 1, 0x67, 0x68, sensor.kind, 1, 0x95, 0x0A, 0x95, 0x0A, 0x38, 0x38, 0, sensor.unit])
    body += bytes([0, 0, sensor.multiplier]) + bytes(6)
    body += bytes([0x60, 0xB0, 0x10, 0xFF, 0, 0xA0, 0x90, 0x80, 0, 5, 8, 2, 2, 0, 0, 0]) + text_field(sensor.name)
    return " ".join(f"0x{byte:02x}" for byte in bytes([sensor.number, 0, 0x51, 1, len(body)]) + body)


def commands(settings: Settings, fru_file: Path) -> Iterator[str]:
    yield "mc_setbmc 0x20"
    yield f"mc_add 0x20 0 no-device-sdrs 0x23 9 0x08 0x9f {settings.manufacturer:#x} 0xf02"
    yield "sel_enable 0x20 1000 0x0a"
    for sensor in settings.sensors:
        yield f"sensor_add 0x20 0 {sensor.number} {sensor.kind} 1"
        yield f"sensor_set_value 0x20 0 {sensor.number} {sensor.raw} 0"
        # without event support the sensor reads "disabled"
        yield f"sensor_set_event_support 0x20 0 {sensor.number} enable scanning per-state" + " 000111111000000" * 4
        yield f"main_sdr_add 0x20 {sensor_record(sensor)}"
    if fru_file.exists():
        yield f'mc_add_fru_data 0x20 0 {fru_file.stat().st_size} file 0 "{fru_file}"'
    yield "mc_enable 0x20"


def write_files(settings: Settings, directory: Path, address: str, port: int) -> None:
    """Fill the BMC's directory; `power`, `boot` and the LAN settings are files a test may read and write."""
    state = {"power": "1", "mac_addr": settings.mac, "ip_addr": address, "ip_addr_src": "static", "subnet_mask": "255.0.0.0"}
    for key, value in state.items():
        (directory / key).write_text(value + "\n")
    if image := settings.fru_image():
        (directory / "fru").write_bytes(image)
    (directory / "commands").write_text("\n".join(commands(settings, directory / "fru")) + "\n")
    auths = "none md2 md5 straight" if settings.none_allowed else "md2 md5 straight"
    (directory / "config").write_text(f"""\
name "bmc{settings.number}"
set_working_mc 0x20
  startlan 1
    addr {address} {port}
    priv_limit admin
    allowed_auths_user {auths}
    allowed_auths_operator {auths}
    allowed_auths_admin {auths}
    guid {settings.guid}
    lan_config_program "{CONTROL} {directory}"
  endlan
  chassis_control "{CONTROL} {directory}"
  user 1 {str(settings.anonymous).lower()} "" "" user 10 {auths}
  user 2 true "{USERNAME}" "{PASSWORD}" admin 10 {auths}
""")
