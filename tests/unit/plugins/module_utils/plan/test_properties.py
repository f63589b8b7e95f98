# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for every plan, over racks that nobody thought of. The rules are written anew here, not taken from the planner."""

from __future__ import annotations

import ipaddress
import random
from collections import Counter

from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.plan.racks import GIB, TB, boot_disks, disks, hardware, intent, nics, server

RACKS = 2000


@st.composite
def servers(draw, number):
    """A server of a plausible make: most fit, some do not."""
    boot = boot_disks(number)
    data = disks(
        number,
        draw(st.sampled_from([4, 4, 4, 2, 8, 1, 0])),
        size=draw(st.sampled_from([2, 4, 8])) * TB,
        media=draw(st.sampled_from(["ssd", "ssd", "hdd", None])),
        protocol=draw(st.sampled_from(["NVMe", "SAS", None])),
    )
    extra = disks(number, draw(st.sampled_from([0, 0, 0, 2])), size=TB, tag="E")
    changes = {
        "disks": (*boot, *data, *extra),
        "nics": nics(
            number,
            adapters=draw(st.sampled_from([2, 2, 2, 1, 3])),
            each=draw(st.sampled_from([2, 2, 2, 4, 1])),
            speed=draw(st.sampled_from([25000, 25000, 10000, 1000])),
            link=draw(st.sampled_from(["up", "up", "up", "up", None, "down"])),
        ),
        "memory": server(number).memory.__class__(bytes=draw(st.sampled_from([512, 512, 512, 256, 64])) * GIB),
    }
    return server(number, rack=draw(st.sampled_from(["R1", "R2", "R3", "R4", None])), unit=draw(st.integers(1, 42)), **changes)


@st.composite
def sites(draw):
    count = draw(st.integers(3, 9))
    alike = draw(st.booleans())
    if alike:
        rack = [server(n, rack=f"R{n % draw(st.sampled_from([1, 3, 4])) + 1}", unit=n + 1) for n in range(count)]
    else:
        rack = [draw(servers(n)) for n in range(count)]
    wishes = {
        "layout": draw(st.sampled_from(["hci", "hci", "hci", "mixed", "split"])),
        "fmc": {"mode": draw(st.sampled_from(["shared", "shared", "dedicated"]))},
        "ceph": {"copies": draw(st.sampled_from([3, 3, 2]))},
        "roles": {"spare": {"count": draw(st.sampled_from([0, 0, 1]))}},
    }
    return rack, intent(**wishes)


def check_addresses(plan):
    networks = {one.name: one for one in plan.networks}
    given_out = [(at.network, at.cidr.partition("/")[0]) for one in plan.servers for face in one.interfaces for at in face.addresses]
    given_out += [(networks[one.network].carried_by, one.address) for one in plan.vips]
    assert [one for one, times in Counter(given_out).items() if times > 1] == []
    for network, address in given_out:
        inside = ipaddress.ip_network(networks[network].cidr)
        assert ipaddress.ip_address(address) in inside
        assert address not in {str(inside.network_address), str(inside.broadcast_address), networks[network].gateway}
    for one in plan.servers:
        external = next(face for face in one.interfaces if face.name == one.traffic["external"])
        assert external.addresses == ()


def check_interfaces(plan):
    macs = [face.mac for one in plan.servers for face in one.interfaces if face.mac]
    assert len(macs) == len(set(macs))
    for one in plan.servers:
        names = [face.name for face in one.interfaces]
        assert len(names) == len(set(names))
        assert all(0 < len(name) <= 15 for name in names)
        assert set(one.traffic.values()) <= set(names)
        assert {name for face in one.interfaces for name in (*face.members, face.parent) if name} <= set(names)


