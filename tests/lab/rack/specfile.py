# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A rack described in a file.

    bmcs:
      - {family: dell, count: 3, rack: R1}
      - {family: ilo6, power: off, latency: 0.1, page_size: 2, faults: [{kind: busy, count: 3}], server: {serial: VTR6X}}

`server` replaces fields of the default server, lists (disks, dimms, adapters, volumes, gpus) as a whole.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import yaml

from .catalogue import default_bmc
from .faults import Fault, FaultRefused
from .spec import FAMILIES, Adapter, BmcSpec, Dimm, Disk, Family, Gpu, Port, ServerSpec, SpecRefused, Volume

PARTS: dict[str, type[Any]] = {"adapters": Adapter, "disks": Disk, "dimms": Dimm, "volumes": Volume, "gpus": Gpu, "ports": Port}
BEHAVIOUR = ("latency", "slow", "page_size", "session_limit", "session_timeout", "lockout", "unsupported_expand")
KEYS = ("family", "count", "rack", "unit", "server", "power", "faults", *BEHAVIOUR)


def read_specs(path: Path) -> list[BmcSpec]:
    """JSON is YAML too; every mistake is reported at once."""
    try:
        document = yaml.safe_load(path.read_text())
    except (OSError, yaml.YAMLError) as exc:
        raise SpecRefused(f"Cannot read the rack from {path}: {exc}") from exc
    entries = document.get("bmcs") if isinstance(document, dict) else None
    if not isinstance(entries, list) or not entries:
        raise SpecRefused(f"Cannot read the rack from {path}: it must have a list `bmcs` with at least one entry")
    specs: list[BmcSpec] = []
    mistakes: list[str] = []
    used: dict[str, int] = dict.fromkeys(FAMILIES, 0)
    for number, entry in enumerate(entries, 1):
        try:
            specs += _bmcs(entry, used)
        except (SpecRefused, FaultRefused, TypeError, ValueError) as exc:
            mistakes.append(f"bmcs[{number}]: {exc}")
    if mistakes:
        raise SpecRefused(f"Cannot read the rack from {path}: " + "; ".join(mistakes))
    return specs


def _bmcs(entry: Any, used: dict[str, int]) -> list[BmcSpec]:
    _known(entry, KEYS)
    family: Family = entry.get("family")
    if family not in FAMILIES:
        raise SpecRefused(f"family {family!r} is not one of {', '.join(FAMILIES)}")
    made = []
    for _ in range(entry.get("count", 1)):
        spec = default_bmc(family, used[family], rack=entry.get("rack"), unit=entry.get("unit"))
        used[family] += 1
        servers = tuple(_changed(server, entry.get("server", {})) for server in spec.servers)
        behaviour = {key: entry[key] for key in BEHAVIOUR if key in entry}
        faults = tuple(Fault(**fault) for fault in entry.get("faults", []))
        made.append(replace(spec, servers=servers, power=_power(entry.get("power", "on")), faults=faults, **behaviour))
    return made


def _power(value: Any) -> Any:
    """YAML 1.1 reads a bare on or off as a boolean."""
    power = {True: "on", False: "off"}.get(value, value)
    if power not in ("on", "off"):
        raise SpecRefused(f"power {value!r} is neither on nor off")
    return power


def _known(given: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(given, dict):
        raise SpecRefused(f"{given!r} must be a mapping")
    if unknown := sorted(set(given) - set(allowed)):
        raise SpecRefused(f"unknown key {', '.join(unknown)}; there are {', '.join(allowed)}")


def _changed(server: ServerSpec, changes: Any) -> ServerSpec:
    _known(changes, tuple(field.name for field in fields(ServerSpec)))
    return replace(server, **{key: _value(key, value) for key, value in changes.items()})


def _value(key: str, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    part = PARTS.get(key)
    if part is None:
        return tuple(value)
    for item in value:
        _known(item, tuple(field.name for field in fields(part)))
    return tuple(part(**{name: _value(name, inner) for name, inner in item.items()}) for item in value)
