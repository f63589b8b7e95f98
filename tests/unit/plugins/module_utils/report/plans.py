# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans made by hand: what the report is given, whatever the planner thinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import (
    Address,
    CpuShares,
    Interface,
    MemoryShares,
    Osd,
    OsDisk,
    PlannedServer,
    Role,
)
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import (
    CephPlan,
    Choice,
    FmcPlan,
    Loss,
    Objection,
    OpenstackPlan,
    OvnPlan,
    Plan,
    PlannedLink,
    PlannedNetwork,
    Pool,
    Port,
    Versions,
    Vip,
)

GB, GIB, TB = 10**9, 1024**3, 10**12
HCI: tuple[Role, ...] = ("control", "network", "compute", "storage", "monitoring", "fmc")
OBJECTIONS = (
    Objection(
        code="vip_taken",
        subject="vips.internal",
        text="The internal VIP 10.20.0.12 is the address of lab-02",
        why="Two machines would answer for one address, and the API would come and go.",
        cure="Give another address of 10.20.0.0/24 that is outside 10.20.0.11-10.20.0.250, or leave the key out",
        path="vips.internal",
    ),
    Objection(
        code="memory_short",
        subject="lab-03 (SN00002)",
        text="lab-03 (SN00002) has 128 GiB; its OSDs, control services and FMC need 176 GiB",
        why="The kernel would kill OSDs when the site is under load.",
        cure="Add memory, take the FMC off this server, or lower ceph.osd_memory_gib from 8",
    ),
)
WARNINGS = (
    Objection(
        code="reading_old",
        subject="SN00001",
        text="SN00001: its BMC could not be read now, this is its record of 2026-01-01T00:00:00Z",
        why="What was changed in it since then is not in the plan.",
        cure="Bring its BMC back and discover again before you apply the plan",
    ),
)


def interfaces(number: int) -> tuple[Interface, ...]:
    host = 11 + number
    third, last = divmod(host, 250)
    return (
        *(
            Interface(
                name=f"{link}{port}",
                kind="physical",
                link=link,
                mtu=9000 if link == "data" else 1500,
                mac=f"02:00:{number // 256:02x}:{number % 256:02x}:{slot:02x}:{port:02x}",
                adapter=f"slot-{port}",
                port=str(slot),
                speed_mbps=25000,
            )
            for slot, link in enumerate(("base", "data"))
            for port in range(2)
        ),
        Interface(
            name="bond-base",
            kind="bond",
            link="base",
            mtu=1500,
            members=("base0", "base1"),
            mode="802.3ad",
            addresses=(Address(network="management", cidr=f"10.20.{third * 4}.{last}/20", gateway="10.20.0.1"),),
        ),
        Interface(name="external", kind="vlan", link="base", mtu=1500, parent="bond-base", vlan=30),
        Interface(name="bond-data", kind="bond", link="data", mtu=9000, members=("data0", "data1"), mode="802.3ad"),
        *(
            Interface(
                name=name,
                kind="vlan",
                link="data",
                mtu=9000,
                parent="bond-data",
                vlan=vlan,
                addresses=(Address(network=name, cidr=f"10.20.{third * 4 + vlan - 20}.{last}/20"),),  # type: ignore[arg-type]
            )
            for name, vlan in (("storage", 21), ("tunnel", 22))
        ),
    )


def osds(number: int, roles: tuple[Role, ...]) -> tuple[Osd, ...]:
    if "storage" not in roles:
        return ()
    return tuple(
        Osd(serial=f"D{number:05d}-{n:02d}", wwn=f"50{number:08x}{n:06x}", bytes=4 * TB, device_class="nvme", slot=f"bay {n}")
        for n in range(4)
    )


def memory(roles: tuple[Role, ...]) -> MemoryShares:
    osd = 4 * 8 * GIB * ("storage" in roles)
    control, fmc, compute = 64 * GIB * ("control" in roles), 48 * GIB * ("fmc" in roles), 8 * GIB * ("compute" in roles)
    guests = (512 * GIB - 8 * GIB - osd - control - fmc - compute) * ("compute" in roles)
    return MemoryShares(
        total=512 * GIB, system=8 * GIB, osd=osd, osd_target=8 * GIB, control=control, fmc=fmc, compute=compute, guests=guests
    )


def cpu(roles: tuple[Role, ...]) -> CpuShares:
    osd, control, fmc = 8 * ("storage" in roles), 12 * ("control" in roles), 8 * ("fmc" in roles)
    return CpuShares(total=64, system=2, osd=osd, control=control, fmc=fmc, guests=(62 - osd - control - fmc) * ("compute" in roles))


