# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Racks and intents to plan with: made of few words, and right unless a test makes them wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import (
    Bmc,
    Disk,
    Hardware,
    Location,
    Memory,
    Nic,
    Processor,
    Reading,
    Server,
    System,
    Verdict,
    Volume,
)
from ansible_collections.frontier.vitro.plugins.module_utils.plan.intent import Intent, parse_intent

GB, GIB, TB = 10**9, 1024**3, 10**12

INTENT: dict[str, Any] = {
    "name": "lab",
    "domain": "lab.example",
    "networks": {
        "management": {"cidr": "10.20.0.0/24", "gateway": "10.20.0.1", "ranges": ["10.20.0.11-10.20.0.250"]},
        "storage": {"cidr": "10.20.1.0/24", "vlan": 21, "mtu": 9000},
        "tunnel": {"cidr": "10.20.2.0/24", "vlan": 22, "mtu": 9000},
        "external": {"vlan": 30},
    },
    "registry": "registry.lab.example:5000",
    "ntp": ["10.20.0.1"],
    "dns": ["10.20.0.1"],
}


def intent(**changes: Any) -> Intent:
    """The plain intent with some keys laid over it, deeply; a key that is None is taken out."""
    return parse_intent(laid_over(INTENT, changes))


def laid_over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = laid_over(merged[key], value)
        else:
            merged[key] = value
    return merged


def nics(number: int, *, adapters: int = 2, each: int = 2, speed: int = 25000, link: str | None = "up") -> tuple[Nic, ...]:
    """So many adapters with so many ports each; MACs tell the server, the adapter and the port."""
    return tuple(
        Nic(
            mac=f"02:00:{number // 256:02x}:{number % 256:02x}:{adapter:02x}:{port:02x}",
            name=f"{adapter}-{port}",
            adapter=f"slot-{adapter}",
            port=str(port),
            speed_mbps=speed,
            link=link,  # type: ignore[arg-type]
            kind="ethernet",
        )
        for adapter in range(adapters)
        for port in range(each)
    )


def disks(
    number: int, count: int, *, size: int = 4 * TB, media: str | None = "ssd", protocol: str | None = "NVMe", tag: str = "D"
) -> tuple[Disk, ...]:
    return tuple(
        Disk(
            serial=f"{tag}{number:05d}-{index:02d}",
            model="data",
            wwn=f"50{number:08x}{index:06x}",
            bytes=size,
            media=media,  # type: ignore[arg-type]
            protocol=protocol,
            slot=f"bay {index}",
            controller="backplane",
            health="ok",
        )
        for index in range(count)
    )


def boot_disks(number: int) -> tuple[Disk, ...]:
    return disks(number, 2, size=480 * GB, protocol="SATA", tag="B")


def server(number: int, *, rack: str | None = None, unit: int | None = None, site: str | None = None, **changes: Any) -> Server:
    """A server of 64 cores and 512 GiB with four fast ports, a mirrored boot volume and four NVMe disks."""
    boot = boot_disks(number)
    given: dict[str, Any] = {
        "id": f"SN{number:05d}",
        "bmc": Bmc(address=f"192.0.2.{number % 250 + 1}", port=443, protocol="redfish", vendor="Dell"),
        "system": System(serial=f"SN{number:05d}", vendor="Dell", model="PowerEdge R750"),
        "processors": tuple(Processor(socket=f"CPU{n}", model="Xeon 6430", cores=32, threads=64, architecture="x86_64") for n in range(2)),
        "memory": Memory(bytes=512 * GIB),
        "nics": nics(number),
        "disks": (*boot, *disks(number, 4)),
        "volumes": (Volume(name="os", raid="RAID1", bytes=480 * GB, disks=tuple(one.serial for one in boot)),),
        "accelerators": (),
        "location": Location(rack=rack, unit=unit, site=site),
        "health": "ok",
        "verdict": Verdict(status="supported"),
        "read": Reading(at="2026-01-01T00:00:00Z", requests=20, seconds=1.0),
    }
    return Server(**{**given, **changes})


def hardware(servers: Iterable[Server]) -> Hardware:
    return Hardware(servers=tuple(servers))


def rack_of(count: int, *, racks: int = 3, **changes: Any) -> Hardware:
    """So many servers, spread over so many racks from below to above; 0 racks leave their places unknown."""
    places = [{"rack": f"R{n % racks + 1}", "unit": n // racks + 1} if racks else {} for n in range(count)]
    return hardware(server(n, **place, **changes) for n, place in enumerate(places))
