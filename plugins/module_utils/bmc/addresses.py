# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses as an operator writes them: one, a range, a network, or a host name."""

from __future__ import annotations

import re

import netaddr

from .errors import OptionsRefused

MOST_TARGETS = 4096
_HOST = re.compile(r"(?=.{1,253}$)(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*")


def addresses(value: str) -> tuple[list[tuple[str, bool]], bool]:
    """The addresses that a text stands for, each with whether it is searched; and whether the text is one address."""
    value = value.strip()
    try:
        if "/" in value:
            return _network(value), False
        first, dash, last = value.partition("-")
        if dash and _is_address(first.strip()):
            return _range(first.strip(), last.strip()), False
        plain = value.strip("[]")
        if _is_address(plain):
            return [(str(netaddr.IPAddress(plain)), False)], True
    except (netaddr.AddrFormatError, ValueError, TypeError) as exc:
        raise OptionsRefused([f"`{value}` is no address, range or network: {exc}"]) from exc
    if re.fullmatch(r"[^:]+:\d+", value):
        raise OptionsRefused([f"`{value}`: write the port as `port`, in an entry with `address`"])
    if re.fullmatch(r"[\d.]+", value) or not _HOST.fullmatch(value):
        raise OptionsRefused([f"`{value}` is no address, range (192.0.2.10-192.0.2.40), network (192.0.2.0/26) or host name"])
    return [(value.lower(), False)], True


def _is_address(value: str) -> bool:
    return bool(netaddr.valid_ipv4(value, flags=netaddr.INET_PTON) or netaddr.valid_ipv6(value))


def _network(value: str) -> list[tuple[str, bool]]:
    network = netaddr.IPNetwork(value)
    if network.size > MOST_TARGETS:
        raise OptionsRefused([f"`{value}` has {network.size:,} addresses and at most {MOST_TARGETS:,} are searched; give smaller networks"])
    return [(str(address), True) for address in network.iter_hosts()]


def _range(first: str, last: str) -> list[tuple[str, bool]]:
    if last.isdecimal() and netaddr.valid_ipv4(first):
        last = f"{first.rpartition('.')[0]}.{last}"
    span = netaddr.IPRange(first, last)
    if span.size > MOST_TARGETS:
        raise OptionsRefused([f"`{first}-{last}` has {span.size:,} addresses and at most {MOST_TARGETS:,} are read in one run"])
    return [(str(address), False) for address in span]
