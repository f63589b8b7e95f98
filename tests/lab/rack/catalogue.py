# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers to take off the shelf: the n-th of a family is always the same, and like no other."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .spec import FAMILIES, Adapter, BmcSpec, Dimm, Disk, Family, Port, ServerSpec, SpecRefused, Volume

NAMESPACE = uuid.UUID("6f0f2a0e-6f0e-5c0e-9b0e-7669747262ac")
LAB: tuple[Family, ...] = ("dell", "dell", "dell", "ilo6", "ilo6", "ilo5", "lenovo", "supermicro")
RACKS, UNITS = 3, 20


class Kind(NamedTuple):
    """So many disks of one kind."""

    number: int
    maker: str
    model: str
    size: int
    media: Literal["ssd", "hdd"]
    protocol: Literal["NVMe", "SAS", "SATA"]
    boot: bool = False


@dataclass(frozen=True)
class Model:
    """What every server of a family is made of; `dimms` are count, GiB and slots."""

    name: str
    sku: str
    serial: str
    cpu: str
    cores: int
    dimms: tuple[int, int, int]
    disks: tuple[Kind, ...]
    nic: tuple[str, str]
    bios: str
    boot_raid: bool = True


def _nvme(count: int, size: int = 3_840_755_982_336) -> Kind:
    return Kind(count, "Kioxia", "KCD8XRUG3T84", size, "ssd", "NVMe")


def _hdd(count: int, protocol: Literal["SAS", "SATA"], size: int = 8_001_563_222_016) -> Kind:
    return Kind(count, "Seagate", "ST8000NM001B", size, "hdd", protocol)


def _m2(protocol: Literal["NVMe", "SATA"], size: int = 480_103_981_056) -> Kind:
    return Kind(2, "Micron", "MTFDDAV480TDS" if protocol == "SATA" else "MTFDKBA480TFR", size, "ssd", protocol, boot=True)


BROADCOM = ("Broadcom Inc. and subsidiaries", "BCM57414 2x25G SFP28 PCIe")
MELLANOX = ("MLNX", "Ethernet 10/25Gb 2-port SFP28 MCX631102AS-ADAT Adapter")
MODELS: dict[Family, Model] = {
    "dell": Model("PowerEdge R750", "", "VT{:05X}", "Intel(R) Xeon(R) Gold 6342 CPU @ 2.80GHz", 24, (16, 32, 32),
                  (_m2("SATA"), _nvme(4), _hdd(4, "SAS")), BROADCOM, "1.15.2"),
    "ilo5": Model("ProLiant DL380 Gen10", "868703-B21", "VTR5{:06X}", "Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz", 16, (12, 32, 24),
                  (_m2("NVMe"), _hdd(4, "SAS"), Kind(2, "Samsung", "MZ7L3960HCJR", 960_197_124_096, "ssd", "SATA")), MELLANOX,
                  "U30 v3.30 (05/21/2024)"),
    "ilo6": Model("ProLiant DL380 Gen11", "P52534-B21", "VTR6{:06X}", "Intel(R) Xeon(R) Gold 6430", 32, (16, 32, 32),
                  (_m2("NVMe"), _nvme(4), Kind(2, "Samsung", "MZILG1T9HCJR", 1_920_383_410_176, "ssd", "SAS")), MELLANOX,
                  "U54 v2.12 (12/13/2023)"),
    "lenovo": Model("ThinkSystem SR650 V3", "7D76CTO1WW", "J{:07X}", "Intel(R) Xeon(R) Gold 6442Y", 24, (16, 16, 32),
                    (_m2("NVMe", 480_000_000_000), _nvme(4, 3_840_000_000_000), _hdd(2, "SATA", 8_000_000_000_000)), BROADCOM,
                    "ESE124B-3.10"),
    "supermicro": Model("SYS-621C-TN12R", "0x1C4815D9", "S{:014X}", "Intel(R) Xeon(R) Gold 6448Y", 32, (16, 32, 16),
                        (_m2("NVMe"), _nvme(4), _hdd(4, "SATA")), BROADCOM, "2.1", boot_raid=False),
    "cray": Model("HPE CRAY EX425 (MILAN)", "", "HA{:08X}", "AMD EPYC 7763 64-Core Processor", 64, (16, 16, 16), (), MELLANOX,
                  "ex425.bios-1.7.2"),
}  # fmt: skip


def mac(family: Family, number: int, group: int, position: int) -> str:
    """Locally administered, so that it is nobody's."""
    return f"02:{FAMILIES.index(family) + 1:02x}:{number >> 8:02x}:{number & 255:02x}:{group:02x}:{position:02x}"


