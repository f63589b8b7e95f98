# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the site can hold, and how much of that it can hold safely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from .amounts import size
from .objections import Found, Kind
from .servers import Osd
from .types import Pool

TOO_FEW_OSDS = Kind(
    code="too_few_osds",
    title="Too few OSDs",
    rank=10,
    why="Below six OSDs one dead disk takes so much of the site that its copies do not fit on the others.",
    cure="Add disks; or see the warnings on disks that were left out, and allow those that may be wiped by disks.wipe",
    follows=("too_few_servers", "too_few_storage"),
)
UNEQUAL_DOMAINS = Kind(
    code="unequal_domains",
    title="Failure domains of very unequal size",
    severity="warning",
    rank=60,
    why="Each copy goes to another failure domain, so what one has more than the others cannot be filled.",
    cure="Spread the disks more evenly, or add failure domains",
)
NO_CAPACITY = Kind(
    code="no_capacity",
    title="The site can hold no data",
    rank=10,
    why="There is no pool that has enough failure domains with OSDs for its copies or chunks.",
    cure="Add storage servers or racks with disks, or ask for fewer copies",
    follows=("too_few_osds", "too_few_servers", "too_few_storage", "too_many_copies"),
)
MIXED_CLASSES = Kind(
    code="mixed_classes",
    title="Rotating disks and flash share the pools",
    severity="warning",
    rank=50,
    why="A pool without a rule for a device class lies on all of them, and each write waits for the slowest disk that has a copy.",
    cure="Narrow the OSDs to one class by disks.osd or disks.never, or give each class pools of its own after the deployment",
)
MINIMUM_OSDS = 6
# Up to this part of the raw space in percent may be out of reach before it is worth a word.
UNREACHABLE = 10


@dataclass(frozen=True, slots=True)
class Capacity:
    """Bytes. `usable` may be stored while all is well. `safe` may be stored so that after the loss of the largest failure
    domain all copies can be made again on the others; it is 0 where a pool then has too few domains."""

    raw: int
    usable: int
    safe: int


def plan_capacity(domains: Mapping[str, int], pools: Sequence[Pool], full_percent: int, osds: int) -> tuple[Capacity, list[Found]]:
    """`domains` has the raw bytes of each failure domain."""
    amounts = [one for one in domains.values() if one > 0]
    capacity = Capacity(raw=sum(amounts), usable=usable(amounts, pools, full_percent), safe=safe(amounts, pools, full_percent))
    found = []
    if osds < MINIMUM_OSDS:
        found.append(TOO_FEW_OSDS.of("ceph", f"the site has {osds} OSDs, at least {MINIMUM_OSDS} are needed"))
    if not capacity.usable:
        text = f"{len(amounts)} failure domains have OSDs; the pools need {max(map(width, pools), default=1)}"
        found.append(NO_CAPACITY.of("ceph", text))
    else:
        found += _unequal(domains, pools)
    return capacity, found


def mixed_classes(osds: Iterable[Osd]) -> list[Found]:
    """Whether the OSDs of the site rotate in part."""
    amounts: dict[str, list[int]] = {}
    for one in osds:
        amounts.setdefault("rotating disks" if one.device_class == "hdd" else "flash", []).append(one.bytes)
    if len(amounts) < 2:
        return []
    said = " and ".join(f"{len(them)} OSDs with {size(sum(them))} on {name}" for name, them in sorted(amounts.items()))
    return [MIXED_CLASSES.of("ceph", f"the same pools lie on {said}")]


def width(pool: Pool) -> int:
    """On how many failure domains each object of a pool lies."""
    return pool.copies or (pool.data_chunks or 0) + (pool.coding_chunks or 0) or 1


def usable(amounts: Sequence[int], pools: Sequence[Pool], full_percent: int) -> int:
    """What may be stored on failure domains of such sizes. A pool's share is its part of each of them."""
    total = sum(amounts)
    largest = sorted(amounts, reverse=True)[: max(map(width, pools), default=0)]
    return usable_of(len(amounts), total, largest, pools) * full_percent // 100


def usable_of(count: int, total: int, largest: Sequence[int], pools: Sequence[Pool]) -> int:
    """The same for `count` domains with `total` bytes, of which only the sizes of the largest matter; up to the last byte."""
    shares = [one.share for one in pools]
    weights = shares if any(shares) else [1] * len(pools)
    reach = {wide: layer(count, total, largest, wide) for wide in {width(one) for one in pools}}
    parts = (
        weight * reach[width(one)] * (one.data_chunks or 1 if one.copies is None else 1) for one, weight in zip(pools, weights, strict=True)
    )
    return sum(parts) // sum(weights) if pools else 0


def layer(count: int, total: int, largest: Sequence[int], wide: int) -> int:
    """The largest x with sum(min(size, x)) ≥ wide · x: so much each of `wide` copies or chunks can have, each in another domain.

    For every t < wide, sum(min(size, x)) is at most all but the t largest sizes, plus t · x; so x ≤ (all but the t largest) / (wide - t).
    For the t that are really larger than x this is an equation: the smallest of these bounds is the answer.
    """
    if count < wide:
        return 0
    without = [total, *(total - one for one in accumulate(largest[: wide - 1]))]
    return min(left // (wide - taken) for taken, left in enumerate(without))


def safe(amounts: Sequence[int], pools: Sequence[Pool], full_percent: int) -> int:
    """What may be stored so that all copies can be made again without the largest domain."""
    left = sorted(amounts)[:-1]
    used = [one for one in pools if one.share] or pools
    return usable(left, pools, full_percent) if all(width(one) <= len(left) for one in used) else 0


def _unequal(domains: Mapping[str, int], pools: Sequence[Pool]) -> list[Found]:
    amounts = sorted(domains.values(), reverse=True)
    raw, weights = sum(amounts), [one.share for one in pools]
    weights = weights if any(weights) else [1] * len(pools)
    held = sum(
        weight * width(one) * layer(len(amounts), raw, amounts, width(one)) for one, weight in zip(pools, weights, strict=True)
    ) // sum(weights)
    idle = raw - held
    if idle * 100 <= raw * UNREACHABLE:
        return []
    name = max(sorted(domains), key=lambda one: domains[one])
    text = f"{size(idle)} of {size(raw)} cannot be filled: {name} alone has {size(domains[name])}, the others {size(raw - domains[name])}"
    return [UNEQUAL_DOMAINS.of(name, text)]
