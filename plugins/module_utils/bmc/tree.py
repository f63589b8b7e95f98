# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the walk collects from one BMC, still in the vendor's words."""

from __future__ import annotations

from dataclasses import dataclass, field

from .hardware import Note
from .payload import Resource
from .vendors import GENERIC, Vendor


@dataclass(slots=True)
class AdapterTree:
    resource: Resource
    ports: list[Resource] = field(default_factory=list)
    functions: list[Resource] = field(default_factory=list)


@dataclass(slots=True)
class StorageTree:
    resource: Resource
    drives: list[Resource] | None = None
    volumes: list[Resource] | None = None


@dataclass(slots=True)
class ServerTree:
    """All that was read about one server, in the vendor's words; None was not there to be read."""

    system: Resource
    chassis: list[Resource] = field(default_factory=list)
    processors: list[Resource] | None = None
    memory: list[Resource] | None = None
    interfaces: list[Resource] | None = None
    adapters: list[AdapterTree] = field(default_factory=list)
    storages: list[StorageTree] | None = None
    notes: list[Note] = field(default_factory=list)


@dataclass(slots=True)
class BmcTree:
    root: Resource
    vendor: Vendor = GENERIC
    vendor_name: str | None = None
    managers: list[Resource] = field(default_factory=list)
    manager_interfaces: list[Resource] = field(default_factory=list)
    servers: list[ServerTree] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
