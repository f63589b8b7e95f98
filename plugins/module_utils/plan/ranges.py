# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses as numbers: spans of them, what is left of spans, and the next free one in constant time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from ipaddress import IPv6Address, ip_address, ip_network

Span = tuple[int, int]


def number(text: str) -> tuple[int, int] | None:
    """Family and number of an address, None if it is none."""
    try:
        given = ip_address(text)
    except ValueError:
        return None
    return given.version, int(given)


def spelled(value: int, version: int) -> str:
    """The address as people write it. The IPv4 form is made by hand: a site has thousands of them."""
    if version == 4:
        return f"{value >> 24}.{value >> 16 & 255}.{value >> 8 & 255}.{value & 255}"
    return str(IPv6Address(value))


def span(text: str) -> tuple[int, Span] | None:
    """Family and first and last number of `a-b`, of a CIDR or of one address. In a reversed one the first is the larger."""
    if "/" in text:
        try:
            net = ip_network(text.strip())
        except ValueError:
            return None
        return net.version, (int(net.network_address), int(net.broadcast_address))
    ends = [number(part.strip()) for part in text.split("-", 1)]
    first, last = ends[0], ends[-1]
    if first is None or last is None or first[0] != last[0]:
        return None
    return first[0], (first[1], last[1])


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same numbers in the fewest spans, in order."""
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def without(spans: Iterable[Span], holes: Iterable[Span]) -> tuple[Span, ...]:
    """What is left of the spans when the holes are cut out."""
    left: list[Span] = []
    cuts = joined(holes)
    for first, last in joined(spans):
        at = first
        for begin, end in cuts:
            if end < at:
                continue
            if begin > last:
                break
            if begin > at:
                left.append((at, begin - 1))
            at = end + 1
        if at <= last:
            left.append((at, last))
    return tuple(left)


def common(spans: Sequence[Span], others: Sequence[Span]) -> tuple[Span, ...]:
    """What is in both; each must be in order and without overlaps."""
    both: list[Span] = []
    left = right = 0
    while left < len(spans) and right < len(others):
        first, last = max(spans[left][0], others[right][0]), min(spans[left][1], others[right][1])
        if first <= last:
            both.append((first, last))
        if spans[left][1] < others[right][1]:
            left += 1
        else:
            right += 1
    return tuple(both)


def within(value: int, spans: Iterable[Span]) -> bool:
    return any(first <= value <= last for first, last in spans)


def size(spans: Iterable[Span]) -> int:
    return sum(last - first + 1 for first, last in spans)


def free(spans: Iterable[Span], *used: Collection[int]) -> Iterator[int]:
    """Numbers from below that none has in use. Those that are taken while it runs are seen, so it never starts over."""
    for first, last in spans:
        for value in range(first, last + 1):
            if not any(value in taken for taken in used):
                yield value


def last_free(spans: Sequence[Span], is_used: Callable[[int], bool]) -> int | None:
    """The highest number that is not in use."""
    return next((value for first, last in reversed(spans) for value in range(last, first - 1, -1) if not is_used(value)), None)
