# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which BMCs to read, and how: options in the operator's words become a list of targets, or every mistake at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import netaddr

from .errors import CredentialsMissing, OptionsRefused
from .hardware import Location
from .tls import parse_fingerprint

MOST_TARGETS = 4096
ENTRY_KEYS = (
    *("address", "file", "port", "ipmi_port", "protocol", "credentials"),
    *("validate_certs", "ca_path", "fingerprint", "site", "rack", "unit"),
)
PROTOCOLS = ("auto", "redfish", "ipmi")
_HOST = re.compile(r"(?=.{1,253}$)(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    address: str
    port: int = 443
    ipmi_port: int = 623
    protocol: Literal["auto", "redfish", "ipmi"] = "auto"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    validate_certs: bool = True
    ca_path: str | None = None
    fingerprint: str | None = None
    # An address out of a network that is searched: nothing there is no failure.
    searched: bool = False
    location: Location = field(default_factory=Location)

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def read_address_files(entries: Iterable[Any], base: Path) -> list[Any]:
    """Put the lines of each `file` in its place, with the entry's other settings."""
    found: list[Any] = []
    mistakes: list[str] = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Mapping) or "file" not in entry:
            found.append(entry)
            continue
        rest = {key: value for key, value in entry.items() if key != "file"}
        try:
            lines = (base / str(entry["file"])).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as exc:
            mistakes.append(f"targets entry {number}: file `{entry['file']}` cannot be read: {getattr(exc, 'strerror', None) or exc}")
            continue
        addresses = [line.split("#", 1)[0].strip() for line in lines]
        found += [{**rest, "address": address} for address in addresses if address]
    if mistakes:
        raise OptionsRefused(mistakes)
    return found


def parse_targets(options: Mapping[str, Any]) -> list[Target]:
    """The targets that the options name; `targets` entries are addresses, or dictionaries with settings of their own."""
    mistakes: list[str] = []
    sets = {str(item.get("name")): item for item in options.get("credentials") or ()}
    entries = options.get("targets") or []
    if not entries:
        mistakes.append("targets: there is none; give at least one address, range, network or file")
    chosen: dict[tuple[str, int], tuple[int, bool, Target]] = {}
    for number, entry in enumerate(entries, 1):
        try:
            settings = _settings(entry, options, sets)
            addresses, single = _addresses(str(settings["address"]))
        except OptionsRefused as exc:
            mistakes += [f"targets entry {number}: {mistake}" for mistake in exc.mistakes]
            continue
        mistakes += _choose(
            chosen, number, [_target(address, settings, searched=searched) for address, searched in addresses], single=single
        )
    if len(chosen) > MOST_TARGETS:
        mistakes.append(
            f"targets: {len(chosen):,} addresses, and at most {MOST_TARGETS:,} are read in one run; split it by rack or network"
        )
    if mistakes:
        raise OptionsRefused(mistakes)
    return [target for _, _, target in chosen.values()]


def _choose(chosen: dict[tuple[str, int], tuple[int, bool, Target]], number: int, targets: list[Target], *, single: bool) -> Iterator[str]:
    """Add an entry's targets. One address with settings of its own stands over the range that also has it; else once is enough."""
    twice: dict[int, list[str]] = {}
    for target in targets:
        key = (target.address, target.port)
        other = chosen.get(key)
        if other and other[1] == single:
            twice.setdefault(other[0], []).append(str(target))
        elif not other or single:
            chosen[key] = (number, single, target)
    for earlier, names in twice.items():
        more = f" and {len(names) - 1:,} more are" if len(names) > 1 else " is"
        yield f"targets entry {number}: {names[0]}{more} also in entry {earlier}; name each BMC once"


def _settings(entry: Any, options: Mapping[str, Any], sets: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of one entry laid over the defaults, checked."""
    own = {"address": entry} if isinstance(entry, str) else entry
    if not isinstance(own, Mapping):
        raise OptionsRefused([f"`{entry}` is neither an address nor a dictionary with `address`"])
    mistakes = [_unknown(key) for key in own if key not in ENTRY_KEYS]
    if not own.get("address"):
        mistakes.append("`address` is missing")
    settings = {key: options.get(key) for key in (*ENTRY_KEYS, "username", "password") if key not in ("credentials", "file")}
    settings |= own
    name = own.get("credentials")
    if name is not None and name not in sets:
        mistakes.append(f"credentials `{name}` is not defined; there are: {', '.join(sorted(sets)) or 'none'}")
    elif name is not None:
        settings |= {key: sets[name].get(key) for key in ("username", "password")}
    mistakes += _checked(settings)
    if mistakes:
        raise OptionsRefused(mistakes)
    return settings


def _unknown(key: str) -> str:
    if key in ("username", "password"):
        return f"`{key}` does not belong in a target; define a named set in `credentials` and give its name here"
    near = difflib.get_close_matches(str(key), ENTRY_KEYS, 1)
    return f"`{key}` is unknown" + (f"; did you mean `{near[0]}`?" if near else f"; known: {', '.join(ENTRY_KEYS)}")


def _checked(settings: dict[str, Any]) -> Iterator[str]:
    for key, most in (("port", 65535), ("ipmi_port", 65535), ("unit", 100)):
        value = settings.get(key)
        if value is not None and not (str(value).isdecimal() and 1 <= int(value) <= most):
            yield f"{key} `{value}` is not a whole number from 1 to {most}"
    protocol = settings.get("protocol")
    if protocol is not None and protocol not in PROTOCOLS:
        yield f"protocol `{protocol}` is none of: {', '.join(PROTOCOLS)}"
    if settings.get("fingerprint"):
        try:
            parse_fingerprint(str(settings["fingerprint"]))
        except OptionsRefused as exc:
            yield from exc.mistakes
    if not isinstance(settings.get("validate_certs"), bool | None):
        yield f"validate_certs `{settings['validate_certs']}` is neither true nor false"


def _target(address: str, settings: Mapping[str, Any], *, searched: bool) -> Target:
    validate = settings.get("validate_certs")
    unit = settings.get("unit")
    return Target(
        address=address,
        port=int(settings.get("port") or 443),
        ipmi_port=int(settings.get("ipmi_port") or 623),
        protocol=settings.get("protocol") or "auto",
        username=settings.get("username"),
        password=settings.get("password"),
        validate_certs=True if validate is None else validate,
        ca_path=settings.get("ca_path"),
        fingerprint=settings.get("fingerprint"),
        searched=searched,
        location=Location(site=settings.get("site"), rack=settings.get("rack"), unit=int(unit) if unit else None),
    )


def _addresses(value: str) -> tuple[list[tuple[str, bool]], bool]:
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


def check_credentials(targets: Iterable[Target]) -> None:
    """Refuse targets without a user name or password, all in one message."""
    bare = [str(target) for target in targets if not (target.username and target.password)]
    if bare:
        shown = ", ".join(bare[:5]) + (f" and {len(bare) - 5} more" if len(bare) > 5 else "")
        raise CredentialsMissing(f"Cannot log in to {shown}: no user name or no password is given")
