# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From hardware, intent and previous plan to the plan: each stage decides one thing, and all say what they object to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..bmc.hardware import Hardware
from .addresses import plan_addresses
from .capacity import mixed_classes, plan_capacity
from .disks import DiskPlan, plan_disks, unmatched_patterns
from .engines import check_carriers, check_fmc, plan_fmc, plan_openstack
from .identity import OTHER_SITE, Identity, identify
from .intent import Intent
from .losses import plan_losses
from .machines import Machine, matches_any, survey
from .names import name_machines, natural
from .networks import Networking, plan_networks, tenant_mtu
from .objections import Found, sorted_out
from .ovn import plan_ovn, why_timers
from .placement import Placement, plan_placement
from .pools import plan_pools
from .ports import INGRESS_WHY, plan_ports
from .roles import plan_roles
from .servers import Address, Interface, NetworkName, Osd, PlannedServer, Role
from .shares import below_class, plan_shares
from .types import CephPlan, Choice, Plan
from .versions import check_upgrade, check_versions
from .vips import given_vips, plan_vips
from .wiring import Wiring, plan_wiring

Addresses = Mapping[str, Mapping[NetworkName, Address]]
T = TypeVar("T")


@dataclass(slots=True)
class Draft:
    """A plan in the making. Roles, disks and wirings are kept by the machine's id."""

    intent: Intent
    previous: Plan | None
    found: list[Found] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    identity: Identity = field(default_factory=lambda: Identity(machines=()))
    roles: Mapping[str, tuple[Role, ...]] = field(default_factory=dict)
    disks: dict[str, DiskPlan] = field(default_factory=dict)
    wirings: dict[str, Wiring] = field(default_factory=dict)
    bmcs: tuple[str, ...] = ()

    def take(self, answer: tuple[T, list[Found]]) -> T:
        """The result of a stage; its objections go to the others."""
        result, found = answer
        self.found += found
        return result

    def named(self, role: Role) -> tuple[str, ...]:
        """All servers with a role, absent ones too, for they keep their place."""
        present = [one.name for one in self.identity.machines if role in self.roles[one.id]]
        return tuple(sorted([*present, *(one.name for one in self.identity.absent if role in one.roles)]))


def plan_site(hardware: Hardware, intent: Intent, previous: Plan | None = None) -> Plan:
    """The plan of a site. It may be applied if it has no objections."""
    draft = Draft(intent=intent, previous=previous)
    if previous and previous.site != intent.name:
        said = f"the previous plan is for {previous.site}, and the intent for {intent.name}"
        draft.found.append(OTHER_SITE.of("previous plan", said, path="name"))
        draft.previous = None
    _servers(draft, hardware)
    networking = draft.take(plan_networks(intent))
    addresses = _addresses(draft, networking)
    raw = {one.name: _bytes(draft.disks[one.id].osds) for one in draft.identity.machines if "storage" in draft.roles[one.id]}
    raw |= {one.name: _bytes(one.osds) for one in draft.identity.absent}
    placement, choices, found = plan_placement(draft.identity, intent, draft.roles, raw, draft.previous)
    draft.choices += choices
    draft.found += found
    servers = _assemble(draft, placement, addresses)
    ceph = _ceph(draft, placement, servers, raw)
    return _site(draft, networking, addresses, servers, ceph)


def _servers(draft: Draft, hardware: Hardware) -> None:
    """Who is there, who is who, which disks each has, and who does what."""
    intent = draft.intent
    names = {one.id: one.name for one in draft.previous.servers} if draft.previous else {}
    machines = draft.take(survey(hardware, intent.exclude, names, intent.disks.never))
    seen = {one.id: matches_any(one, names.get(one.id, ""), intent.exclude) for one in hardware.servers}
    draft.bmcs = (*(one.bmc.address for one in hardware.servers), *(one.bmc for one in (draft.previous.servers if draft.previous else ())))
    draft.identity = draft.take(identify(machines, intent, draft.previous, seen))
    draft.identity = draft.take(name_machines(draft.identity, intent, draft.previous.domain if draft.previous else None))
    allowed = "osds" in intent.allow_moves
    for one in draft.identity.machines:
        before = draft.identity.before.get(one.id)
        draft.disks[one.id] = draft.take(plan_disks(one, intent.disks, before, allow_moves=allowed))
    draft.found += unmatched_patterns(draft.identity.machines, intent.disks)
    roles, choices, found = plan_roles(
        draft.identity, intent, lambda one: _bytes(draft.disks[one.id].osds), draft.previous.layout if draft.previous else None
    )
    draft.roles = roles
    draft.choices += choices
    draft.found += [*found, *below_class(draft.identity.machines, roles, intent)]


def _bytes(osds: Iterable[Osd]) -> int:
    return sum(one.bytes for one in osds)


def _addresses(draft: Draft, networking: Networking) -> Addresses:
    identity = draft.identity
    for one in identity.machines:
        draft.wirings[one.id] = draft.take(plan_wiring(one, networking, identity.before.get(one.id)))
    return draft.take(
        plan_addresses(
            identity.machines,
            networking,
            identity.before,
            identity.absent,
            given_vips(draft.intent, networking, draft.previous.vips if draft.previous else ()),
            allow_moves="addresses" in draft.intent.allow_moves,
            closed=draft.bmcs,
        )
    )


def _assemble(draft: Draft, placement: Placement, addresses: Addresses) -> tuple[PlannedServer, ...]:
    monitors = {*placement.monitors, *placement.managers, *placement.object_gateways, *placement.metadata_servers}
    present = [_server(draft, one, addresses.get(one.id, {}), monitors=one.name in monitors) for one in draft.identity.machines]
    absent = [replace(one, state="absent") for one in draft.identity.absent]
    return tuple(sorted((*present, *absent), key=lambda one: natural(one.name)))


