# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processors, accelerators and memory, from what the walk collected."""

from __future__ import annotations

import re
from typing import Literal

from .hardware import Accelerator, Memory, MemoryModule, Note, Processor
from .payload import Resource, count, dig, is_absent, name, number, text
from .tree import ServerTree
from .vendors import Vendor

GIB = 1024**3
MIB = 1024**2
ARCHITECTURES = {"x86-64": "x86_64", "x86": "x86_64", "arm-a64": "aarch64", "arm": "aarch64", "power isa": "ppc64le", "power": "ppc64le"}
ACCELERATORS: dict[str, Literal["gpu", "fpga", "other"]] = {"GPU": "gpu", "FPGA": "fpga", "Accelerator": "other", "DSP": "other"}
DPU = re.compile("bluefield|pensando|dpu", re.IGNORECASE)


def processors(server: ServerTree) -> tuple[Processor, ...] | None:
    """One per populated socket. A server has processors: none at all means that the BMC does not know now."""
    found = []
    for one in server.processors or ():
        cores = count(one.get("TotalCores"))
        if one.get("ProcessorType") not in ("CPU", None) or is_absent(one) or cores is None:
            continue
        found.append(
            Processor(
                socket=text(one.get("Socket")) or name(one),
                model=text(one.get("Model")),
                cores=cores,
                threads=count(one.get("TotalThreads")),
                architecture=_architecture(one),
            )
        )
    return tuple(sorted(found, key=lambda one: one.socket)) or None


def _architecture(processor: Resource) -> str | None:
    names = (text(processor.get(key)) for key in ("InstructionSet", "ProcessorArchitecture"))
    return next((ARCHITECTURES[name.lower()] for name in names if name and name.lower() in ARCHITECTURES), None)


def accelerators(server: ServerTree, known: Vendor) -> tuple[Accelerator, ...] | None:
    """Cards that compute beside the processors: some BMCs list them as processors, DPUs stand among the adapters."""
    found = [
        _accelerator(one, ACCELERATORS[str(one["ProcessorType"])])
        for one in server.processors or ()
        if str(one.get("ProcessorType")) in ACCELERATORS and not is_absent(one)
    ]
    cards = (adapter.resource for adapter in server.adapters)
    found += [_accelerator(card, "dpu") for card in cards if DPU.search(f"{card.get('Model')} {card.get('Name')}")]
    if not found and not (server.processors and known.lists_accelerators):
        return None
    return tuple(sorted(found, key=lambda one: one.slot))


def _accelerator(card: Resource, kind: Literal["gpu", "dpu", "fpga", "other"]) -> Accelerator:
    return Accelerator(slot=name(card), kind=kind, vendor=text(card.get("Manufacturer")), model=text(card.get("Model")))


def memory(server: ServerTree, notes: list[Note]) -> Memory:
    claimed = number(dig(server.system, "MemorySummary", "TotalSystemMemoryGiB"))
    claimed_bytes = None if claimed is None else int(claimed * GIB)
    modules = _modules(server.memory)
    if modules is None:
        return Memory(bytes=claimed_bytes, claimed_bytes=claimed_bytes)
    total = sum(module.bytes for module in modules)
    if claimed_bytes and abs(total - claimed_bytes) > 0.03 * total:
        text_ = f"the modules add up to {total / GIB:g} GiB and the system claims {claimed_bytes / GIB:g} GiB"
        notes.append(Note(code="memory_mismatch", text=text_))
    return Memory(bytes=total, claimed_bytes=claimed_bytes, modules=modules)


def _modules(members: list[Resource] | None) -> tuple[MemoryModule, ...] | None:
    """Populated slots only; no module at all means that the BMC does not know now."""
    found = []
    for one in members or ():
        size = number(one.get("CapacityMiB"))
        if size is None or is_absent(one):
            continue
        found.append(
            MemoryModule(
                slot=text(one.get("DeviceLocator")) or name(one),
                bytes=_real_size(int(size * MIB)),
                type=text(one.get("MemoryDeviceType")),
                speed_mhz=count(one.get("OperatingSpeedMhz")),
                serial=text(one.get("SerialNumber")),
            )
        )
    return tuple(sorted(found, key=lambda one: one.slot)) or None


def _real_size(claimed: int) -> int:
    """Modules come in multiples of 8 GiB; some firmware counts them in decimal units (AMI: 15,625 MiB for 16 GiB)."""
    nearest = round(claimed / (8 * GIB)) * 8 * GIB
    return nearest if nearest and abs(nearest - claimed) <= 0.05 * nearest else claimed
