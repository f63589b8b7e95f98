# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who listens where: every port of every planned service, and two that want the same one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Final

from .intent import Intent
from .networks import resolved
from .objections import Found, Kind
from .ports_table import ROWS, Row
from .servers import NetworkName, Role
from .types import Port
from .wishes import FmcWish

PORT_CONFLICT = Kind(
    code="port_conflict",
    title="Two services want one port",
    rank=40,
    why="Whichever starts second on such a server fails, often only after the next restart.",
    cure="Move one of them to another port or to other servers",
)
# HAProxy has 80 and 443 on the VIPs of servers that carry OpenStack, and a host port of Kubernetes takes the number on every address.
# 8081 and 8443, the usual second choice, belong to Kolla's letsencrypt and to Ceph's dashboard.
INGRESS_ALONE: Final = (80, 443)
INGRESS_SHARED: Final = (8088, 8444)
INGRESS_WHY: Final = "HAProxy has 80 and 443 on the VIPs of the same servers; nothing that Vitro deploys uses 8088 and 8444"


def ingress_ports(wish: FmcWish) -> tuple[int | None, int | None]:
    """The ports of the FMC's ingress for HTTP and HTTPS; none without an ingress."""
    if wish.ingress == "none":
        return None, None
    http, https = INGRESS_ALONE if wish.mode == "dedicated" else INGRESS_SHARED
    return wish.http_port or http, wish.https_port or https


def plan_ports(intent: Intent, role_sets: Collection[frozenset[Role]]) -> tuple[tuple[Port, ...], list[Found]]:
    """All ports of the roles that some server has, and what two services of one server both want."""
    rows = _rows(intent)
    present = frozenset(role for roles in role_sets for role in roles)
    ports = {
        (row.port, row.protocol, row.engine, row.service, role, bind): Port(
            port=row.port, protocol=row.protocol, service=row.service, engine=row.engine, role=role, bind=bind, last=row.last
        )
        for row in rows
        for role in row.roles
        if role in present
        for bind in row.binds
    }
    found = list(_conflicts(rows, sorted(role_sets, key=sorted), resolved(intent.networks)))
    return tuple(ports[key] for key in sorted(ports)), found


def _rows(intent: Intent) -> list[Row]:
    """The rows of the table that hold for this intent, and those whose port the intent gives."""
    ceph, openstack, fmc = intent.ceph, intent.openstack, intent.fmc
    holds = {
        "always": True,
        "octavia": openstack.octavia,
        "masakari": openstack.masakari,
        "monitoring": openstack.monitoring,
        "logging": openstack.logging,
        "logging_monitoring": openstack.logging and openstack.monitoring,
        "valkey": openstack.coordination == "valkey",
        "valkey_monitoring": openstack.coordination == "valkey" and openstack.monitoring,
        "etcd": openstack.coordination == "etcd",
        "object_gateway": ceph.object_gateway,
        "dashboard": ceph.dashboard,
        "ceph_monitoring": ceph.monitoring,
        fmc.cni: True,
    }
    rows = [row for row in ROWS if holds.get(row.when, False)]
    if ceph.object_gateway:
        rows.append(Row("object gateway", "ceph", ceph.object_gateway_port, ("all",), ("storage",), key="ceph.object_gateway_port"))
    for scheme, port in zip(("http", "https"), ingress_ports(fmc), strict=True):
        if port is not None:
            rows.append(Row(f"ingress {scheme}", "rke2", port, ("all",), ("fmc",), key=f"fmc.{scheme}_port"))
    return rows


def _conflicts(
    rows: Collection[Row], role_sets: Collection[frozenset[Role]], carriers: Mapping[NetworkName, NetworkName]
) -> Iterator[Found]:
    """Each pair once, with the smallest set of roles that brings it about; pairs that one decision parts are one objection."""
    causes: dict[tuple[tuple[str, ...], frozenset[Role]], list[tuple[Row, Row]]] = {}
    for one, other in _meeting(rows, carriers):
        both = [roles for roles in role_sets if not roles.isdisjoint(one.roles) and not roles.isdisjoint(other.roles)]
        if both:
            keys = tuple(dict.fromkeys(row.key for row in (one, other) if row.key))
            causes.setdefault((keys, min(both, key=lambda roles: (len(roles), sorted(roles)))), []).append((one, other))
    for (keys, roles), pairs in causes.items():
        clashes = "; ".join(_clash(one, other) for one, other in pairs)
        text = f"on a server with the roles {', '.join(sorted(roles))} two services want one port: {clashes}"
        cure = f"Change {' or '.join(keys)}, or give the services to different servers" if keys else None
        subject = " and ".join(keys) or f"{pairs[0][0].service} and {pairs[0][1].service}"
        yield PORT_CONFLICT.of(subject, text, cure=cure, path=keys[-1] if keys else None)


def _meeting(rows: Collection[Row], carriers: Mapping[NetworkName, NetworkName]) -> Iterator[tuple[Row, Row]]:
    fixed: dict[tuple[str, int], list[Row]] = {}
    rows = [row for row in rows if not row.gives_way]
    for row in rows:
        if row.last is None:
            fixed.setdefault((row.protocol, row.port), []).append(row)
    pairs = [pair for same in fixed.values() for pair in combinations(same, 2)]
    for spread in (row for row in rows if row.last is not None):
        others = (row for row in rows if row is not spread and row.protocol == spread.protocol)
        pairs += [(row, spread) for row in others if row.port <= (spread.last or 0) and (row.last or row.port) >= spread.port]
    seen: set[frozenset[int]] = set()
    for one, other in pairs:
        mark = frozenset((id(one), id(other)))
        if mark not in seen and (one.engine, one.service) != (other.engine, other.service) and _overlap(one, other, carriers):
            seen.add(mark)
            yield one, other


def _overlap(one: Row, other: Row, carriers: Mapping[NetworkName, NetworkName]) -> bool:
    """Whether both want one address. Two etcds are refused on any: RKE2's holds the loopback as well, where clients of both look first."""
    if one.service == other.service == "etcd":
        return True
    return any(_same(a, b, carriers) for a in one.binds for b in other.binds)


def _same(one: str, other: str, carriers: Mapping[NetworkName, NetworkName]) -> bool:
    if "all" in (one, other):
        return True
    named: Mapping[str, str] = {str(name): str(carrier) for name, carrier in carriers.items()}
    return named.get(one, one) == named.get(other, other)


def _clash(one: Row, other: Row) -> str:
    among = f" (one of {other.port} to {other.last})" if other.last else ""
    return f"{_named(one)} and {_named(other)}: {one.port}/{one.protocol}{among}"


def _named(row: Row) -> str:
    where = " and ".join("all addresses" if bind == "all" else bind.replace("vip:", "VIP ") for bind in row.binds)
    return f"{row.service} of {row.engine} on {where}"
