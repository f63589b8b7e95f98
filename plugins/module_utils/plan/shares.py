# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How memory and cores of a server are shared between the host, Ceph, the control services, the FMC and the guests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .amounts import GIB, gib, listed
from .disk_facts import DeviceClass
from .intent import Intent
from .machines import Machine
from .objections import Found, Kind
from .servers import CpuShares, MemoryShares, Osd, Role
from .wishes import NodeClass

MEMORY_TOO_SMALL = Kind(
    code="memory_too_small",
    title="The memory is too small for what runs there",
    rank=20,
    why="When OSDs, control services and guests together want more than there is, the kernel kills one of them, and often the wrong one.",
    cure="Add memory, use fewer disks as OSDs (disks.osd), or move roles to other servers",
)
NO_GUEST_MEMORY = Kind(
    code="no_guest_memory",
    title="A compute server has no memory for guests",
    rank=40,
    why="Nova would start nothing there.",
    cure="Add memory, take the role from the server by roles.compute.never, or lower fmc.memory_gib or ceph.osd_memory_gib",
)
OSD_MEMORY_LOWERED = Kind(
    code="osd_memory_lowered",
    title="OSDs get less memory than is good for them",
    severity="warning",
    rank=60,
    why="With a smaller cache an OSD on flash reads its own metadata again and again.",
    cure="Add memory, or accept it by setting ceph.osd_memory_gib",
)
RESERVED_TOO_SMALL = Kind(
    code="reserved_too_small",
    title="Nova reserves less memory than the other services need",
    rank=20,
    why="Nova would hand out memory that OSDs and control services use, and the kernel kills one of them.",
    cure="Raise openstack.reserved_memory_gib, or leave it out and let the plan compute it",
)
CORES_TOO_FEW = Kind(
    code="cores_too_few",
    title="The cores are too few for what runs there",
    severity="warning",
    rank=60,
    why="OSDs and guests wait for each other; during a recovery the guests feel it.",
    cure="Use servers with more cores, fewer OSDs on each, or move roles to other servers",
)
BELOW_CLASS = Kind(
    code="below_class",
    title="Servers are smaller than their class",
    severity="warning",
    rank=70,
    why="The classes are what such sites are usually built of; less works, and carries less.",
    cure="Use larger servers for the role, or change classes to what you have",
)

# The host: kernel, agents, container engine, page cache. 1.6 % of memory is the kernel's own table of pages (64 bytes for 4 KiB);
# the BMC counts what is plugged in, before that.
SYSTEM, SYSTEM_PERCENT = 4 * GIB, 2
# Kolla's control plane: MariaDB, RabbitMQ, Memcached, and the APIs of eight projects with their workers.
CONTROL = 32 * GIB
# OpenSearch: 4 GiB of heap and as much again for the files that it maps. Prometheus and Grafana: series of the last two weeks in memory.
LOGGING, MONITORING = 8 * GIB, 8 * GIB
# HAProxy, keepalived, ovn-controller and the gateway's flows.
NETWORK = 2 * GIB
# MON and MGR: Ceph's hardware recommendations ask for 1 to 2 GB each in small sites and more in large ones; mon_memory_target is 2 GiB.
MONITOR = 8 * GIB
# MDS: mds_cache_memory_limit is 4 GiB, and a daemon may reach one and a half times its cache. RGW: 2 GiB for its threads and caches.
METADATA, OBJECTS = 6 * GIB, 2 * GIB
COMPUTE = 2 * GIB
# osd_memory_target is 4 GiB in Ceph; flash profits from more. One number for each server, since cephadm sets it by host.
OSD_TARGET: Mapping[DeviceClass, int] = {"hdd": 4 * GIB, "ssd": 6 * GIB, "nvme": 8 * GIB}
OSD_LEAST = 4 * GIB
# The target is no limit: Ceph's hardware recommendations add 20 % for spikes, such as a recovery.
OSD_SPIKE = 20
GUESTS_LEAST = 8 * GIB

