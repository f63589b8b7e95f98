# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts and services as cephadm's specifications: what is wanted against what the orchestrator has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import VitroError, numbered
from .session import Command

QUESTIONS: Final = {
    "hosts": Command("orch host ls", manager=True),
    "services": Command("orch ls", {"export": True}, manager=True),
}
EMPTY: Final[Mapping[str, Any]] = {"hosts": [], "services": []}
LABELS: Final = frozenset({"_admin", "mon", "mgr", "rgw", "mds", "osd"})
# What cephadm starts on its own.
OWN: Final = frozenset({"crash", "ceph-exporter"})

Spec = Mapping[str, Any]


class DisksUnresolved(VitroError):
    code = "ceph_disks"
    cure = "Nothing was changed"


@dataclass(frozen=True, slots=True)
class SpecChange:
    name: str
    before: Spec | None
    after: Spec


@dataclass(frozen=True, slots=True)
class SpecPlan:
    """`labels` are those to take away, as (host, label). `unplanned` are services that nobody asked for; they stay."""

    changes: tuple[SpecChange, ...]
    labels: tuple[tuple[str, str], ...]
    unplanned: tuple[str, ...]

    @property
    def commands(self) -> list[Command]:
        removed = [Command("orch host label rm", {"hostname": host, "label": label}, manager=True) for host, label in self.labels]
        if not self.changes:
            return removed
        text = "\n---\n".join(json.dumps(one.after, sort_keys=True) for one in self.changes)
        return [Command("orch apply", data=text, manager=True), *removed]


def resolve_disks(services: Sequence[Spec], disks: Mapping[str, Mapping[str, str]]) -> list[Spec]:
    """The services with stable paths in the place of serial numbers; `disks` has the path of each serial, by host."""
    missing = [
        f"{host}: {serial}"
        for one in services
        for host in one.get("placement", {}).get("hosts", ())
        for serial in _serials(one)
        if serial not in disks.get(host, {})
    ]
    if missing:
        raise DisksUnresolved(f"No path is known for planned disks: {numbered(missing)}")
    return [_resolved(one, disks[one["placement"]["hosts"][0]]) if one["service_type"] == "osd" else one for one in services]


def _serials(service: Spec) -> Iterator[str]:
    for devices in service.get("spec", {}).values():
        if isinstance(devices, Mapping):
            yield from devices.get("serials", ())


def _resolved(service: Spec, paths: Mapping[str, str]) -> Spec:
    spec = {
        name: {"paths": [paths[serial] for serial in value["serials"]]} if isinstance(value, Mapping) and "serials" in value else value
        for name, value in service["spec"].items()
    }
    return {**service, "spec": spec}


def plan_specs(hosts: Sequence[Spec], services: Sequence[Spec], live: Mapping[str, Any]) -> SpecPlan:
    machines = {one["hostname"]: one for one in live["hosts"] or ()}
    running = {name_of(one): one for one in live["services"] or ()}
    changes = [SpecChange(f"host {one['hostname']}", machines.get(one["hostname"]), one) for one in hosts if _host_differs(one, machines)]
    changes += [SpecChange(name_of(one), running.get(name_of(one)), one) for one in services if not _holds(one, running.get(name_of(one)))]
    labels = [
        (one["hostname"], label)
        for one in hosts
        for label in sorted(LABELS & set(machines.get(one["hostname"], {}).get("labels", ())) - set(one["labels"]))
    ]
    planned = {name_of(one) for one in services}
    return SpecPlan(tuple(changes), tuple(labels), tuple(sorted(name for name in running if name not in planned | OWN)))


def name_of(service: Spec) -> str:
    return f"{service['service_type']}.{service['service_id']}" if service.get("service_id") else str(service["service_type"])


def _host_differs(host: Spec, there: Mapping[str, Spec]) -> bool:
    """The orchestrator does not tell locations: they are looked at in the CRUSH tree when the cluster is verified."""
    one = there.get(host["hostname"])
    return one is None or one["addr"] != host["addr"] or not set(host["labels"]) <= set(one.get("labels", ()))


def _holds(wanted: Any, there: Any) -> bool:
    """Whether what is there is as wanted; cephadm adds defaults that nobody asked for."""
    if isinstance(wanted, Mapping):
        return isinstance(there, Mapping) and all(
            _same_place(value, there.get(key)) if key == "placement" else _holds(value, there.get(key)) for key, value in wanted.items()
        )
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return isinstance(there, Sequence) and len(there) == len(wanted) and all(_holds(*pair) for pair in zip(wanted, there, strict=True))
    if isinstance(there, Mapping) and "path" in there:
        return bool(there["path"] == wanted)
    return bool(wanted == there)


def _same_place(wanted: Spec, there: Spec | None) -> bool:
    """More than was asked for is another placement, not a default."""
    return there is not None and dict(wanted) == {key: value for key, value in there.items() if value not in (None, [], "", 0)}
