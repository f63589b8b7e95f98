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


def plan_capacity(
    domains: Mapping[str, int], pools: Sequence[Pool], full_percent: int, osds: int, *, sites: Mapping[str, str] | None = None
) -> tuple[Capacity, list[Found]]:
    """`domains` has the raw bytes of each failure domain; `sites`, where Ceph is stretched over two, the site of each domain. Each of the
    two then holds half of the copies, so that the smaller one decides."""
    groups = _by_site(domains, sites)
    parts = len(groups)
    capacity = Capacity(
        raw=sum(domains.values()),
        usable=min(usable(one, pools, full_percent, parts) for one in groups.values()),
        safe=min(safe(one, pools, full_percent, parts) for one in groups.values()),
    )
    found = []
    if osds < MINIMUM_OSDS:
        found.append(TOO_FEW_OSDS.of("ceph", f"the site has {osds} OSDs, at least {MINIMUM_OSDS} are needed"))
    if not capacity.usable:
        needed = -(-max(map(width, pools), default=1) // parts)
        text = f"{min(map(len, groups.values()))} failure domains have OSDs{' in the smaller site' if sites is not None else ''}"
        found.append(NO_CAPACITY.of("ceph", f"{text}; the pools need {needed}"))
    else:
        found += _unequal(domains, groups, pools)
    return capacity, found


def _by_site(domains: Mapping[str, int], sites: Mapping[str, str] | None) -> dict[str, list[int]]:
    """The sizes of the failure domains of each part of the site that holds its own copies. Where only one has OSDs the other is empty."""
    if sites is None:
        return {"": [one for one in domains.values() if one > 0]}
    groups: dict[str, list[int]] = {}
    for domain, amount in domains.items():
        if amount > 0 and domain in sites:
            groups.setdefault(sites[domain], []).append(amount)
    return groups if len(groups) > 1 else {**groups, "the other site": []} if groups else {"one site": [], "the other site": []}


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


def usable(amounts: Sequence[int], pools: Sequence[Pool], full_percent: int, parts: int = 1) -> int:
    """What may be stored on failure domains of such sizes. A pool's share is its part of each of them."""
    total = sum(amounts)
    largest = sorted(amounts, reverse=True)[: max(map(width, pools), default=0)]
    return usable_of(len(amounts), total, largest, pools, parts) * full_percent // 100


def usable_of(count: int, total: int, largest: Sequence[int], pools: Sequence[Pool], parts: int = 1) -> int:
    """The same for `count` domains with `total` bytes, of which only the sizes of the largest matter; up to the last byte.

    With `parts` these are the domains of one of so many sites, each of which holds its part of the copies of all that is stored.
    """
    shares = [one.share for one in pools]
    weights = shares if any(shares) else [1] * len(pools)
    wide = [-(-width(one) // parts) for one in pools]
    reach = {one: layer(count, total, largest, one) for one in set(wide)}
    held = (
        weight * reach[here] * (one.data_chunks or 1 if one.copies is None else 1)
        for one, weight, here in zip(pools, weights, wide, strict=True)
    )
    return sum(held) // sum(weights) if pools else 0


def layer(count: int, total: int, largest: Sequence[int], wide: int) -> int:
    """The largest x with sum(min(size, x)) ≥ wide · x: so much each of `wide` copies or chunks can have, each in another domain.

    For every t < wide, sum(min(size, x)) is at most all but the t largest sizes, plus t · x; so x ≤ (all but the t largest) / (wide - t).
    For the t that are really larger than x this is an equation: the smallest of these bounds is the answer.
    """
    if count < wide:
        return 0
    without = [total, *(total - one for one in accumulate(largest[: wide - 1]))]
    return min(left // (wide - taken) for taken, left in enumerate(without))


def safe(amounts: Sequence[int], pools: Sequence[Pool], full_percent: int, parts: int = 1) -> int:
    """What may be stored so that all copies can be made again without the largest domain."""
    left = sorted(amounts)[:-1]
    used = [one for one in pools if one.share] or pools
    return usable(left, pools, full_percent, parts) if all(width(one) <= len(left) * parts for one in used) else 0


def _unequal(domains: Mapping[str, int], groups: Mapping[str, Sequence[int]], pools: Sequence[Pool]) -> list[Found]:
    raw, weights = sum(domains.values()), [one.share for one in pools]
    weights = weights if any(weights) else [1] * len(pools)
    held = sum(weight * _filled(groups, width(one)) for one, weight in zip(pools, weights, strict=True)) // sum(weights)
    idle = raw - held
    if idle * 100 <= raw * UNREACHABLE:
        return []
    totals = {site: sum(amounts) for site, amounts in groups.items()}
    # The site is to blame if it alone would be worth the word, else the domain.
    amounts = totals if (max(totals.values()) - min(totals.values())) * 100 > raw * UNREACHABLE else domains
    name = max(sorted(amounts), key=lambda one: amounts[one])
    text = f"{size(idle)} of {size(raw)} cannot be filled: {name} alone has {size(amounts[name])}, the others {size(raw - amounts[name])}"
    return [UNEQUAL_DOMAINS.of(name, text)]


def _filled(groups: Mapping[str, Sequence[int]], wide: int) -> int:
    """How many raw bytes a pool can fill that has all the room: the same in each site."""
    here = -(-wide // len(groups))
    return here * len(groups) * min(layer(len(one), sum(one), sorted(one, reverse=True), here) for one in groups.values())
