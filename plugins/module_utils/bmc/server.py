# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One record per server: identity, place, verdict, and the parts put together."""

from __future__ import annotations

import dataclasses
import re
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping

from .compute import accelerators, memory, processors
from .hardware import Bmc, Location, Memory, Note, Reading, Server, System, Verdict
from .network import manager_macs, nics
from .payload import Resource, count, dig, name, text
from .storage import disks, health, volumes
from .targets import Target
from .tree import BmcTree, ServerTree
from .vendors import Vendor, canonical_name

POWER = {"On": "on", "PoweringOff": "on", "Off": "off", "PoweringOn": "off"}
BOOT_MODES = {"UEFI": "uefi", "Legacy": "bios"}
# Warnings after which the record may lack something.
INCOMPLETE = ("unread", "deadline", "disk_unknown")
UNVERIFIED = Note(code="tls_unverified", text="the BMC's certificate is not verified: anybody on the way could read the password")


def servers(tree: BmcTree, target: Target, reading: Reading) -> list[Server]:
    """The records of all servers behind one BMC. Those that share a serial are told apart by their place."""
    found = [_server(one, tree, target, reading) for one in tree.servers]
    # A slot without a host: nothing in it, and no name of its own.
    found = [one for one in found if one.processors or one.memory.bytes or one.system.serial or one.system.uuid]
    shared = Counter(one.id for one in found)
    return [dataclasses.replace(one, id=f"{one.id}/{one.system.id}") if shared[one.id] > 1 else one for one in found]


def _server(one: ServerTree, tree: BmcTree, target: Target, reading: Reading) -> Server:
    notes = [*tree.notes, *one.notes]
    macs = manager_macs(tree)
    system = _system(one, tree.vendor)
    powered = system.power != "off"
    found = disks(one, tree.vendor, notes, powered=powered)
    parts = {
        "processors": processors(one),
        "memory": memory(one, notes),
        "nics": nics(one, macs, powered=powered),
        "disks": found,
        "volumes": volumes(one, found),
        "accelerators": accelerators(one, tree.vendor),
    }
    bmc = _bmc(tree, target, macs)
    return Server(
        id=_identity(system, bmc),
        bmc=bmc,
        system=system,
        **parts,  # type: ignore[arg-type]
        location=_location(one, target),
        health=health(one.system),
        verdict=verdict(system, parts, notes),
        warnings=tuple(notes),
        findings=() if target.validate_certs or target.fingerprint else (UNVERIFIED,),
        read=reading,
    )


def _bmc(tree: BmcTree, target: Target, macs: tuple[str, ...]) -> Bmc:
    firmware = sorted({version for one in tree.managers if (version := text(one.get("FirmwareVersion")))})
    model = next((found for one in tree.managers if (found := text(one.get("Model")))), None)
    return Bmc(
        address=target.address,
        port=target.port,
        protocol="redfish",
        vendor=tree.vendor_name,
        model=model or text(tree.root.get("Product")),
        firmware=", ".join(firmware) or None,
        macs=macs,
    )


def _system(one: ServerTree, known: Vendor) -> System:
    system = one.system
    serial = text(system.get(known.serial_key))
    board = text(system.get("SerialNumber"))
    return System(
        id=name(system),
        uuid=_uuid(system.get("UUID")),
        serial=serial or board,
        board_serial=board if serial and board != serial else None,
        sku=text(system.get("SKU")),
        asset_tag=text(system.get("AssetTag")),
        vendor=canonical_name(text(system.get("Manufacturer"))),
        model=text(system.get("Model")),
        bios=text(system.get("BiosVersion")),
        power=POWER.get(str(system.get("PowerState"))),  # type: ignore[arg-type]
        boot_mode=BOOT_MODES.get(str(dig(system, "Boot", "BootSourceOverrideMode"))),  # type: ignore[arg-type]
    )


def _uuid(value: object) -> str | None:
    try:
        found = uuid.UUID(str(value))
    except ValueError:
        return None
    return None if found.int in (0, 2**128 - 1) else str(found)


def _identity(system: System, bmc: Bmc) -> str:
    """The serial, or the next best thing that stays with the server."""
    return system.serial or system.uuid or (bmc.macs[0] if bmc.macs else bmc.address)


def _location(one: ServerTree, target: Target) -> Location:
    """Where the operator says it stands, else where the BMC says; never half of each."""
    said = target.location
    if said.rack or said.unit:
        return said
    for chassis in one.chassis:
        rack, unit = _place(chassis)
        if rack or unit:
            break
    else:
        rack, unit = None, None
    return Location(site=said.site, rack=rack, unit=unit)


def _place(chassis: Resource) -> tuple[str | None, int | None]:
    place = dig(chassis, "Location", "Placement")
    rack, unit = text(dig(place, "Rack")), count(dig(place, "RackOffset"))
    if not rack and dig(chassis, "Location", "InfoFormat") == "DataCenter;RoomName;Aisle;RackName;RackSlot":
        fields = str(dig(chassis, "Location", "Info")).split(";")
        if len(fields) == 5:
            rack, unit = text(fields[3]), int(fields[4]) if re.fullmatch("[1-9][0-9]?", fields[4]) else unit
    return rack, unit if rack else None


def verdict(system: System, parts: Mapping[str, object], notes: Iterable[Note] = ()) -> Verdict:
    """Whether a site can be planned from what this BMC tells."""
    if not (system.serial or system.uuid):
        return Verdict(status="unsupported", reasons=("the BMC tells neither serial nor UUID: the server could not be recognised again",))
    memory_ = parts["memory"]
    unknown = [part for part in ("processors", "nics", "disks", "volumes") if parts[part] is None]
    if isinstance(memory_, Memory) and memory_.bytes is None:
        unknown.append("memory")
    if {"processors", "memory", "nics", "disks"} <= set(unknown):
        return Verdict(status="unsupported", reasons=("the BMC tells nothing of processors, memory, network ports and disks",))
    reasons = [f"unknown: {', '.join(unknown)}"] if unknown else []
    if any(note.code in INCOMPLETE for note in notes):
        reasons.append("something could not be read: see the warnings")
    if system.power == "off":
        reasons.append("the server is off: link states, and on some makers processors and memory, are known only when it is on")
    return Verdict(status="limited" if reasons else "supported", reasons=tuple(reasons))
