# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which services run where, what listens on which port, the choices with their reasons, the versions, and the place of the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from ..plan.types import Plan, Port, Versions
from .elements import Child, Markup, tag
from .site import LETTERS, Site, chip
from .tables import Column, section, simple
from .wording import commas, switched

SERVICES: tuple[Column, ...] = (("Service", "nw"), ("Servers", None), ("Settings", "wide"))
PORTS: tuple[Column, ...] = (("Role", "nw"), ("Engine", "nw"), ("Ports", "wide full"))
CHOICES: tuple[Column, ...] = (("What", None), ("Chosen", None), ("Why", "wide"))
VERSIONS: tuple[Column, ...] = (("Part", None), ("Version", None))
NAMES = {
    "os": "operating system",
    "openstack": "OpenStack",
    "kolla_ansible": "Kolla-Ansible",
    "ceph": "Ceph",
    "ovn": "OVN",
    "rke2": "RKE2",
    "capi": "Cluster API",
    "caprke2": "Cluster API provider RKE2",
    "capo": "Cluster API provider OpenStack",
    "korc": "K-ORC",
    "cloud_provider": "cloud provider OpenStack",
    "argocd": "Argo CD",
}
EVIDENCE = "The checks of later stages appear here when they have run. Until then this is a plan: no running system was asked."


def services(site: Site) -> Markup:
    plan = site.plan
    rows = ((name, site.links(servers) if servers is not None else "all, by role", said) for name, servers, said in _services(plan))
    return section(
        "ports",
        "Services and ports",
        simple("Services and their servers", SERVICES, rows),
        simple("What listens, by role and engine", PORTS, _ports(plan.ports)),
    )


Service = tuple[str, Sequence[str] | None, str]


def _services(plan: Plan) -> Iterator[Service]:
    ceph, ovn, fmc, cloud = plan.ceph, plan.ovn, plan.fmc, plan.openstack
    gateway_port = f"port {ceph.object_gateway_port}" if ceph.object_gateway_port is not None else ""
    stretch = f"; data on the sites {commas(ceph.stretch_sites)}" if ceph.stretch_sites else ""
    arbiter = f"; arbiter {ceph.arbiter}" if ceph.arbiter else ""
    yield "Ceph monitors", ceph.monitors, f"failure domain {ceph.failure_domain}{stretch}{arbiter}"
    yield "Ceph managers", ceph.managers, switched((("dashboard", ceph.dashboard), ("monitoring of its own", ceph.monitoring)))
    yield "Ceph object gateways", ceph.object_gateways, gateway_port
    yield "Ceph metadata servers", ceph.metadata_servers, ""
    yield "OVN databases", ovn.databases, f"managed by {ovn.manager}, {switched((('relay', ovn.relay),))}"
    yield "OVN gateways", ovn.gateways, f"{ovn.chassis} chassis"
    yield "FMC (RKE2)", fmc.servers, commas(_fmc(plan))
    switches = (("Octavia", cloud.octavia), ("monitoring", cloud.monitoring), ("logging", cloud.logging), ("Masakari", cloud.masakari))
    yield (
        "OpenStack",
        None,
        f"{cloud.distribution} images in {cloud.engine}, coordination by {cloud.coordination}, TLS {cloud.tls}, "
        f"{switched(switches)}, MTU of tenants {cloud.tenant_mtu}",
    )
    yield (
        "Site",
        None,
        f"registry {plan.registry or 'none'}, time from {commas(plan.ntp) or 'none'}, names from {commas(plan.dns) or 'none'}",
    )


def _fmc(plan: Plan) -> Iterator[str]:
    fmc = plan.fmc
    yield from (fmc.mode, f"network {fmc.cni}", f"pods {fmc.pods}", f"services {fmc.services}", f"ingress {fmc.ingress}")
    if fmc.http_port is not None:
        yield f"HTTP port {fmc.http_port}"
    if fmc.https_port is not None:
        yield f"HTTPS port {fmc.https_port}"
    yield switched((("CIS hardening", fmc.cis), ("FIPS", fmc.fips)))


def _ports(ports: Iterable[Port]) -> Iterator[tuple[Child, ...]]:
    groups: dict[tuple[str, str], list[Port]] = {}
    for one in ports:
        groups.setdefault((one.role, one.engine), []).append(one)
    order = {role: n for n, role in enumerate(LETTERS)}
    for role, engine in sorted(groups, key=lambda one: (order.get(one[0], len(order)), one)):
        yield chip(role), engine, tag("ul", _listening(groups[role, engine]), class_="ports")


def _listening(ports: Iterable[Port]) -> Iterator[Markup]:
    """One line for each service and port, with every place where it listens."""
    binds: dict[tuple[int, int, str, str], list[str]] = {}
    for one in ports:
        binds.setdefault((one.port, one.last or one.port, one.protocol, one.service), []).append(one.bind.replace("vip:", "VIP "))
    for (first, last, protocol, service), where in sorted(binds.items()):
        number = str(first) if first == last else f"{first}-{last}"
        yield tag("li", tag("b", number), f"/{protocol} {service} ", tag("small", f"on {commas(sorted(where))}"))


def choices(plan: Plan) -> Markup:
    if not plan.choices:
        return section("choices", "Choices", tag("p", "The plan names none."))
    rows = ((one.what, one.chosen, one.why) for one in plan.choices)
    return section("choices", "Choices", simple("What was chosen, and why", CHOICES, rows))


def versions(plan: Plan) -> Markup:
    rows = ((NAMES.get(one.name, one.name), tag("code", getattr(plan.versions, one.name))) for one in fields(Versions))
    return section("versions", "Versions", simple("One version of each part", VERSIONS, rows), runs_on=True)


def evidence() -> Markup:
    return section("evidence", "Evidence", tag("p", EVIDENCE), runs_on=True)
