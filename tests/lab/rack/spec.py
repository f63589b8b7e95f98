# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an emulated server is made of, and how its BMC behaves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .faults import Fault

Json = dict[str, Any]
Tree = dict[str, Json]
Family = Literal["dell", "ilo5", "ilo6", "lenovo", "supermicro", "cray"]
Power = Literal["on", "off"]

VENDORS = {"dell": "Dell", "ilo5": "HPE", "ilo6": "HPE", "lenovo": "Lenovo", "supermicro": "Supermicro", "cray": "HPE Cray"}
FAMILIES: tuple[Family, ...] = ("dell", "ilo5", "ilo6", "lenovo", "supermicro", "cray")


class SpecRefused(ValueError):
    """A rack description that cannot be built, with what is allowed instead."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Port:
    mac: str
    speed_mbps: int
    up: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Adapter:
    """Slot 0 is the main board."""

    slot: int
    maker: str
    model: str
    serial: str
    ports: tuple[Port, ...]
    dpu: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Disk:
    """`boot` disks sit on the small controller that the vendor sells for the operating system (BOSS, NS204i, M.2 kit)."""

    serial: str
    maker: str
    model: str
    size: int
    media: Literal["ssd", "hdd"]
    protocol: Literal["NVMe", "SAS", "SATA"]
    bay: int
    boot: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Volume:
    name: str
    raid: str
    disks: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dimm:
    """Slots count from 1, over all sockets."""

    slot: int
    gib: int
    serial: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Gpu:
    slot: int
    model: str
    serial: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerSpec:
    """`serial` is what the vendor's support asks for; `cores` and `threads` are those of one socket.

    `usb_mac` is the host's end of the BMC-to-host interface, which is no NIC of the host's.
    """

    family: Family
    model: str
    serial: str
    board_serial: str
    sku: str
    uuid: str
    bmc_macs: tuple[str, ...]
    cpu: str
    sockets: int
    cores: int
    threads: int
    dimms: tuple[Dimm, ...]
    dimm_slots: int
    adapters: tuple[Adapter, ...]
    disks: tuple[Disk, ...]
    volumes: tuple[Volume, ...] = ()
    gpus: tuple[Gpu, ...] = ()
    rack: str | None = None
    unit: int | None = None
    bios: str = "1.0"
    usb_mac: str = ""

    @property
    def ports(self) -> tuple[Port, ...]:
        return tuple(port for adapter in self.adapters for port in adapter.ports)

    @property
    def gib(self) -> int:
        return sum(dimm.gib for dimm in self.dimms)

    def without_disk(self, index: int) -> ServerSpec:
        """The server after someone pulled a disk: a volume on it stays, with the disks that are left."""
        gone = self.disks[index].serial
        left = tuple(replace(volume, disks=tuple(s for s in volume.disks if s != gone)) for volume in self.volumes)
        return replace(self, disks=tuple(d for d in self.disks if d.serial != gone), volumes=tuple(v for v in left if v.disks))

    def without_dimm(self, index: int) -> ServerSpec:
        return replace(self, dimms=self.dimms[:index] + self.dimms[index + 1 :])


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A recorded tree, served as it is; a further `copy` of it has serials, MACs and a UUID of its own."""

    name: str
    tree: Tree
    expected: Json
    copy: int = 0


@dataclass(frozen=True, kw_only=True)
class BmcSpec:
    """One BMC: the servers behind it (or a recorded tree), and how it behaves.

    `unsupported_expand` says what happens to a query beyond what the root advertises; `slow` maps path prefixes to seconds.
    """

    servers: tuple[ServerSpec, ...] = ()
    recording: Recording | None = None
    power: Power = "on"
    faults: tuple[Fault, ...] = ()
    latency: float | None = None
    slow: dict[str, float] = field(default_factory=dict)
    page_size: int | None = None
    session_limit: int = 6
    session_timeout: float = 1800.0
    lockout: int = 5
    unsupported_expand: Literal["reject", "ignore"] = "reject"

    def __post_init__(self) -> None:
        if bool(self.servers) == bool(self.recording):
            raise SpecRefused("Cannot make a BMC: give either `servers` or a `recording`, and only one of them")

    @property
    def family(self) -> str:
        return self.servers[0].family if self.servers else "recorded"

    @property
    def vendor(self) -> str:
        return VENDORS[self.family] if self.recording is None else self.recording.name