SYSTEM_CORES, CONTROL_CORES, MONITORING_CORES, MONITOR_CORES = 2, 8, 2, 2
OSD_CORES: Mapping[DeviceClass, int] = {"hdd": 1, "ssd": 2, "nvme": 4}
# Cores can be shared in time: guests keep this part of them, however much the rest is overbooked.
GUEST_CORES = 4


@dataclass(frozen=True, slots=True)
class Needs:
    system: int
    control: int
    fmc: int
    compute: int

    @property
    def total(self) -> int:
        return self.system + self.control + self.fmc + self.compute


def plan_shares(
    machine: Machine, roles: Collection[Role], osds: Sequence[Osd], intent: Intent, *, monitors: bool | None = None
) -> tuple[MemoryShares, CpuShares, list[Found]]:
    """`monitors` says that MON, MGR and their like run there too; by default they do where the control services are."""
    has_monitors = bool({"control", "arbiter"} & set(roles)) if monitors is None else monitors
    memory, found = _memory(machine, roles, osds, intent, has_monitors=has_monitors)
    cpu, more = _cores(machine, roles, osds, intent, has_monitors=has_monitors)
    return memory, cpu, [*found, *more]


def below_class(machines: Sequence[Machine], roles: Mapping[str, Collection[Role]], intent: Intent) -> list[Found]:
    """Servers with less than their class has: one sentence for each class and size."""
    found = []
    classes: tuple[tuple[Role, NodeClass], ...] = (("control", intent.classes.control), ("compute", intent.classes.compute))
    for role, wanted in classes:
        sizes: dict[tuple[int, int], list[str]] = {}
        for one in machines:
            if role in roles.get(one.id, ()) and (one.cores < wanted.cores or one.memory < wanted.memory_gib * GIB):
                sizes.setdefault((one.cores, one.memory), []).append(one.label)
        for (cores, memory), labels in sorted(sizes.items()):
            text = f"{cores} cores and {gib(memory)}; the class `{role}` has {wanted.cores} cores and {wanted.memory_gib} GiB"
            found.append(BELOW_CLASS.of(listed(sorted(labels)), text, path=f"classes.{role}"))
    return found


def _needs(machine: Machine, roles: Collection[Role], intent: Intent, *, has_monitors: bool) -> Needs:
    parts = (
        (CONTROL, "control" in roles),
        (LOGGING, "control" in roles and intent.openstack.logging),
        (MONITORING, "monitoring" in roles and intent.openstack.monitoring),
        (NETWORK, "network" in roles),
        (MONITOR, has_monitors),
        (METADATA, has_monitors and intent.ceph.file_system and "arbiter" not in roles),
        (OBJECTS, has_monitors and intent.ceph.object_gateway and "arbiter" not in roles),
    )
    return Needs(
        system=SYSTEM + machine.memory * SYSTEM_PERCENT // 100,
        control=sum(amount for amount, needed in parts if needed),
        fmc=intent.fmc.memory_gib * GIB if "fmc" in roles else 0,
        compute=COMPUTE if "compute" in roles else 0,
    )


def _memory(
    machine: Machine, roles: Collection[Role], osds: Sequence[Osd], intent: Intent, *, has_monitors: bool
) -> tuple[MemoryShares, list[Found]]:
    needs, found = _needs(machine, roles, intent, has_monitors=has_monitors), []
    wanted = intent.ceph.osd_memory_gib
    target = _target(osds) if wanted is None else wanted * GIB
    least = GUESTS_LEAST if "compute" in roles else 0
    if wanted is None and target > OSD_LEAST and needs.total + _of_osds(osds, target) + least > machine.memory:
        if needs.total + _of_osds(osds, OSD_LEAST) + least <= machine.memory:
            text = f"{gib(OSD_LEAST)} instead of {gib(target)} for each of {len(osds)} OSDs, so that all fits into {gib(machine.memory)}"
            found.append(OSD_MEMORY_LOWERED.of(machine.label, text))
        target = OSD_LEAST
    of_osds = _of_osds(osds, target)
    guests = max(0, machine.memory - needs.total - of_osds) if "compute" in roles else 0
    found += _memory_found(machine, needs, osds, target, guests, compute="compute" in roles)
    reserved = intent.openstack.reserved_memory_gib
    if reserved is not None and "compute" in roles:
        found += _reserved(machine, reserved, needs.total + of_osds)
        guests = max(0, machine.memory - reserved * GIB)
    shares = MemoryShares(
        total=machine.memory,
        system=needs.system,
        osd=of_osds,
        osd_target=target if osds else 0,
        control=needs.control,
        fmc=needs.fmc,
        compute=needs.compute,
        guests=guests,
    )
    return shares, found