def server(number: int, roles: tuple[Role, ...], at: Location, *, site: str = "lab") -> PlannedServer:
    name = f"{site}-{number + 1:02d}"
    return PlannedServer(
        id=f"SN{number:05d}",
        name=name,
        fqdn=f"{name}.{site}.example",
        state="present",
        roles=roles,
        location=at,
        bmc=f"192.0.{number // 250}.{number % 250 + 1}",
        model="PowerEdge R750",
        serial=f"SN{number:05d}",
        interfaces=interfaces(number),
        traffic={
            **dict.fromkeys(("management", "api", "public", "fmc"), "bond-base"),
            **dict.fromkeys(("storage", "cluster"), "storage"),
            **dict.fromkeys(("tunnel", "migration"), "tunnel"),
            "external": "external",
        },  # type: ignore[arg-type]
        os_disk=OsDisk(kind="volume", serials=(f"B{number:05d}-00", f"B{number:05d}-01"), bytes=480 * GB, volume="os"),
        osds=osds(number, roles),
        memory=memory(roles),
        cpu=cpu(roles),
        reasons=(f"{roles[0]}: by its place among racks", "64 cores and 512 GiB are enough for the class `compute`"),
    )


def split_roles(count: int) -> Iterator[tuple[Role, ...]]:
    """Three for control and so on, a quarter for storage, the others compute, and one is spare."""
    stores = max(3, count // 4)
    for number in range(count):
        if number < 3:
            yield ("control", "network", "monitoring", "fmc")
        elif number < 3 + stores:
            yield ("storage",)
        else:
            yield ("spare",) if number == count - 1 else ("compute",)


def networks() -> tuple[PlannedNetwork, ...]:
    own = (("management", 0, None, 1500), ("storage", 1, 21, 9000), ("tunnel", 2, 22, 9000))
    carried = (("api", "management"), ("public", "management"), ("fmc", "management"), ("cluster", "storage"), ("migration", "tunnel"))
    found = {
        name: PlannedNetwork(
            name=name,  # type: ignore[arg-type]
            carried_by=name,  # type: ignore[arg-type]
            link="data" if vlan else "base",
            cidr=f"10.20.{third}.0/20",
            vlan=vlan,
            mtu=mtu,
            gateway=None if vlan else "10.20.0.1",
        )
        for name, third, vlan, mtu in own
    }
    for name, by in carried:
        found[name] = replace(found[by], name=name, carried_by=by)  # type: ignore[arg-type]
    found["external"] = PlannedNetwork(name="external", carried_by="external", link="base", cidr=None, vlan=30, mtu=1500)
    order = ("management", "api", "public", "fmc", "external", "storage", "cluster", "tunnel", "migration")
    return tuple(found[name] for name in order)


PORTS: tuple[tuple[int, str, str, Role, str], ...] = (
    (3306, "mariadb", "kolla", "control", "api"), (4567, "mariadb galera", "kolla", "control", "api"),
    (5672, "rabbitmq", "kolla", "control", "api"), (5000, "keystone", "kolla", "control", "vip:internal"),
    (8774, "nova-api", "kolla", "control", "vip:internal"), (9696, "neutron", "kolla", "control", "vip:internal"),
    (6641, "ovn northbound", "ovn", "control", "api"), (6642, "ovn southbound", "ovn", "control", "api"),
    (3300, "ceph mon", "ceph", "control", "storage"), (6789, "ceph mon v1", "ceph", "control", "storage"),
    (6443, "kube-apiserver", "rke2", "fmc", "fmc"), (9345, "rke2 supervisor", "rke2", "fmc", "fmc"),
    (2379, "etcd", "rke2", "fmc", "fmc"), (2380, "etcd peers", "rke2", "fmc", "fmc"), (10250, "kubelet", "rke2", "fmc", "all"),
    (6800, "ceph osd", "ceph", "storage", "storage"), (16509, "libvirtd", "kolla", "compute", "migration"),
    (22, "sshd", "host", "compute", "all"),
    (9090, "prometheus", "kolla", "monitoring", "api"), (3000, "grafana", "kolla", "monitoring", "api"),
)  # fmt: skip


def losses(servers: tuple[PlannedServer, ...], racks: int) -> tuple[Loss, ...]:
    names = tuple(one.name for one in servers)
    serials = tuple(osd.serial for one in servers for osd in one.osds)
    found = [
        Loss(kind="server", what=names[:3], ok=True, effects=("2 of 3 monitors stay", "2 of 3 Galera members stay")),
        Loss(kind="disk", what=serials, ok=True, effects=("its data is copied again within the failure domain",)),
        Loss(kind="adapter", what=tuple(f"{name} slot-0" for name in names), ok=True, effects=("each bond keeps one port",)),
    ]
    if racks:
        ok = racks > 2
        said = "2 of 3 monitors stay" if ok else "1 of 3 monitors stays: no quorum, all storage stops"
        found.insert(1, Loss(kind="rack", what=tuple(f"R{n + 1}" for n in range(racks)), ok=ok, effects=(said,)))
    return tuple(found)


def ceph(servers: tuple[PlannedServer, ...], racks: int) -> CephPlan:
    names = tuple(one.name for one in servers)
    raw = sum(osd.bytes for one in servers for osd in one.osds)
    usable = raw * 85 // 300
    return CephPlan(
        failure_domain="rack" if racks > 2 else "server",
        monitors=names[:3],
        managers=names[:2],
        object_gateways=names[:3],
        object_gateway_port=7480,
        metadata_servers=names[:2],
        pools=(
            Pool(name="volumes", application="rbd", copies=3, minimum=2, share=60),
            Pool(name="vms", application="rbd", copies=3, minimum=2, share=30),
            Pool(name="objects", application="rgw", data_chunks=4, coding_chunks=2, share=10),
        ),
        osds=sum(len(one.osds) for one in servers),
        raw_bytes=raw,
        usable_bytes=usable,
        safe_bytes=usable * 2 // 3,
        full_percent=85,
    )


def vips(names: tuple[str, ...]) -> tuple[Vip, ...]:
    given = (("internal", 251, "api", 51), ("external", 252, "public", 51), ("fmc", 253, "fmc", 52))
    return tuple(
        Vip(name=name, address=f"10.20.0.{last}", prefix=20, network=network, fqdn=f"{name}.lab.example", vrid=vrid, servers=names)  # type: ignore[arg-type]
        for name, last, network, vrid in given
    )


CHOICES = (
    Choice(what="layout", chosen="hci", why="the intent says so"),
    Choice(what="failure domain", chosen="rack", why="there are three racks or more with disks in each, and three copies"),
    Choice(what="bonds", chosen="802.3ad over two adapters", why="either adapter may die and every network stays"),
    Choice(what="coordination", chosen="valkey", why="Kolla's etcd and that of RKE2 want the ports 2379 and 2380 of the same servers"),
)


def sample_plan(servers: int = 3, racks: int = 3, *, layout: str = "hci", trouble: bool = False) -> Plan:
    """So many servers in so many racks from below to above; 0 racks leave their places unknown. Trouble: objections, an absent server."""
    roles = [HCI] * servers if layout == "hci" else list(split_roles(servers))
    places = [Location(rack=f"R{n % racks + 1}", unit=n // racks + 1) if racks else Location() for n in range(servers)]
    planned = tuple(server(n, roles[n], places[n]) for n in range(servers))
    names = tuple(one.name for one in planned)[:3]
    if trouble:
        planned = (*planned[:-1], replace(planned[-1], state="absent", location=Location(rack="R1")))
    return Plan(
        site="lab",
        domain="lab.example",
        applicable=not trouble,
        layout=layout,  # type: ignore[arg-type]
        servers=planned,
        networks=networks(),
        links=(
            PlannedLink(name="base", networks=("management", "api", "public", "fmc", "external"), ports=2, bond="802.3ad"),
            PlannedLink(name="data", networks=("storage", "cluster", "tunnel", "migration"), ports=2, bond="802.3ad"),
        ),
        vips=vips(names),
        ports=tuple(Port(port=n, protocol="tcp", service=s, engine=e, role=r, bind=b) for n, s, e, r, b in PORTS),  # type: ignore[arg-type]
        ceph=ceph(planned, racks),
        openstack=OpenstackPlan(
            distribution="debian", engine="podman", coordination="valkey", tls="both", octavia=True, monitoring=True, logging=True,
            masakari=False, tenant_mtu=8942, guest_memory_ratio=1.0, guest_cpu_ratio=4.0,
        ),
        ovn=OvnPlan(manager="kolla", databases=names, gateways=names, chassis=servers, relay=False),
        fmc=FmcPlan(
            mode="shared", servers=names, cni="canal", pods="10.42.0.0/16", services="10.43.0.0/16", ingress="traefik",
            http_port=8080, https_port=8443, cis=True, fips=False,
        ),
        losses=losses(planned, racks),
        versions=Versions(),
        registry="registry.lab.example:5000",
        ntp=("10.20.0.1",),
        dns=("10.20.0.1",),
        choices=CHOICES,
        objections=OBJECTIONS if trouble else (),
        warnings=WARNINGS if trouble else (),
    )  # fmt: skip
