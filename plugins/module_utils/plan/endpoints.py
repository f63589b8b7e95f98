# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the site needs from outside: name servers, time servers, and the registry that has the images."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .intent import Intent
from .objections import Found, Kind
from .ranges import number

LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
HOST_NAME = re.compile(rf"(?=.{{1,253}}$){LABEL}(\.{LABEL})*\.?", re.IGNORECASE)
IPV4_LIKE = re.compile(r"[0-9.]+")

NO_NAME_SERVERS = Kind(
    code="no_name_servers",
    title="No name server is given",
    severity="warning",
    rank=60,
    why="Servers then resolve only the names in their hosts file: not the registry's, and guests get no name server.",
    cure="Set dns to the addresses of the site's name servers",
)
NO_TIME_SERVERS = Kind(
    code="no_time_servers",
    title="No time server is given",
    severity="warning",
    rank=60,
    why="Kolla refuses servers whose clock is not synchronised, Ceph monitors part at 50 ms, and certificates and tokens fail.",
    cure="Set ntp to the addresses of the site's time servers",
)
ENDPOINT_INVALID = Kind(
    code="endpoint_invalid",
    title="A name or time server is neither an address nor a host name",
    rank=45,
    why="The servers would get a setting that they cannot use.",
    cure="Write an address or a host name, without scheme and port",
)
REGISTRY_MISSING = Kind(
    code="registry_missing",
    title="No registry is given",
    rank=20,
    why="Kolla refuses its default registry, which is for tests, and a site without a route to the internet has no other.",
    cure="Set registry to the host and port of the registry that holds the images",
)
REGISTRY_INVALID = Kind(
    code="registry_invalid",
    title="The registry is not a host and port",
    rank=21,
    why="Kolla, cephadm and RKE2 each put their own path behind it; a scheme or a path of its own breaks all image names.",
    cure="Write host or host:port, without https:// and without a path",
)


def is_host_name(text: str) -> bool:
    return bool(HOST_NAME.fullmatch(text)) and not IPV4_LIKE.fullmatch(text)


def check_endpoints(intent: Intent) -> Iterator[Found]:
    """Everything that speaks against dns, ntp and registry."""
    if not intent.dns:
        yield NO_NAME_SERVERS.of("dns", "dns is empty", path="dns")
    if not intent.ntp:
        yield NO_TIME_SERVERS.of("ntp", "ntp is empty", path="ntp")
    for key, entries in (("dns", intent.dns), ("ntp", intent.ntp)):
        for entry in entries:
            if number(entry) is None and not is_host_name(entry):
                yield ENDPOINT_INVALID.of(key, f"{key} has `{entry}`, which is neither an address nor a host name", path=key)
    yield from _registry(intent.registry)


def service_addresses(intent: Intent) -> list[tuple[int, int]]:
    """Family and number of each name server, time server and registry that is given by its address: no server of the site may get it."""
    registry = (intent.registry or "").removeprefix("[").partition("]")[0]
    hosts = [*intent.dns, *intent.ntp, registry if registry.count(":") > 1 else registry.partition(":")[0]]
    return [one for one in map(number, hosts) if one is not None]


def _registry(given: str | None) -> Iterator[Found]:
    if not given:
        yield REGISTRY_MISSING.of("registry", "registry is not set" if given is None else "registry is empty", path="registry")
    elif "://" in given:
        yield REGISTRY_INVALID.of("registry", f"registry is {given}, which has a scheme", path="registry")
    elif "/" in given:
        yield REGISTRY_INVALID.of("registry", f"registry is {given}, which has a path", path="registry")
    elif not _is_authority(given):
        yield REGISTRY_INVALID.of("registry", f"registry is `{given}`, which is not a host and port", path="registry")


def _is_authority(text: str) -> bool:
    host, bracket, rest = text.rpartition("]")
    if bracket:
        port = rest.removeprefix(":") if rest else "1"
        good = host.startswith("[") and (number(host[1:]) or (0,))[0] == 6
    else:
        host, _, port = text.partition(":")
        good = number(host) is not None or is_host_name(host)
        port = port if ":" in text else "1"
    return good and port.isascii() and port.isdigit() and 1 <= int(port) <= 65535