def check_disks(plan, rack):
    known = {one.id: one for one in rack}
    used = Counter(serial for one in plan.servers if one.os_disk for serial in one.os_disk.serials)
    used.update(osd.serial for one in plan.servers for osd in one.osds)
    assert [serial for serial, times in used.items() if times > 1] == []
    assert sum(len(one.osds) for one in plan.servers) == plan.ceph.osds >= 6
    for one in plan.servers:
        own = {disk.serial for disk in known[one.id].disks}
        held = {serial for volume in known[one.id].volumes for serial in volume.disks}
        assert {osd.serial for osd in one.osds} <= own - held
        assert {osd.database for osd in one.osds if osd.database} <= own - held - {osd.serial for osd in one.osds}
        assert bool(one.osds) <= ("storage" in one.roles)


def check_quorums(plan):
    """With any one server gone, every quorum has its majority; and every rule for numbers holds."""
    control = [one.name for one in plan.servers if "control" in one.roles]
    quorums = {"monitors": plan.ceph.monitors, "control": control, "ovn": plan.ovn.databases, "etcd": plan.fmc.servers}
    for members in quorums.values():
        assert len(members) >= 3
        assert len(members) % 2 == 1
        for lost in [one.name for one in plan.servers]:
            assert len([one for one in members if one != lost]) * 2 > len(members)


def check_shares(plan):
    for one in plan.servers:
        memory, cpu = one.memory, one.cpu
        assert memory.system + memory.osd + memory.control + memory.fmc + memory.compute + memory.guests <= memory.total
        fits = cpu.system + cpu.osd + cpu.control + cpu.fmc + cpu.guests <= cpu.total
        assert fits or "cores_too_few" in {warning.code for warning in plan.warnings}
        assert memory.osd >= memory.osd_target * len(one.osds)
        assert bool(memory.guests) <= ("compute" in one.roles)


def check_ports(plan):
    """Two services of one server never listen on one port of one address; `all` is every address."""
    for roles in {one.roles for one in plan.servers}:
        seen = {}
        for port in (one for one in plan.ports if one.role in roles):
            for other in seen.get((port.port, port.protocol), []):
                assert other.service == port.service or (other.bind != port.bind and "all" not in (other.bind, port.bind)), (port, other)
            seen.setdefault((port.port, port.protocol), []).append(port)


@settings(max_examples=RACKS, deadline=None, suppress_health_check=list(HealthCheck))
@given(site=sites(), seed=st.integers(0, 99))
def test_every_plan(site, seed):
    rack, wish = site
    plan = plan_site(hardware(rack), wish)
    shuffled = rack[:]
    random.Random(seed).shuffle(shuffled)
    assert plan_site(hardware(shuffled), wish) == plan
    assert all(one.text and one.why and one.cure for one in (*plan.objections, *plan.warnings))
    assert plan.applicable == (not plan.objections)
    event("applicable" if plan.applicable else "refused")
    if plan.applicable:
        check_addresses(plan)
        check_interfaces(plan)
        check_disks(plan, rack)
        check_quorums(plan)
        check_shares(plan)
        check_ports(plan)
        again = plan_site(hardware(rack), wish, plan)
        assert again.servers == plan.servers


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(site=sites(), data=st.data())
def test_adding_a_server_moves_nothing(site, data):
    rack, wish = site
    plan = plan_site(hardware(rack), wish)
    new = data.draw(servers(50))
    if not plan.applicable:
        return
    grown = plan_site(hardware([*rack, new]), wish, plan)
    kept = {one.id: one for one in grown.servers}
    for one in plan.servers:
        now = kept[one.id]
        assert (now.name, now.interfaces, now.os_disk, now.osds) == (one.name, one.interfaces, one.os_disk, one.osds)
        assert set(one.roles) - {"spare"} <= set(now.roles)
    assert grown.vips == plan.vips
    assert grown.ceph.monitors == plan.ceph.monitors


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(site=sites())
def test_documents_can_be_read_again(site):
    rack, wish = site
    plan = plan_site(hardware(rack), wish)
    assert DOCUMENT.parse(DOCUMENT.to_text(plan).encode(), "here") == plan