def _server(draft: Draft, machine: Machine, addresses: Mapping[NetworkName, Address], *, monitors: bool) -> PlannedServer:
    intent, roles, wiring, disks = draft.intent, draft.roles[machine.id], draft.wirings[machine.id], draft.disks[machine.id]
    osds = disks.osds if "storage" in roles else ()
    memory, cpu, found = plan_shares(machine, roles, osds, intent, monitors=monitors)
    draft.found += found
    carried: dict[str, list[Address]] = {}
    for network, address in addresses.items():
        carried.setdefault(wiring.traffic.get(network, ""), []).append(address)
    planned = PlannedServer(
        id=machine.id,
        name=machine.name,
        fqdn=f"{machine.name}.{intent.domain}",
        state="present",
        roles=roles,
        location=machine.server.location,
        bmc=machine.server.bmc.address,
        model=machine.server.system.model,
        serial=machine.server.system.serial,
        interfaces=tuple(_with_addresses(one, carried.get(one.name)) for one in wiring.interfaces),
        traffic=wiring.traffic,
        os_disk=disks.os_disk,
        osds=osds,
        memory=memory,
        cpu=cpu,
        reasons=(*wiring.reasons, *(disks.reasons if osds else ())),
    )
    return _as_before(planned, draft.identity.before.get(machine.id))


def _as_before(planned: PlannedServer, before: PlannedServer | None) -> PlannedServer:
    """What did not change keeps the reasons it was chosen for, not that it was so before."""
    kept = replace(planned, reasons=before.reasons) if before else planned
    return kept if before and kept == replace(before, state="present") else planned


def _with_addresses(interface: Interface, addresses: list[Address] | None) -> Interface:
    return replace(interface, addresses=tuple(addresses)) if addresses else interface


def _site(draft: Draft, networking: Networking, addresses: Addresses, servers: tuple[PlannedServer, ...], ceph: CephPlan) -> Plan:
    intent, previous = draft.intent, draft.previous
    ovn, fmc = plan_ovn(draft.identity, intent, draft.roles, previous), plan_fmc(intent.fmc, draft.named("fmc"))
    draft.choices.append(why_timers(ovn))
    old = previous.vips if previous else ()
    vips = draft.take(plan_vips(intent, networking, draft.named("network"), fmc.servers, old, addresses, draft.bmcs))
    ports = draft.take(plan_ports(intent, {frozenset(one.roles) for one in servers}))
    if previous:
        draft.found += [*check_fmc(previous.fmc, intent), *check_carriers(previous.networks, networking.networks, intent)]
    draft.found += [*check_versions(intent), *check_upgrade(previous.versions if previous else None, intent.versions)]
    if fmc.http_port and fmc.mode == "shared" and intent.fmc.http_port is None:
        draft.choices.append(Choice(what="ports of the FMC's ingress", chosen=f"{fmc.http_port} and {fmc.https_port}", why=INGRESS_WHY))
    objections, warnings = sorted_out(draft.found)
    return Plan(
        site=intent.name,
        domain=intent.domain,
        applicable=not objections,
        layout=intent.layout,
        servers=servers,
        networks=networking.networks,
        links=networking.links,
        vips=vips,
        ports=ports,
        ceph=ceph,
        openstack=plan_openstack(intent.openstack, tenant_mtu(networking, intent)),
        ovn=ovn,
        fmc=fmc,
        losses=plan_losses(servers, ceph, ovn, fmc),
        versions=intent.versions,
        registry=intent.registry,
        ntp=intent.ntp,
        dns=intent.dns,
        choices=_kept_choices(draft),
        objections=objections,
        warnings=warnings,
    )


def _kept_choices(draft: Draft) -> tuple[Choice, ...]:
    before = {(one.what, one.chosen): one for one in draft.previous.choices} if draft.previous else {}
    return tuple(before.get((one.what, one.chosen), one) for one in draft.choices)


def _ceph(draft: Draft, placement: Placement, servers: tuple[PlannedServer, ...], raw: Mapping[str, int]) -> CephPlan:
    wish, stretch = draft.intent.ceph, draft.intent.stretch
    domains: dict[str, int] = {}
    for name, domain in placement.domain_of.items():
        domains[domain] = domains.get(domain, 0) + raw[name]
    pools = draft.take(plan_pools(draft.intent, len(domains)))
    osds = sum(len(one.osds) for one in servers)
    draft.found += mixed_classes([osd for one in servers for osd in one.osds])
    places = placement.domain_of
    sites = {places[one.name]: one.location.site or "" for one in servers if one.name in places} if stretch else None
    capacity = draft.take(plan_capacity(domains, pools, wish.full_percent, osds, sites=sites))
    return CephPlan(
        failure_domain=placement.failure_domain,
        monitors=placement.monitors,
        managers=placement.managers,
        object_gateways=placement.object_gateways,
        object_gateway_port=wish.object_gateway_port if wish.object_gateway else None,
        metadata_servers=placement.metadata_servers,
        pools=pools,
        osds=osds,
        raw_bytes=capacity.raw,
        usable_bytes=capacity.usable,
        safe_bytes=capacity.safe,
        full_percent=wish.full_percent,
        monitoring=wish.monitoring,
        dashboard=wish.dashboard,
        stretch_sites=stretch.sites if stretch else (),
        arbiter=next(iter(draft.named("arbiter")), None),
    )