def _target(osds: Sequence[Osd]) -> int:
    return sum(OSD_TARGET[one.device_class] for one in osds) // len(osds) if osds else 0


def _of_osds(osds: Sequence[Osd], target: int) -> int:
    return len(osds) * (target + target * OSD_SPIKE // 100)


def _memory_found(machine: Machine, needs: Needs, osds: Sequence[Osd], target: int, guests: int, *, compute: bool) -> Iterator[Found]:
    of_osds = _of_osds(osds, target)
    parts = (("system", needs.system), ("OSDs", of_osds), ("control", needs.control), ("FMC", needs.fmc), ("compute", needs.compute))
    said = ", ".join(f"{name} {gib(amount)}" for name, amount in parts if amount)
    left = machine.memory - needs.total
    if left < of_osds:
        fitting = max(0, left) // (_of_osds(osds[:1], target) or 1)
        text = f"{gib(machine.memory)} of memory, and {gib(needs.total + of_osds)} are needed: {said}"
        if osds and fitting:
            text += f"; {fitting} of {len(osds)} OSDs would fit with a target of {gib(target)}"
        elif osds:
            text += f"; without OSDs {gib(max(0, left))} would be left"
        yield MEMORY_TOO_SMALL.of(machine.label, text)
    elif compute and guests < GUESTS_LEAST:
        text = f"of {gib(machine.memory)} of memory {gib(guests)} are left for guests, at least {gib(GUESTS_LEAST)} are needed: {said}"
        yield NO_GUEST_MEMORY.of(machine.label, text)


def _reserved(machine: Machine, reserved: int, needed: int) -> Iterator[Found]:
    path = "openstack.reserved_memory_gib"
    if reserved * GIB < needed:
        yield RESERVED_TOO_SMALL.of(machine.label, f"{reserved} GiB are reserved, and at least {gib(needed)} are needed", path=path)
    if machine.memory - reserved * GIB < GUESTS_LEAST:
        text = f"{reserved} of {gib(machine.memory)} are reserved, which leaves less than {gib(GUESTS_LEAST)} for guests"
        yield NO_GUEST_MEMORY.of(machine.label, text, cure="Lower openstack.reserved_memory_gib, or leave it out", path=path)


def _cores(
    machine: Machine, roles: Collection[Role], osds: Sequence[Osd], intent: Intent, *, has_monitors: bool
) -> tuple[CpuShares, list[Found]]:
    of_osds = sum(OSD_CORES[one.device_class] for one in osds)
    control = CONTROL_CORES if "control" in roles else 0
    control += MONITORING_CORES if "monitoring" in roles and intent.openstack.monitoring else 0
    control += MONITOR_CORES if has_monitors else 0
    fmc = intent.fmc.cores if "fmc" in roles else 0
    left = machine.cores - SYSTEM_CORES - of_osds - control - fmc
    compute = "compute" in roles
    guests = max(left, machine.cores // GUEST_CORES) if compute else 0
    shares = CpuShares(total=machine.cores, system=SYSTEM_CORES, osd=of_osds, control=control, fmc=fmc, guests=guests)
    if left >= 0 and guests in (0, left):
        return shares, []
    parts = (("system", SYSTEM_CORES), ("OSDs", of_osds), ("control", control), ("FMC", fmc))
    said = ", ".join(f"{name} {amount}" for name, amount in parts if amount)
    if compute and left >= 0:
        text = f"{machine.cores} cores: {said} leave {left} for guests; they get {guests}, which the others share"
    else:
        text = f"{machine.cores} cores, and {machine.cores - left} are wanted: {said}"
        text += f"; guests get {guests}, which the others share" if compute else ""
    return shares, [CORES_TOO_FEW.of(machine.label, text)]
