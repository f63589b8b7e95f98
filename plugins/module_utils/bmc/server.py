# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One record per server: identity, place, verdict, and the parts put together."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping

from .compute import accelerators, memory, processors
from .hardware import Bmc, Location, Memory, Note, Reading, Server, System, Verdict
from .network import manager_macs, nics
from .payload import Resource, count, dig, text
from .storage import disks, health, volumes
from .targets import Target
from .tree import BmcTree, ServerTree
from .vendors import Vendor, canonical_name

POWER = {"On": "on", "PoweringOff": "on", "Off": "off", "PoweringOn": "off"}
BOOT_MODES = {"UEFI": "uefi", "Legacy": "bios"}
UNVERIFIED = Note(code="tls_unverified", text="the BMC's certificate is not verified: anybody on the way could read the password")


def servers(tree: BmcTree, target: Target, reading: Reading) -> list[Server]:
    """The records of all servers behind one BMC."""
    found = []
    shared = len({text(one.system.get("SerialNumber")) for one in tree.servers}) < len(tree.servers)
    for one in tree.servers:
        record = _server(one, tree, target, reading, shared=shared)
        # A slot without a host: nothing in it, and no name of its own.
        if record.processors or record.memory.bytes or record.system.serial or record.system.uuid:
            found.append(record)
    return found


def _server(one: ServerTree, tree: BmcTree, target: Target, reading: Reading, *, shared: bool) -> Server:
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
        id=_identity(system, bmc, shared=shared),
        bmc=bmc,
        system=system,
        **parts,  # type: ignore[arg-type]
        location=_location(one, target),
        health=health(one.system),
        verdict=verdict(system, parts),
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
        id=text(system.get("Id")),
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


def _identity(system: System, bmc: Bmc, *, shared: bool) -> str:
    """The serial where it is one server's alone; servers behind one BMC may share it, and then their place tells them apart."""
    base = system.serial or system.uuid or (bmc.macs[0] if bmc.macs else bmc.address)
    return f"{base}/{system.id}" if shared else base


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


def verdict(system: System, parts: Mapping[str, object]) -> Verdict:
    """Whether a site can be planned from what this BMC tells."""
    if not (system.serial or system.uuid):
        return Verdict(status="unsupported", reasons=("the BMC tells neither serial nor UUID: the server could not be recognised again",))
    memory_ = parts["memory"]
    unknown = [name for name in ("processors", "nics", "disks", "volumes") if parts[name] is None]
    if isinstance(memory_, Memory) and memory_.bytes is None:
        unknown.append("memory")
    if {"processors", "memory", "nics", "disks"} <= set(unknown):
        return Verdict(status="unsupported", reasons=("the BMC tells nothing of processors, memory, network ports and disks",))
    reasons = [f"unknown: {', '.join(unknown)}"] if unknown else []
    if system.power == "off":
        reasons.append("the server is off: link states, and on some makers processors and memory, are known only when it is on")
    return Verdict(status="limited" if reasons else "supported", reasons=tuple(reasons))
