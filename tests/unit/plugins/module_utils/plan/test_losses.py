# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.capacity import width
from ansible_collections.frontier.vitro.plugins.module_utils.plan.loss_state import Remains, State
from ansible_collections.frontier.vitro.plugins.module_utils.plan.losses import plan_losses, taken
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import (
    CephPlan,
    CpuShares,
    FmcPlan,
    Interface,
    Loss,
    MemoryShares,
    Osd,
    OsDisk,
    OvnPlan,
    PlannedServer,
    Pool,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import GIB, TB

Site = tuple[list[PlannedServer], CephPlan, OvnPlan, FmcPlan]
THREE = Pool(name="volumes", application="rbd", copies=3, minimum=2, share=100)
CODED = Pool(name="cold", application="rgw", data_chunks=2, coding_chunks=2, minimum=3, share=0)


def osd(serial: str, amount: int = 4 * TB, database: str | None = None) -> Osd:
    return Osd(serial=serial, wwn=None, bytes=amount, device_class="nvme", database=database)


def port(name: str, link: str, adapter: str | None) -> Interface:
    return Interface(name=name, kind="physical", link=link, mtu=1500, adapter=adapter)


def server(number: int, **changes: Any) -> PlannedServer:
    """A converged server with a mirror, four OSDs and two bonds over two adapters."""
    name = f"lab-{number:02d}"
    given: dict[str, Any] = {
        "id": name,
        "name": name,
        "fqdn": name,
        "state": "present",
        "roles": ("control", "network", "compute", "storage"),
        "location": Location(rack=f"R{number % 3}"),
        "bmc": "",
        "interfaces": (
            port("main0", "main", "a"),
            port("main1", "main", "b"),
            port("data0", "data", "a"),
            port("data1", "data", "b"),
            Interface(name="bond0", kind="bond", link="main", mtu=1500),
            Interface(name="bond1", kind="bond", link="data", mtu=9000),
        ),
        "traffic": {"management": "bond0", "api": "bond0", "storage": "bond1"},
        "os_disk": OsDisk(kind="mirror", serials=("B0", "B1"), bytes=TB),
        "osds": tuple(osd(f"D{index}") for index in range(4)),
        "memory": MemoryShares(total=512 * GIB, guests=256 * GIB),
        "cpu": CpuShares(total=64),
    }
    return PlannedServer(**{**given, **changes})


def site(servers: Sequence[PlannedServer], **ceph: Any) -> Site:
    names = tuple(one.name for one in servers)
    given: dict[str, Any] = {"failure_domain": "server", "monitors": names[:3], "managers": names[:2], "object_gateways": names[:2]}
    given |= {"metadata_servers": names[:2], "pools": (THREE,), "osds": 0, "raw_bytes": 0, "usable_bytes": 0, "safe_bytes": 0}
    fmc = FmcPlan(
        mode="shared", servers=names[:3], cni="canal", pods="", services="", ingress="none", http_port=None, https_port=None, cis=True,
        fips=False,
    )  # fmt: skip
    ovn = OvnPlan(manager="kolla", databases=names[:3], gateways=names[:3], chassis=len(names), relay=True)
    return list(servers), CephPlan(**{**given, "full_percent": 85, **ceph}), ovn, fmc


def of_kind(losses: Sequence[Loss], kind: str) -> list[Loss]:
    return [one for one in losses if one.kind == kind]


def loss_of(losses: Sequence[Loss], kind: str, what: str) -> Loss:
    return next(one for one in of_kind(losses, kind) if what in one.what)


def test_three_servers_survive_each_single_loss() -> None:
    losses = plan_losses(*site([server(n) for n in range(3)]))
    assert all(one.ok for one in losses)
    lost = loss_of(losses, "server", "lab-00")
    assert "2 of 3 monitors stay: quorum holds" in lost.effects
    assert "no place to make the copies again: the pools stay degraded until it is back" in lost.effects
    assert "66 % of the memory for guests stays" in lost.effects
    assert loss_of(losses, "disk", "lab-01 B0").effects == ("the other disk of the mirror carries on",)
    assert loss_of(losses, "disk", "lab-01 D0").effects[0].startswith("Ceph makes up to 3.4 TB of copies again")
    assert len(loss_of(losses, "disk", "lab-01 D0").what) == 12
    assert loss_of(losses, "port", "lab-02 main0").effects == ("the link `main` runs on 1 of 2 ports",)
    assert len(of_kind(losses, "adapter")) == 1
    assert of_kind(losses, "site") == []


def test_four_servers_make_copies_again() -> None:
    lost = loss_of(plan_losses(*site([server(n) for n in range(4)])), "server", "lab-03")
    assert lost.ok
    assert lost.effects[1] == "Ceph makes up to 13.6 TB of copies again; there is room while no more than 13.6 TB is stored"


THREE_SERVERS = [server(n) for n in range(3)]
ONE_RACK = [server(n, location=Location(rack="R1")) for n in range(3)]
HOLDERS = [server(n, osds=(osd("H0", 8 * TB, "S0"), osd("H1", 8 * TB, "S0"))) for n in range(3)]


@pytest.mark.parametrize(
    ("plan", "kind", "what", "said"),
    [
        pytest.param(site(ONE_RACK), "rack", "R1", "0 of 3 monitors stay: the quorum is lost", id="one rack has all"),
        pytest.param(site(ONE_RACK), "rack", "R1", "data of these pools cannot be read", id="one rack has all data"),
        pytest.param(
            site([replace(THREE_SERVERS[0], state="absent"), *THREE_SERVERS[1:]]),
            "server", "lab-01", "1 of 3 control servers stays: Galera and RabbitMQ lose", id="one is absent already",
        ),
        pytest.param(site(THREE_SERVERS, managers=("lab-00",)), "server", "lab-00", "0 of 1 Ceph managers stay", id="one manager"),
        pytest.param(
            site(THREE_SERVERS, pools=(replace(THREE, copies=2, minimum=2),)), "server", "lab-00", "take no writes", id="writes stop",
        ),
        pytest.param(site(THREE_SERVERS, pools=(replace(THREE, copies=1),)), "disk", "lab-00 D0", "cannot be read", id="one copy"),
        pytest.param(
            site([replace(one, os_disk=OsDisk(kind="single", serials=("B0",), bytes=TB)) for one in THREE_SERVERS[:2]]),
            "disk", "lab-00 B0", "until it is installed again", id="one disk for the system, and two servers",
        ),
        pytest.param(
            site([replace(one, interfaces=(port("only", "main", "a"),), traffic={"management": "only"}) for one in THREE_SERVERS]),
            "port", "lab-00 only", "loses these networks: management", id="one port",
        ),
        pytest.param(
            site([replace(one, interfaces=(port("m0", "main", "a"), port("m1", "main", "a"))) for one in THREE_SERVERS]),
            "adapter", "lab-00 a", "the link `main` has no port left", id="one adapter",
        ),
    ],
)  # fmt: skip
def test_not_survived(plan: Site, kind: str, what: str, said: str) -> None:
    lost = loss_of(plan_losses(*plan), kind, what)
    assert not lost.ok
    assert any(said in effect for effect in lost.effects)


def test_database_disk_takes_its_osds_with_it() -> None:
    lost = loss_of(plan_losses(*site(HOLDERS)), "disk", "lab-00 S0")
    assert lost.ok
    assert lost.effects[0] == "2 OSDs lose their database and are made anew"
    assert "no place" in lost.effects[1]


def test_stretched_site_survives_a_site() -> None:
    servers = [server(n, location=Location(site="east" if n % 2 else "west", rack="R1")) for n in range(4)]
    servers.append(server(4, location=Location(site="hill"), roles=("arbiter",), osds=()))
    four = replace(THREE, copies=4, minimum=2)
    names = tuple(one.name for one in servers)
    plan = site(servers, pools=(four,), monitors=names[:4], arbiter=names[4], stretch_sites=("east", "west"))
    lost = loss_of(plan_losses(*plan), "site", "east")
    assert not any("cannot be read" in effect or "no writes" in effect for effect in lost.effects)
    assert "3 of 5 monitors stay: quorum holds" in lost.effects
    assert {name for one in of_kind(plan_losses(*plan), "rack") for name in one.what} == {"east/R1", "west/R1"}


def test_order_of_servers_does_not_matter() -> None:
    servers, *rest = site([server(n) for n in range(7)])
    assert plan_losses(servers[::-1], *rest) == plan_losses(servers, *rest)


def test_nothing_is_left_to_lose() -> None:
    assert plan_losses(*site([replace(server(0), state="absent")])) == ()
    assert plan_losses(*site([])) == ()


# From here on: the counters against a site that is looked at anew after each loss.


def from_scratch(whole: Site, left: Sequence[PlannedServer], touched: PlannedServer | None = None) -> Remains:
    """What is left of the site, without counters: `left` are the servers as they are after the loss."""
    servers, ceph, ovn, fmc = whole
    alive = {one.name for one in left}
    role = {name: [one.name for one in servers if name in one.roles] for name in ("control", "network")}
    members = [ceph.monitors, role["control"], ovn.databases, fmc.servers, ceph.managers, ceph.object_gateways, ceph.metadata_servers]
    members += [role["network"], ovn.gateways]

    def domains(of: Sequence[PlannedServer]) -> Counter[str]:
        raw: Counter[str] = Counter()
        for one in of:
            raw[f"None/{one.location.rack}" if ceph.failure_domain == "rack" else one.name] += sum(disk.bytes for disk in one.osds)
        return +raw

    before, after = domains([one for one in servers if one.state == "present"]), domains(left)
    sizes = sorted(after.values(), reverse=True)
    links, cut = [], []
    if touched:
        was, now = (
            Counter(one.link for one in of.interfaces if one.kind == "physical")
            for of in (next(s for s in servers if s.name == touched.name), touched)
        )
        links = sorted((link, now[link], number) for link, number in was.items() if now[link] < number)
        gone = {link for link, ports, _ in links if not ports}
        link_of = {one.name: one.link for one in next(s for s in servers if s.name == touched.name).interfaces}
        cut = sorted(network for network, name in touched.traffic.items() if link_of.get(name) in gone)
    return Remains(
        services=tuple(len(set(names) & alive) for names in members),
        domains=len(sizes),
        raw=sum(sizes),
        largest=tuple(sizes[: max(map(width, ceph.pools))]),
        hits=(sum(after[name] < amount for name, amount in before.items()),),
        guests=sum(one.memory.guests for one in left),
        links=tuple(links),
        cut=tuple(cut),
    )


def every_loss(whole: Site) -> Iterator[tuple[str, str, Remains]]:
    present = [one for one in whole[0] if one.state == "present"]

    def with_one(changed: PlannedServer) -> list[PlannedServer]:
        return [changed if one.name == changed.name else one for one in present]

    for rack in {one.location.rack for one in present} - {None}:
        yield "rack", rack, from_scratch(whole, [one for one in present if one.location.rack != rack])
    for one in present:
        without = [other for other in present if other.name != one.name]
        yield "server", one.name, from_scratch(whole, without)
        for serial in {disk.serial for disk in one.osds} | {disk.database for disk in one.osds if disk.database}:
            kept = tuple(disk for disk in one.osds if serial not in (disk.serial, disk.database))
            yield "disk", f"{one.name} {serial}", from_scratch(whole, with_one(replace(one, osds=kept)))
        for serial in one.os_disk.serials if one.os_disk else ():
            yield "disk", f"{one.name} {serial}", from_scratch(whole, present if len(one.os_disk.serials) > 1 else without)
        physical = [face for face in one.interfaces if face.kind == "physical"]
        for face in physical:
            changed = replace(one, interfaces=tuple(other for other in one.interfaces if other.name != face.name))
            yield "port", f"{one.name} {face.name}", from_scratch(whole, with_one(changed), changed)
        for adapter in {face.adapter for face in physical} - {None}:
            changed = replace(one, interfaces=tuple(other for other in one.interfaces if other.adapter != adapter))
            yield "adapter", f"{one.name} {adapter}", from_scratch(whole, with_one(changed), changed)


@st.composite
def sites(draw: st.DrawFn) -> Site:
    count = draw(st.integers(1, 7))
    servers = []
    for number in range(count):
        amounts = draw(st.lists(st.sampled_from([TB, 2 * TB, 4 * TB]), max_size=4))
        shared = draw(st.booleans())
        osds = tuple(osd(f"D{n}", amount, "S0" if shared and n < 2 else None) for n, amount in enumerate(amounts))
        faces = draw(st.lists(st.tuples(st.sampled_from(["main", "data"]), st.sampled_from(["a", "b", None])), max_size=4))
        interfaces = tuple(port(f"p{n}", link, adapter) for n, (link, adapter) in enumerate(faces))
        servers.append(
            server(
                number,
                osds=osds,
                interfaces=interfaces,
                traffic={"management": "p0", "storage": "p1", "tunnel": "p1"},
                state=draw(st.sampled_from(["present", "present", "present", "absent"])),
                roles=tuple(draw(st.sets(st.sampled_from(["control", "network", "compute", "storage"])))),
                location=Location(rack=draw(st.sampled_from(["R1", "R2", "R3"]))),
                os_disk=draw(st.sampled_from([None, OsDisk(kind="single", serials=("B0",), bytes=1), server(0).os_disk])),
                memory=MemoryShares(total=0, guests=draw(st.sampled_from([0, 64, 128]))),
            )
        )
    names = st.lists(st.sampled_from([one.name for one in servers]), unique=True).map(tuple)
    pools = draw(st.sampled_from([(THREE,), (THREE, CODED), (replace(THREE, copies=2, minimum=1),)]))
    whole = site(servers, failure_domain=draw(st.sampled_from(["server", "rack"])), pools=pools, monitors=draw(names), managers=draw(names))
    return whole[0], whole[1], replace(whole[2], databases=draw(names)), replace(whole[3], servers=draw(names))


@given(sites())
@settings(max_examples=150, deadline=None)
def test_counters_tell_what_a_new_look_tells(whole: Site) -> None:
    state = State(*whole)
    before = deepcopy({name: value for name, value in vars(state).items() if name != "facts"})
    counted = {(kind, what): remains for kind, what, _, remains in taken(state)}
    assert counted == {(kind, what): remains for kind, what, remains in every_loss(whole)}
    assert {name: value for name, value in vars(state).items() if name != "facts"} == before
    assert state.remains() == from_scratch(whole, [one for one in whole[0] if one.state == "present"])


@given(sites())
@settings(max_examples=50, deadline=None)
def test_every_element_is_in_one_loss(whole: Site) -> None:
    losses = plan_losses(*whole)
    listed = [(one.kind, what) for one in losses for what in one.what]
    assert sorted(listed) == sorted({(kind, what) for kind, what, _ in every_loss(whole)})
    assert all(one.effects and one.what == tuple(sorted(one.what)) for one in losses)
