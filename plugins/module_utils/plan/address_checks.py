# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can speak against the addresses of servers."""

from __future__ import annotations

from .objections import Kind

ADDRESS_WOULD_MOVE = Kind(
    code="address_would_move",
    title="A server would get another address",
    rank=30,
    why="Monitors, Galera, RabbitMQ, etcd and certificates know a server by its address; a new one takes it out of all of them.",
    cure="Take the change of the network back, or add `addresses` to allow_moves if nothing is deployed yet",
)
BMC_CURE = "Give the BMC another address and discover again, or add `addresses` to allow_moves if nothing is deployed yet"
ADDRESS_TWICE = Kind(
    code="address_twice",
    title="Two servers have one address in the previous plan",
    rank=30,
    why="Only one of them can keep it; the other gets a new one.",
    cure="Find out which of them uses the address; restore the previous plan from before it was edited",
)
RANGE_EXHAUSTED = Kind(
    code="range_exhausted",
    title="A network has too few addresses",
    rank=32,
    why="Every server needs an address in each of its networks, and absent ones keep theirs.",
    cure="Add to ranges, take entries out of reserved, use a larger cidr, or list servers that are gone under removed",
)
