# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The servers that can be planned with, and what the hardware document says against the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..bmc.hardware import Disk, Hardware, Nic, Server
from .objections import Found, Kind
from .selectors import Selector

NO_SERVERS = Kind(
    code="no_servers",
    title="The hardware document has no servers",
    rank=0,
    why="There is nothing to plan with.",
    cure="Name the BMCs in bmc.yml and run frontier.vitro.discover",
)
DUPLICATE_SERIAL = Kind(
    code="duplicate_serial",
    title="Two servers have one serial number",
    rank=5,
    why="Names, addresses and OSDs are bound to the serial number, so each server needs its own.",
    cure="Correct the serial number in the BMC of one of them, and discover again",
)
DUPLICATE_MAC = Kind(
    code="duplicate_mac",
    title="Two network ports have one MAC",
    rank=10,
    why="Interfaces get their names by MAC; with one MAC twice a host brings up the wrong port.",
    cure="Reset the port's address to the factory one, and discover again",
)
DUPLICATE_DISK = Kind(
    code="duplicate_disk",
    title="Two disks have one serial number",
    rank=10,
    why="OSDs are found by the serial number of their disk; the wrong disk could be wiped.",
    cure="List the disk's serial under disks.never, or replace one of the disks",
)
SERVER_UNSUPPORTED = Kind(
    code="server_unsupported",
    title="The BMC tells too little",
    rank=10,
    why="Vitro does not plan with what it cannot see.",
    cure="Update the BMC's firmware and discover again; a server that is not planned yet can be left out by exclude",
)
FACTS_MISSING = Kind(
    code="facts_missing",
    title="A fact that the plan needs is unknown",
    rank=10,
    why="A guess here could cost data or a week.",
    cure="Repair what its warnings in the hardware document name, and discover again; leave it out by exclude if it is not planned yet",
)
READING_OLD = Kind(
    code="reading_old",
    title="The server's record is from an earlier reading",
    severity="warning",
    why="What was changed in it since then is not in the plan.",
    cure="Bring its BMC back and discover again before you apply the plan",
)
SERVER_UNHEALTHY = Kind(
    code="server_unhealthy",
    title="The BMC reports the server as failing",
    severity="warning",
    why="A server that fails during the deployment costs more than one that is repaired before it.",
    cure="Look at the BMC's log and repair it, or leave the server out by exclude",
)

SELECTOR_UNMATCHED = Kind(
    code="selector_unmatched",
    title="A selector matches no server",
    rank=30,
    why="A mistyped serial, rack or model would silently change who does what.",
    cure="Correct it; the hardware document has the serials, models and racks",
)


@dataclass(frozen=True, slots=True)
class Machine:
    """A server with what the planner needs of it, none of it unknown. `number` is its place in the order of the site."""

    server: Server
    cores: int
    memory: int
    nics: tuple[Nic, ...]
    disks: tuple[Disk, ...]
    name: str = ""

    @property
    def id(self) -> str:
        return self.server.id

    @property
    def rack(self) -> str | None:
        return self.server.location.rack

    @property
    def label(self) -> str:
        """How objections call it: by its planned name and what stands on its sticker."""
        return f"{self.name} ({self.id})" if self.name else self.id


def survey(
    hardware: Hardware, exclude: Sequence[Selector], names: Mapping[str, str] | None = None, never: Sequence[str] = ()
) -> tuple[list[Machine], list[Found]]:
    """All servers that may be used, in the order of their places, and what speaks against the others.

    `names` are those of the previous plan, by id; `never` are the patterns of disks that are left alone.
    """
    named = [(one, (names or {}).get(one.id, "")) for one in hardware.servers]
    servers = [one for one, name in named if not matches_any(one, name, exclude)]
    found = [*_duplicates(servers, never), *unmatched(named, exclude, "exclude")]
    if not hardware.servers:
        found.append(NO_SERVERS.of("hardware", "the hardware document has no server"))
    machines = []
    for server in servers:
        against = list(_against(server))
        found += against
        if not any(one.kind.severity == "error" for one in against):
            machines.append(_machine(server))
    return sorted(machines, key=lambda one: _place(one.server)), found


