# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A compute host as the cloud knows it: its Nova service, its provider in Placement, its agents in Neutron, its guests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .client import Cloud
from .errors import ComputeRefused
from .guests import Amounts, Guest, Room, guest_of, room_of

# How a migration ends (nova/objects/migration.py).
OVER: Final = ("completed", "confirmed", "reverted", "error", "failed", "cancelled", "done")


@dataclass(frozen=True, slots=True)
class Service:
    id: str
    host: str
    enabled: bool
    up: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Traces:
    """What the cloud still knows of a host, by ids. `orphans` hold resources on it, and are no guest and no migration any more."""

    service: Service | None
    providers: tuple[str, ...]
    agents: tuple[str, ...]
    orphans: tuple[str, ...] = ()

    @property
    def sentences(self) -> list[str]:
        return [
            *(["Nova service nova-compute"] if self.service else []),
            *(f"Placement provider {one}" for one in self.providers),
            *(f"Placement allocation {one}, whose owner is gone" for one in self.orphans),
            *(f"Neutron agent {one}" for one in self.agents),
        ]


def read_services(cloud: Cloud) -> dict[str, Service]:
    """The compute services by host."""
    listed = cloud.get("compute", "/os-services", binary="nova-compute")["services"]
    return {
        str(one["host"]): Service(
            id=str(one["id"]),
            host=str(one["host"]),
            enabled=one["status"] == "enabled",
            up=one["state"] == "up",
            reason=str(one.get("disabled_reason") or ""),
        )
        for one in listed
    }


def read_traces(cloud: Cloud, host: str) -> Traces:
    agents = cloud.get("network", "/agents", host=host)["agents"]
    listed = cloud.get("placement", "/resource_providers")["resource_providers"]
    # By its first label too: when the service is gone, nothing tells any more what the hypervisor was called.
    found = [one for one in listed if not one.get("parent_provider_uuid") and host in (one["name"], str(one["name"]).partition(".")[0])]
    providers = tuple(str(one["uuid"]) for one in found)
    orphans = tuple(one for provider in providers for one in read_orphans(cloud, provider, host))
    return Traces(read_services(cloud).get(host), providers, tuple(str(one["id"]) for one in agents), orphans)


def read_orphans(cloud: Cloud, provider: str, host: str) -> list[str]:
    """A host that died in the middle of a migration leaves such; Placement then refuses to delete the provider."""
    consumers = cloud.get("placement", f"/resource_providers/{provider}/allocations")["allocations"]
    if not consumers:
        return []
    migrations = {str(one["uuid"]): one for one in cloud.pages("compute", "/os-migrations", "migrations", host=host)}
    return [one for one in consumers if not _owned(cloud, one, migrations.get(one))]


def _owned(cloud: Cloud, consumer: str, migration: Mapping[str, Any] | None) -> bool:
    if migration is None:
        return read_guest(cloud, consumer) is not None
    return migration["status"] not in OVER and read_guest(cloud, str(migration["instance_uuid"])) is not None


def read_guests(cloud: Cloud, host: str) -> list[Guest]:
    return [guest_of(one) for one in cloud.pages("compute", "/servers/detail", "servers", all_tenants="1", host=host)]


def read_guest(cloud: Cloud, guest: str) -> Guest | None:
    answer = cloud.send("GET", "compute", f"/servers/{guest}", missing_ok=True)[0]
    return guest_of(answer["server"]) if answer else None


def read_departed(cloud: Cloud, host: str) -> list[tuple[Guest, str]]:
    """Guests that have left the host and wait to be confirmed, with the kind of their migration: `migration` or `resize`."""
    listed = cloud.pages("compute", "/os-migrations", "migrations", host=host, status="finished")
    kinds = {str(one["instance_uuid"]): str(one["migration_type"]) for one in listed if one["source_compute"] == host}
    guests = [(read_guest(cloud, guest), kind) for guest, kind in kinds.items()]
    return [(guest, kind) for guest, kind in guests if guest and guest.status == "VERIFY_RESIZE"]


def read_rooms(cloud: Cloud, host: str) -> tuple[list[Room], dict[str, Amounts]]:
    """The other hosts that take guests, and what the guests of this one have in Placement, by their ids."""
    services = read_services(cloud)
    takers = {one.host for one in services.values() if one.enabled and one.up and one.host != host}
    names = {name: owner for owner, name in _hypervisors(cloud)}
    rooms: list[Room] = []
    wanted: dict[str, Amounts] = {}
    for one in cloud.get("placement", "/resource_providers")["resource_providers"]:
        path, owner = f"/resource_providers/{one['uuid']}", names.get(one["name"])
        if owner in takers:
            inventories = cloud.get("placement", f"{path}/inventories")["inventories"]
            rooms.append(room_of(owner, inventories, cloud.get("placement", f"{path}/usages")["usages"]))
        elif owner == host:
            allocations: Mapping[str, Any] = cloud.get("placement", f"{path}/allocations")["allocations"]
            wanted = {guest: dict(amounts["resources"]) for guest, amounts in allocations.items()}
    return sorted(rooms, key=lambda room: room.host), wanted


def write_service(cloud: Cloud, service: Service, *, enabled: bool, reason: str = "") -> None:
    body = {"status": "enabled"} if enabled else {"status": "disabled", "disabled_reason": reason}
    cloud.send("PUT", "compute", f"/os-services/{service.id}", body)


def delete_traces(cloud: Cloud, traces: Traces) -> None:
    """The service first: Nova refuses that while it has a guest there, and takes the provider away with it if it can."""
    if traces.service:
        cloud.send("DELETE", "compute", f"/os-services/{traces.service.id}", missing_ok=True)
    for orphan in traces.orphans:
        cloud.send("DELETE", "placement", f"/allocations/{orphan}", missing_ok=True)
    for provider in traces.providers:
        cloud.send("DELETE", "placement", f"/resource_providers/{provider}", missing_ok=True)
    for agent in traces.agents:
        cloud.send("DELETE", "network", f"/agents/{agent}", missing_ok=True)


def known_service(services: Mapping[str, Service], host: str) -> Service:
    if host not in services:
        known = ", ".join(sorted(services)) or "none"
        raise ComputeRefused(f"There is no compute host {host} in this cloud, only: {known}")
    return services[host]


def _hypervisors(cloud: Cloud) -> list[tuple[str, str]]:
    """Host and hypervisor name; the latter is what Placement calls it, and may have a domain."""
    listed = cloud.get("compute", "/os-hypervisors/detail")["hypervisors"]
    return [(str(one["service"]["host"]), str(one["hypervisor_hostname"])) for one in listed]
