# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with the roles of a site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..errors import counted
from .amounts import listed
from .identity import Identity
from .intent import Intent
from .machines import Machine, matches_any, unmatched
from .objections import Found, Kind
from .servers import Role
from .wishes import Stretch

ORDER: tuple[Role, ...] = ("control", "network", "compute", "storage", "monitoring", "fmc", "arbiter", "spare")
ROLE_RULES = ("control", "network", "compute", "storage", "monitoring", "spare")
FEWEST_SERVERS = 3
FEWEST_STORAGE = 3

TOO_FEW_SERVERS = Kind(
    code="too_few_servers",
    title="Fewer than three servers",
    rank=1,
    why="Galera, RabbitMQ, OVN, etcd and the Ceph monitors each need three members to survive the loss of one.",
    cure="Add servers to bmc.yml and discover again, or take fewer out by exclude, spare and the dedicated FMC",
)
CONTROL_COUNT_WRONG = Kind(
    code="control_count",
    title="The number of control servers is even, or too small",
    rank=10,
    why="Galera, RabbitMQ and OVN's databases decide by majority: an even number survives no more than one less.",
    cure="Use 3, or 5 for a large site",
)
FMC_COUNT_WRONG = Kind(
    code="fmc_count",
    title="The number of FMC servers is even, or too small",
    rank=10,
    why="etcd decides by majority, and the state of the whole fleet is in it.",
    cure="Use 3 or 5 servers in fmc.servers",
)
TOO_FEW_FOR_ROLE = Kind(
    code="too_few_for_role",
    title="A role finds fewer servers than it wants",
    rank=10,
    why="What is missing is quorum or capacity.",
    cure="Loosen only, never and exclude, lower the count, or add servers",
)
NO_COMPUTE = Kind(
    code="no_compute",
    title="No server is left for guests",
    rank=10,
    why="A cloud without compute servers runs nothing; Kolla's prechecks refuse it.",
    cure="Add servers, or use layout hci",
)
NO_NETWORK = Kind(
    code="no_network",
    title="No server is left for load balancers and gateways",
    rank=10,
    why="The VIPs, HAProxy and the way out for guests stand on the network servers; Kolla's prechecks refuse a site without.",
    cure="Give roles.network a count of 3, or leave it out",
)
TOO_FEW_STORAGE = Kind(
    code="too_few_storage",
    title="Fewer than three storage servers",
    rank=10,
    why="Three copies need three servers.",
    cure="Add servers with data disks, allow more disks in disks, or use layout hci",
)
PIN_REFUSED = Kind(
    code="pin_refused",
    title="Pins and rules contradict each other",
    rank=30,
    why="The plan cannot follow both.",
    cure="Raise count, or take a pin out",
)
ROLE_WOULD_MOVE = Kind(
    code="role_would_move",
    title="Servers would lose a role",
    rank=20,
    why="Data, guests or quorum members would have to leave them first; a plan alone does not move them.",
    cure="Undo the change in layout, roles or fmc; or move the work away and add `roles` to allow_moves",
)
QUORUM_IN_RACK = Kind(
    code="quorum_in_rack",
    title="A majority stands in one rack",
    severity="warning",
    why="If that rack loses power, the quorum is lost with it.",
    cure="Spread the servers over three racks, or pin the role to servers of different racks",
)
PLACES_UNKNOWN = Kind(
    code="places_unknown",
    title="The racks of servers are unknown",
    severity="warning",
    why="Quorum members and copies cannot be spread over racks that are not known.",
    cure="Give rack and unit beside the address in bmc.yml, and discover again",
)
MIXED_PROCESSORS = Kind(
    code="mixed_processors",
    title="Compute servers have processors of different makers",
    severity="warning",
    why="A running guest cannot move between them.",
    cure="Make host aggregates by maker, or leave one kind out of roles.compute",
)
MIXED_ARCHITECTURES = Kind(
    code="mixed_architectures",
    title="Servers have processors of different architectures",
    rank=20,
    why="Images, packages and containers are made for one architecture.",
    cure="Leave one kind out by exclude; a site has one architecture",
)
SITE_UNKNOWN = Kind(
    code="stretch_site",
    title="A site of the stretched cluster has no server",
    rank=10,
    why="Each data site holds half of the copies, and the arbiter decides which half goes on.",
    cure="Give site beside the addresses in bmc.yml, or correct the names in stretch",
)


