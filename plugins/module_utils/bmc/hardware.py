# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hardware document: one record per server, in words of no vendor.

An unknown value is None, never a guess; an empty tuple says that there are none.
Sizes are bytes, MACs are six lower-case octets, times are UTC.
"""

from __future__ import annotations

from typing import Final, Literal

from ..records import record

SCHEMA: Final = "vitro/hardware/1"

Health = Literal["ok", "warning", "critical"]


@record
class Note:
    """Something the operator should know: what could not be read, or what is unsafe."""

    code: str
    text: str


@record
class Bmc:
    address: str
    port: int
    protocol: Literal["redfish", "ipmi"]
    vendor: str | None = None
    model: str | None = None
    firmware: str | None = None
    macs: tuple[str, ...] = ()


@record
class System:
    """`serial` is what the vendor's support asks for; `board_serial` is there where that differs from the board's."""

    id: str | None = None
    uuid: str | None = None
    serial: str | None = None
    board_serial: str | None = None
    sku: str | None = None
    asset_tag: str | None = None
    vendor: str | None = None
    model: str | None = None
    bios: str | None = None
    power: Literal["on", "off"] | None = None
    boot_mode: Literal["uefi", "bios"] | None = None


@record
class Processor:
    socket: str
    model: str | None = None
    cores: int | None = None
    threads: int | None = None
    architecture: str | None = None


@record
class MemoryModule:
    slot: str
    bytes: int
    type: str | None = None
    speed_mhz: int | None = None
    serial: str | None = None


@record
class Memory:
    """`bytes` is the sum of the modules where they could be read; `claimed_bytes` is the system's own summary."""

    bytes: int | None = None
    claimed_bytes: int | None = None
    modules: tuple[MemoryModule, ...] | None = None


@record
class Nic:
    mac: str
    name: str | None = None
    adapter: str | None = None
    port: str | None = None
    speed_mbps: int | None = None
    link: Literal["up", "down"] | None = None
    kind: Literal["ethernet", "infiniband"] | None = None


@record
class Disk:
    serial: str
    model: str | None = None
    wwn: str | None = None
    bytes: int
    media: Literal["ssd", "hdd"] | None = None
    protocol: str | None = None
    slot: str | None = None
    controller: str | None = None
    health: Health | None = None


@record
class Volume:
    """A logical disk that a controller made; `disks` are serials."""

    name: str
    raid: str | None = None
    bytes: int | None = None
    disks: tuple[str, ...] | None = None


@record
class Accelerator:
    slot: str
    kind: Literal["gpu", "dpu", "fpga", "other"]
    vendor: str | None = None
    model: str | None = None


@record
class Location:
    site: str | None = None
    rack: str | None = None
    unit: int | None = None


@record
class Verdict:
    """Whether Vitro can work with what this BMC tells."""

    status: Literal["supported", "limited", "unsupported"]
    reasons: tuple[str, ...] = ()


@record
class Reading:
    """When a server was read, in UTC, and what that cost; no fact about the hardware."""

    at: str
    requests: int
    seconds: float


@record
class Server:
    """`id` is unique in the document and stays with the server: its serial, or the next best thing."""

    id: str
    bmc: Bmc
    system: System
    processors: tuple[Processor, ...] | None
    memory: Memory
    nics: tuple[Nic, ...] | None
    disks: tuple[Disk, ...] | None
    volumes: tuple[Volume, ...] | None
    accelerators: tuple[Accelerator, ...] | None
    location: Location
    health: Health | None
    sensors: tuple[str, ...] | None = None
    verdict: Verdict
    warnings: tuple[Note, ...] = ()
    findings: tuple[Note, ...] = ()
    read: Reading


@record
class Unread:
    """A BMC that gave no record, and why."""

    address: str
    port: int
    code: str
    text: str
    cure: str


@record
class Hardware:
    servers: tuple[Server, ...]
    unread: tuple[Unread, ...] = ()
    schema: Literal["vitro/hardware/1"] = SCHEMA
