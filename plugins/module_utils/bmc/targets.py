# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which BMCs to read, and how: options in the operator's words become a list of targets, or every mistake at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from .addresses import MOST_TARGETS, addresses
from .errors import CredentialsMissing, OptionsRefused
from .hardware import Location
from .tls import parse_fingerprint

ENTRY_KEYS = (
    *("address", "file", "port", "ipmi_port", "protocol", "credentials"),
    *("validate_certs", "ca_path", "fingerprint", "site", "rack", "unit"),
)
SET_KEYS = ("name", "username", "password")
PROTOCOLS = ("auto", "redfish", "ipmi")


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


def as_entries(value: Any) -> list[Any]:
    """`targets` as a list; a text is one address or several with commas, as everywhere in Ansible."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, Mapping):
        return [value]
    return list(value or ())


def _credential_sets(value: Any) -> tuple[dict[str, Mapping[str, Any]], list[str]]:
    """The named sets, and what is wrong with them; no value of theirs is shown."""
    if value is not None and not isinstance(value, list | tuple):
        return {}, ["credentials: it is no list; each entry has `name`, `username` and `password`"]
    sets: dict[str, Mapping[str, Any]] = {}
    mistakes = []
    for number, entry in enumerate(value or (), 1):
        if not isinstance(entry, Mapping):
            mistakes.append(f"credentials entry {number}: it is no dictionary with `name`, `username` and `password`")
            continue
        mistakes += [f"credentials entry {number}: `{key}` is missing" for key in SET_KEYS if not entry.get(key)]
        mistakes += [f"credentials entry {number}: {_unknown(key, SET_KEYS)}" for key in entry if key not in SET_KEYS]
        name = str(entry.get("name"))
        if name in sets:
            mistakes.append(f"credentials entry {number}: `{name}` is defined twice")
        sets[name] = entry
    return sets, mistakes


def parse_targets(options: Mapping[str, Any]) -> list[Target]:
    """The targets that the options name; `targets` entries are addresses, or dictionaries with settings of their own."""
    sets, mistakes = _credential_sets(options.get("credentials"))
    entries = as_entries(options.get("targets"))
    if not entries:
        mistakes.append("targets: there is none; give at least one address, range, network or file")
    chosen: Chosen = {}
    for number, entry in enumerate(entries, 1):
        try:
            settings = _settings(entry, options, sets)
            found, single = addresses(str(settings["address"]))
        except OptionsRefused as exc:
            mistakes += [f"targets entry {number}: {mistake}" for mistake in exc.mistakes]
            continue
        mistakes += _choose(chosen, number, [_target(address, settings, searched=searched) for address, searched in found], single=single)
    if len(chosen) > MOST_TARGETS:
        mistakes.append(
            f"targets: {len(chosen):,} addresses, and at most {MOST_TARGETS:,} are read in one run; split it by rack or network"
        )
    if mistakes:
        raise OptionsRefused(mistakes)
    return [target for _, _, target in chosen.values()]


Chosen = dict[tuple[str, int], tuple[int, bool, Target]]


def _put(chosen: Chosen, key: tuple[str, int], entry: tuple[int, bool, Target]) -> None:
    """In the place of what a range said of this address, whatever its port; else at the end."""
    ranged = [other for other, (_, alone, _) in chosen.items() if other[0] == key[0] and not alone]
    items = [(key, entry) if other in ranged else (other, value) for other, value in chosen.items()]
    chosen.clear()
    chosen.update(items if ranged else [*items, (key, entry)])


def _choose(chosen: Chosen, number: int, targets: list[Target], *, single: bool) -> Iterator[str]:
    """Add an entry's targets. One address with settings of its own stands over the range that also has it; else once is enough."""
    twice: dict[int, list[str]] = {}
    singles = {address for (address, _), (_, alone, _) in chosen.items() if alone}
    for target in targets:
        key = (target.address, target.port)
        other = chosen.get(key)
        if other and other[1] == single:
            twice.setdefault(other[0], []).append(str(target))
        elif single:
            _put(chosen, key, (number, single, target))
        elif target.address not in singles:
            chosen[key] = (number, single, target)
    for earlier, names in twice.items():
        more = f" and {len(names) - 1:,} more are" if len(names) > 1 else " is"
        yield f"targets entry {number}: {names[0]}{more} also in entry {earlier}; name each BMC once"


def _settings(entry: Any, options: Mapping[str, Any], sets: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of one entry laid over the defaults, checked."""
    own = {"address": entry} if isinstance(entry, str) else entry
    if not isinstance(own, Mapping):
        raise OptionsRefused([f"`{entry}` is neither an address nor a dictionary with `address`"])
    mistakes = [_unknown(key, ENTRY_KEYS) for key in own if key not in ENTRY_KEYS]
    if not own.get("address"):
        mistakes.append("`address` is missing")
    settings = {key: options.get(key) for key in (*ENTRY_KEYS, "username", "password") if key not in ("credentials", "file")}
    settings |= own
    name = None if own.get("credentials") is None else str(own["credentials"])
    if name is not None and name not in sets:
        mistakes.append(f"credentials `{name}` is not defined; there are: {', '.join(sorted(sets)) or 'none'}")
    elif name is not None:
        settings |= {key: sets[name].get(key) for key in ("username", "password")}
    mistakes += _checked(settings)
    if mistakes:
        raise OptionsRefused(mistakes)
    return settings


def _unknown(key: Any, known: tuple[str, ...]) -> str:
    if known is ENTRY_KEYS and key in ("username", "password"):
        return f"`{key}` does not belong in a target; define a named set in `credentials` and give its name here"
    near = difflib.get_close_matches(str(key), known, 1)
    return f"`{key}` is unknown" + (f"; did you mean `{near[0]}`?" if near else f"; known: {', '.join(known)}")


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
        username=_text(settings.get("username")),
        password=_text(settings.get("password")),
        validate_certs=True if validate is None else validate,
        ca_path=settings.get("ca_path"),
        fingerprint=settings.get("fingerprint"),
        searched=searched,
        location=Location(site=_text(settings.get("site")), rack=_text(settings.get("rack")), unit=int(unit) if unit else None),
    )


def _text(value: Any) -> str | None:
    """YAML makes numbers of racks and passwords that are written as such."""
    return None if value is None else str(value)


def check_credentials(targets: Iterable[Target]) -> None:
    """Refuse targets without a user name or password, all in one message."""
    bare = [str(target) for target in targets if not (target.username and target.password)]
    if bare:
        shown = ", ".join(bare[:5]) + (f" and {len(bare) - 5} more" if len(bare) > 5 else "")
        raise CredentialsMissing(f"Cannot log in to {shown}: no user name or no password is given")