def check_roles(identity: Identity, intent: Intent, roles: Mapping[str, tuple[Role, ...]]) -> list[Found]:
    machines = identity.machines
    holders: Mapping[str, list[Machine]] = {role: [one for one in machines if role in roles[one.id]] for role in ORDER}
    absent: Mapping[str, int] = Counter[str](role for one in identity.absent for role in one.roles)
    if len(machines) + len(identity.absent) < FEWEST_SERVERS:
        said = f"{counted(len(machines), 'server')} can be planned with, and at least {FEWEST_SERVERS} are needed"
        return [TOO_FEW_SERVERS.of("servers", said), *_selectors(machines, intent)]
    found = [*_selectors(machines, intent), *_counts(intent, holders, absent), *_processors(machines, holders["compute"])]
    if machines and not all(one.rack for one in machines):
        missing = [one.name for one in machines if not one.rack]
        found.append(PLACES_UNKNOWN.of("location", f"the rack of {listed(missing)} is unknown"))
    racks = {one.rack for one in machines if one.rack}
    found += [*_pins(machines, intent, roles), *(_stretched(machines, intent.stretch) if intent.stretch else ())]
    for role in ("control", "fmc"):
        counts = Counter(one.rack for one in holders[role] if one.rack)
        rack, most = max(counts.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if len(racks) > 1 and most * 2 > len(holders[role]) > 1:
            found.append(QUORUM_IN_RACK.of(f"{role} servers", f"{most} of {len(holders[role])} {role} servers stand in rack {rack}"))
    return found


def _counts(intent: Intent, holders: Mapping[str, Sequence[Machine]], absent: Mapping[str, int]) -> Iterator[Found]:
    for role, kind, rule, path in (
        ("control", CONTROL_COUNT_WRONG, intent.roles.control, "roles.control.count"),
        ("fmc", FMC_COUNT_WRONG, intent.fmc.servers, "fmc.servers.count"),
    ):
        have = len(holders[role]) + absent[role]
        wanted = rule.count if rule.count is not None else FEWEST_SERVERS
        if wanted < FEWEST_SERVERS or wanted % 2 == 0:
            yield kind.of(path, f"{path} is {wanted}", path=path)
        elif have < wanted:
            yield TOO_FEW_FOR_ROLE.of(
                f"{role} servers", f"{wanted} servers shall be {role}, and {have} can be", path=path.rpartition(".")[0]
            )
        elif have % 2 == 0:
            yield kind.of(path, f"{have} servers are {role}", path=path)
    if not holders["compute"]:
        yield NO_COMPUTE.of("compute servers", "no server is left for the role compute")
    if len(holders["storage"]) + absent["storage"] < FEWEST_STORAGE:
        yield TOO_FEW_STORAGE.of("storage servers", f"{len(holders['storage'])} servers have the role storage")
    if not holders["network"]:
        yield NO_NETWORK.of("network servers", "no server has the role network", path="roles.network")
    for role in ("network", "compute", "storage", "monitoring", "spare"):
        wish = getattr(intent.roles, role).count
        have = len(holders[role]) + absent[role]
        if wish is not None and have < wish:
            yield TOO_FEW_FOR_ROLE.of(f"{role} servers", f"{wish} servers shall be {role}, and {have} can be", path=f"roles.{role}")


def _stretched(machines: Sequence[Machine], stretch: Stretch) -> Iterator[Found]:
    names = (*stretch.sites, stretch.arbiter)
    sites = {one.server.location.site for one in machines}
    for site in names:
        if site not in sites:
            yield SITE_UNKNOWN.of(site, f"stretch names the site {site}, and no server stands there", path="stretch")
    if len(set(names)) < len(names):
        yield SITE_UNKNOWN.of(
            "stretch", f"stretch names one site twice: {', '.join(names)}", cure="Name three different sites", path="stretch"
        )
    if outside := [one.name for one in machines if one.server.location.site not in names]:
        said = f"{listed(outside)} stand in none of the sites {', '.join(names)}"
        yield SITE_UNKNOWN.of("stretch", said, cure="Leave them out by exclude, or give their site in bmc.yml", path="stretch")


def _selectors(machines: Sequence[Machine], intent: Intent) -> Iterator[Found]:
    named = [(one.server, one.name) for one in machines]
    rules = {f"roles.{role}": getattr(intent.roles, role) for role in ROLE_RULES}
    for where, rule in {**rules, "fmc.servers": intent.fmc.servers}.items():
        for key in ("only", "pin", "never"):
            yield from unmatched(named, getattr(rule, key), f"{where}.{key}")


def _pins(machines: Sequence[Machine], intent: Intent, roles: Mapping[str, tuple[Role, ...]]) -> Iterator[Found]:
    """Pins that were not followed: never, exclude, spare, or another role that stands alone, says the contrary."""
    for role in (*ROLE_RULES, "fmc"):
        rule = intent.fmc.servers if role == "fmc" else getattr(intent.roles, role)
        where = "fmc.servers" if role == "fmc" else f"roles.{role}"
        lost = [one.name for one in machines if role not in roles[one.id] and rule.pin and matches_any(one.server, one.name, rule.pin)]
        if lost:
            said = f"{listed(lost)} {'is' if len(lost) == 1 else 'are'} pinned to {role}, and another rule keeps the role away"
            yield PIN_REFUSED.of(where, said, path=f"{where}.pin")


def _maker(machine: Machine) -> str | None:
    model = (machine.server.processors or ())[0].model or ""
    return next(
        (maker for maker, words in (("AMD", ("AMD", "EPYC")), ("Intel", ("Intel", "Xeon"))) if any(w in model for w in words)), None
    )


def _processors(machines: Sequence[Machine], compute: Sequence[Machine]) -> Iterator[Found]:
    makers = Counter(maker for one in compute if (maker := _maker(one)))
    if len(makers) > 1:
        yield MIXED_PROCESSORS.of("compute servers", ", ".join(f"{number} with {maker}" for maker, number in sorted(makers.items())))
    kinds = Counter((one.server.processors or ())[0].architecture for one in machines)
    known = {kind: number for kind, number in kinds.items() if kind}
    if len(known) > 1:
        yield MIXED_ARCHITECTURES.of("servers", ", ".join(f"{number} with {kind}" for kind, number in sorted(known.items())))
