# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The counters against a site that is looked at anew after each loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.capacity import width
from ansible_collections.frontier.vitro.plugins.module_utils.plan.loss_state import Remains, State
from ansible_collections.frontier.vitro.plugins.module_utils.plan.losses import plan_losses, taken
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import MemoryShares, OsDisk, PlannedServer
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.loss_sites import CODED, THREE, Site, osd, port, server, site
from tests.unit.plugins.module_utils.plan.racks import TB


def from_scratch(whole: Site, left: Sequence[PlannedServer], touched: PlannedServer | None = None) -> Remains:
    """What is left of the site, without counters: `left` are the servers as they are after the loss."""
    servers, ceph, ovn, fmc = whole
    alive = {one.name for one in left}
    role = {name: [one.name for one in servers if name in one.roles] for name in ("control", "network", "compute")}
    members = [ceph.monitors, role["control"], ovn.databases, fmc.servers, ceph.managers, ceph.object_gateways, ceph.metadata_servers]
    members += [role["network"], ovn.gateways, role["compute"]]

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
            yield "disk", f"{one.name} {serial}", from_scratch(whole, present if one.os_disk.kind == "mirror" else without)
        physical = [face for face in one.interfaces if face.kind == "physical"]
        for face in physical:
            changed = replace(one, interfaces=tuple(other for other in one.interfaces if other.name != face.name))
            yield "port", f"{one.name} {face.name}", from_scratch(whole, with_one(changed), changed)
        for adapter in {face.adapter for face in physical} - {None}:
            changed = replace(one, interfaces=tuple(other for other in one.interfaces if other.adapter != adapter))
            yield "adapter", f"{one.name} {adapter}", from_scratch(whole, with_one(changed), changed)


SYSTEMS = (
    OsDisk(kind="mirror", serials=("B0", "B1"), bytes=1),
    OsDisk(kind="single", serials=("B0",), bytes=1),
    OsDisk(kind="volume", serials=("B0", "B1"), bytes=1, redundant=False),
)


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
                os_disk=draw(st.sampled_from([None, *SYSTEMS])),
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
