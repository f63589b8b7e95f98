# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a loss means: the same questions to what is left, whatever was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .amounts import listed, size
from .capacity import usable_of, width
from .loss_state import Remains
from .types import Pool


@dataclass(frozen=True, slots=True)
class Service:
    """A service that needs a majority of its members, or one of them."""

    members: str
    needs: Literal["majority", "one"]
    holds: str
    fails: str


# In the order of members_of in loss_state.py.
SERVICES = (
    Service("monitors", "majority", "quorum holds", "the quorum is lost and all of Ceph stops"),
    Service(
        "control servers",
        "majority",
        "Galera and RabbitMQ keep their majority",
        "Galera and RabbitMQ lose their majority and the APIs stop",
    ),
    Service("OVN databases", "majority", "Raft keeps its majority", "Raft loses its majority: networks run on, and cannot be changed"),
    Service("FMC servers", "majority", "etcd keeps its majority", "etcd loses its majority and the FMC stops"),
    Service("Ceph managers", "one", "another one takes over", "Ceph cannot be managed"),
    Service("object gateways", "one", "the load balancer sends requests to the others", "object storage stops"),
    Service("metadata servers", "one", "a standby takes over", "the file system stops"),
    Service("load balancers", "one", "the VIPs move", "all VIPs are gone and the APIs stop"),
    Service("network gateways", "one", "routers move", "guests lose the outside network"),
    Service("compute servers", "one", "lost guests can be started on the others", "no guest can run"),
)


@dataclass(frozen=True, slots=True)
class Judge:
    """Looks at what is left, and knows how it was before."""

    before: Remains
    planned: tuple[int, ...]
    pools: tuple[Pool, ...]
    full_percent: int

    def verdict(self, after: Remains) -> tuple[bool, tuple[str, ...]]:
        """Whether every service and all data stay, and what happens."""
        answers = [*self._services(after), *self._data(after), *self._links(after)]
        effects = [text for _, text in answers if text]
        if after.guests < self.before.guests:
            effects.append(f"{after.guests * 100 // self.before.guests} % of the memory for guests stays")
        return all(fine for fine, _ in answers), tuple(effects)

    def _services(self, after: Remains) -> Iterator[tuple[bool, str]]:
        for service, planned, was, left in zip(SERVICES, self.planned, self.before.services, after.services, strict=True):
            if not planned:
                continue
            fine = left * 2 > planned if service.needs == "majority" else left > 0
            if left != was or not fine:
                stay = "stays" if left == 1 else "stay"
                yield fine, f"{left} of {planned} {service.members} {stay}: {service.holds if fine else service.fails}"

    def _data(self, after: Remains) -> Iterator[tuple[bool, str]]:
        lost = self.before.raw - after.raw
        if not lost:
            return
        gone, stopped = [], []
        for pool in self.pools:
            left = self._left(pool, after.hits)
            if left < (pool.data_chunks or 1):
                gone.append(pool.name)
            elif left < (pool.minimum or 1):
                stopped.append(pool.name)
        if gone:
            yield False, f"data of these pools cannot be read until it is back: {listed(gone)}"
        if stopped:
            yield False, f"these pools take no writes until copies are made again: {listed(stopped)}"
        yield True, self._again(after, lost)

    def _left(self, pool: Pool, hits: Sequence[int]) -> int:
        """How many copies or chunks the worst-placed object of a pool keeps: of each failure domain that was hit it may lose one."""
        each = width(pool) // len(hits)
        placed = min(each, self.before.domains)
        return sum(placed - min(hit, placed) for hit in hits)

    def _again(self, after: Remains, lost: int) -> str:
        """Whether the copies can be made again, and up to what filling there is room for them."""
        if any(width(pool) > after.domains for pool in self.pools):
            return "no place to make the copies again: the pools stay degraded until it is back"
        room = usable_of(after.domains, after.raw, after.largest, self.pools) * self.full_percent // 100
        moved = lost * self.full_percent // 100
        return f"Ceph makes up to {size(moved)} of copies again; there is room while no more than {size(room)} is stored"

    def _links(self, after: Remains) -> Iterator[tuple[bool, str]]:
        for link, left, ports in after.links:
            if left:
                yield True, f"the link `{link}` runs on {left} of {ports} ports"
            else:
                yield False, f"the link `{link}` has no port left"
        if after.cut:
            yield False, f"the server loses these networks: {', '.join(after.cut)}"