def matches(server: Server, name: str, selector: Selector) -> bool:
    """Whether a server is meant: all that the selector gives must fit."""
    wanted = (
        (selector.serial, (server.system.serial, server.id)),
        (selector.name, (name,)),
        (selector.rack, (server.location.rack,)),
        (selector.model, (server.system.model,)),
        (selector.site, (server.location.site,)),
    )
    return all(
        pattern is None or any(fnmatchcase((value or "").lower(), pattern.lower()) for value in values) for pattern, values in wanted
    )


def matches_any(server: Server, name: str, selectors: Iterable[Selector]) -> bool:
    return any(matches(server, name, selector) for selector in selectors)


def unmatched(named: Sequence[tuple[Server, str]], selectors: Sequence[Selector], where: str) -> Iterator[Found]:
    for number, selector in enumerate(selectors):
        if not any(matches(server, name, selector) for server, name in named):
            given = ", ".join(f"{key} {value}" for key in ("serial", "name", "rack", "model", "site") if (value := getattr(selector, key)))
            yield SELECTOR_UNMATCHED.of(f"{where}.{number}", f"no server has {given or 'nothing at all'}", path=f"{where}.{number}")


def _machine(server: Server) -> Machine:
    return Machine(
        server=server,
        cores=sum(one.cores or 0 for one in server.processors or ()),
        memory=server.memory.bytes or server.memory.claimed_bytes or 0,
        nics=tuple(one for one in server.nics or () if one.kind != "infiniband"),
        disks=server.disks or (),
    )


def _place(server: Server) -> tuple[str, str, int, str]:
    """By site, by rack, from below to above; what is not known comes last."""
    at = server.location
    return (at.site or "~", at.rack or "~", at.unit if at.unit is not None else 1000, server.id)


def _against(server: Server) -> Iterator[Found]:
    if server.verdict.status == "unsupported":
        yield SERVER_UNSUPPORTED.of(
            server.id, f"{server.id} cannot be planned with: {'; '.join(server.verdict.reasons) or 'its BMC tells too little'}"
        )
        return
    unknown = [
        what
        for what, known in (
            ("its number of cores", any(one.cores for one in server.processors or ())),
            ("its memory", server.memory.bytes or server.memory.claimed_bytes),
            ("its network ports", server.nics is not None),
            ("its disks", server.disks is not None),
        )
        if not known
    ]
    if unknown:
        yield FACTS_MISSING.of(server.id, f"{server.id}: {', '.join(unknown)} could not be read")
    if any(note.code == "not_read_now" for note in server.warnings):
        yield READING_OLD.of(server.id, f"{server.id}: its BMC could not be read now, this is its record of {server.read.at}")
    if server.health == "critical":
        yield SERVER_UNHEALTHY.of(server.id, f"{server.id}: its BMC reports the health `critical`")


def _duplicates(servers: Sequence[Server], never: Sequence[str]) -> Iterator[Found]:
    serials, macs, disks = (defaultdict[str, list[str]](list) for _ in range(3))
    for server in servers:
        # The nodes of one chassis may all report its serial: they stand behind one BMC, and their ids differ.
        if server.bmc.address not in serials[server.system.serial or server.id]:
            serials[server.system.serial or server.id].append(server.bmc.address)
        for nic in server.nics or ():
            macs[nic.mac].append(server.id)
        for disk in server.disks or ():
            if not any(fnmatchcase(disk.serial.lower(), pattern.lower()) for pattern in never):
                disks[disk.serial].append(server.id)
    ids = {one: ["the document"] * times for one, times in Counter(server.id for server in servers).items()}
    kinds = (
        (DUPLICATE_SERIAL, serials, "serial number"),
        (DUPLICATE_SERIAL, ids, "id"),
        (DUPLICATE_MAC, macs, "MAC"),
        (DUPLICATE_DISK, disks, "disk"),
    )
    for kind, owners, what in kinds:
        for value, where in sorted(owners.items()):
            if len(where) > 1:
                yield kind.of(value, f"the {what} {value} is found {len(where)} times: {', '.join(sorted(set(where)))}")