def _disks(model: Model, tag: str) -> tuple[Disk, ...]:
    disks: list[Disk] = []
    for kind in model.disks:
        for _ in range(kind.number):
            bay = sum(1 for disk in disks if disk.boot == kind.boot)
            serial = f"{tag}{'B' if kind.boot else 'D'}{bay:02d}"
            disks.append(Disk(serial=serial, maker=kind.maker, model=kind.model, size=kind.size, media=kind.media,
                              protocol=kind.protocol, bay=bay + 1, boot=kind.boot))  # fmt: skip
    return tuple(disks)


def _adapters(family: Family, model: Model, number: int, tag: str) -> tuple[Adapter, ...]:
    def ports(group: int, count: int, speed: int) -> tuple[Port, ...]:
        return tuple(Port(mac=mac(family, number, group, n), speed_mbps=speed, up=speed > 1000 or n == 1) for n in range(1, count + 1))

    onboard = Adapter(slot=0, maker="Intel Corporation", model="Ethernet Controller I350", serial=f"{tag}N0", ports=ports(1, 2, 1000))
    maker, name = model.nic
    return onboard, *(Adapter(slot=n, maker=maker, model=name, serial=f"{tag}N{n}", ports=ports(n + 1, 2, 25_000)) for n in (1, 2))


def _dimms(model: Model, tag: str) -> tuple[Dimm, ...]:
    count, gib, slots = model.dimms
    places = [socket * slots // 2 + n for socket in (0, 1) for n in range(1, count // 2 + 1)]
    return tuple(Dimm(slot=place, gib=gib, serial=f"{tag}M{place:02d}") for place in places)


def default_server(family: Family, number: int, *, rack: str | None = None, unit: int | None = None, node: int = 0) -> ServerSpec:
    """`node` tells the servers of one BMC apart."""
    if family not in MODELS:
        raise SpecRefused(f"Cannot make a server of the family {family!r}: there are {', '.join(FAMILIES)}")
    model = MODELS[family]
    serial = model.serial.format(number + 1)
    tag = f"V{FAMILIES.index(family) + 1}{node}{number:05X}"
    disks = _disks(model, tag)
    boot = tuple(disk.serial for disk in disks if disk.boot)
    adapters = _adapters(family, model, number, tag)
    bmc = [mac(family, number, 0xB0, n) for n in (1, 2)]
    identity = str(uuid.uuid5(NAMESPACE, f"{family}-{number}"))
    if family == "supermicro":
        identity = f"00000000-0000-0000-0000-{bmc[0].replace(':', '')}"
    if family == "cray":
        identity, bmc = "", []
        port = Port(mac=mac(family, number, 1, node), speed_mbps=1000)
        adapters = (Adapter(slot=0, maker="HPE", model="Management Ethernet", serial=f"{tag}N0", ports=(port,)),)
    return ServerSpec(
        family=family, model=model.name, serial=serial, board_serial=f"CN{tag}A01", sku=model.sku, uuid=identity,
        bmc_macs=tuple(bmc[:1] if family == "dell" else bmc), cpu=model.cpu, sockets=2, cores=model.cores, threads=2 * model.cores,
        dimms=_dimms(model, tag), dimm_slots=model.dimms[2], adapters=adapters, disks=disks,
        volumes=(Volume(name="os", raid="RAID1", disks=boot),) if boot and model.boot_raid else (), bios=model.bios,
        rack=rack or f"R{number // UNITS + 1}", unit=unit or number % UNITS * 2 + 1,
        usb_mac=mac(family, number, 0xB0, 3) if family in ("lenovo", "supermicro") else "",
    )  # fmt: skip


def default_bmc(family: Family, number: int, *, rack: str | None = None, unit: int | None = None) -> BmcSpec:
    nodes = 2 if family == "cray" else 1
    return BmcSpec(servers=tuple(default_server(family, number, rack=rack, unit=unit, node=node) for node in range(nodes)))


def family_rack(family: Family, count: int) -> list[BmcSpec]:
    return [default_bmc(family, number) for number in range(count)]


def lab_rack(count: int = len(LAB)) -> list[BmcSpec]:
    """The mixed rack that the examples and the demo use; further servers repeat the mix."""
    specs, used = [], dict.fromkeys(FAMILIES, 0)
    for position in range(count):
        family = LAB[position % len(LAB)]
        specs.append(default_bmc(family, used[family], rack=f"R{position % RACKS + 1}", unit=position // RACKS * 2 + 1))
        used[family] += 1
    return specs
