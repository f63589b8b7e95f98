# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a node's networks and with where nodes register. Needs no host."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import combinations
from typing import Final

from .address import of_family
from .kinds import Objection, object_to
from .wanted import Wish, config_of, networks_of

Network = IPv4Network | IPv6Network
DEFAULTS: Final = {"cluster-cidr": "10.42.0.0/16", "service-cidr": "10.43.0.0/16"}
MODES: Final = ("none", "keepalived", "kube-vip", "external")
VRIDS: Final = range(1, 256)


def check_networks(wish: Wish) -> Iterator[Objection]:
    if not wish.server:
        return
    config = {**DEFAULTS, **config_of(wish)}
    found: list[tuple[str, Network]] = []
    for key in DEFAULTS:
        for one in networks_of(config, key):
            try:
                found.append((key, ip_network(one)))
            except ValueError as exc:
                yield object_to("network_form", wish.name, f"{key} has `{one}`: {exc}")
    for (key, first), (other_key, second) in combinations(found, 2):
        if first.overlaps(second):
            yield object_to("network_overlap", wish.name, f"{first} of {key} and {second} of {other_key}")
    for address in [*wish.address.split(","), wish.registration.address]:
        yield from _inside(wish, address, found)
    services = [one for key, one in found if key == "service-cidr"]
    for address in networks_of(config, "cluster-dns"):
        if not any(_is_in(address, one) for one in services):
            yield object_to("dns_outside", wish.name, f"cluster-dns is `{address}`, and service-cidr is {', '.join(map(str, services))}")


def _inside(wish: Wish, address: str, networks: list[tuple[str, Network]]) -> Iterator[Objection]:
    for key, one in networks:
        if _is_in(address, one):
            yield object_to("network_overlap", wish.name, f"{address} of the servers is in {one} of {key}")


def _is_in(address: str, network: Network) -> bool:
    try:
        return ip_address(address) in network
    except ValueError:
        return False


def check_registration(wish: Wish) -> Iterator[Objection]:
    one = wish.registration
    if one.mode not in MODES:
        yield object_to("registration_form", "", f"rke2_registration.mode is `{one.mode}`, and there are {', '.join(MODES)}")
        return
    if "://" in one.address or one.address.count(":") == 1:
        yield object_to("registration_port", "", f"rke2_registration.address is `{one.address}`, and it is an address without a port")
        return
    if one.mode == "none":
        return
    if not one.address and not (one.mode == "external" and one.name):
        yield object_to("registration_form", "", f"rke2_registration.mode is {one.mode}, and it has no address")
        return
    yield from _held(wish)


def _held(wish: Wish) -> Iterator[Objection]:
    """What keepalived or kube-vip would need."""
    one = wish.registration
    try:
        ip_address(one.address or "0.0.0.0")  # noqa: S104 - nothing is bound
    except ValueError:
        yield object_to("registration_form", "", f"rke2_registration.address is `{one.address}`, which is no address")
        return
    if one.mode == "keepalived":
        if one.vrid not in VRIDS:
            yield object_to("vrid_form", "", f"rke2_registration.vrid is `{one.vrid}`")
        for name, address in wish.peers.items() if wish.server else ():
            if not of_family(address, one.address):
                yield object_to(
                    "address_missing", name, f"it has no address of the family of {one.address}, by which its keepalived could speak"
                )
    if one.mode == "kube-vip" and not one.image:
        yield object_to("image_missing", "", "rke2_registration.mode is kube-vip, and it has no image")
    if one.address in [address for addresses in wish.peers.values() for address in addresses.split(",")]:
        yield object_to("registration_taken", "", f"{one.address} is the address of a server")
