# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import dataclasses

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location, Processor
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.unit.plugins.module_utils.plan.racks import boot_disks, hardware, intent, rack_of, server

HCI = {"control", "network", "compute", "storage", "monitoring", "fmc"}


def having(plan, role):
    return [one.name for one in plan.servers if role in one.roles]


def counts(plan):
    return {role: len(having(plan, role)) for role in (*sorted(HCI), "spare") if having(plan, role)}


LAYOUTS = {
    "hci, three": (3, {}, {"control": 3, "network": 3, "monitoring": 3, "compute": 3, "storage": 3, "fmc": 3}),
    "hci, eight": (8, {}, {"control": 3, "network": 3, "monitoring": 3, "compute": 8, "storage": 8, "fmc": 3}),
    "hci, five controls": (
        8,
        {"roles": {"control": {"count": 5}}, "fmc": {"servers": {"count": 5}}},
        {"control": 5, "network": 5, "monitoring": 5, "compute": 8, "storage": 8, "fmc": 5},
    ),
    "split": (12, {"layout": "split"}, {"control": 3, "network": 3, "monitoring": 3, "compute": 6, "storage": 3, "fmc": 3}),
    "split, more storage": (
        12,
        {"layout": "split", "roles": {"storage": {"count": 5}}},
        {"control": 3, "network": 3, "monitoring": 3, "compute": 4, "storage": 5, "fmc": 3},
    ),
    "mixed": (9, {"layout": "mixed"}, {"control": 3, "network": 3, "monitoring": 3, "compute": 6, "storage": 6, "fmc": 3}),
    "dedicated FMC": (
        9,
        {"fmc": {"mode": "dedicated"}},
        {"control": 3, "network": 3, "monitoring": 3, "compute": 6, "storage": 6, "fmc": 3},
    ),
    "two spares": (
        8,
        {"roles": {"spare": {"count": 2}}},
        {"control": 3, "network": 3, "monitoring": 3, "compute": 6, "storage": 6, "fmc": 3, "spare": 2},
    ),
    "networks apart": (
        8,
        {"roles": {"network": {"count": 2}, "monitoring": {"count": 1}}},
        {"control": 3, "network": 2, "monitoring": 1, "compute": 8, "storage": 8, "fmc": 3},
    ),
}


@pytest.mark.parametrize(("servers", "changes", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_layout(servers, changes, expected):
    plan = plan_site(rack_of(servers), intent(**changes))
    assert plan.objections == ()
    assert counts(plan) == expected
    assert plan_site(rack_of(servers), intent(**changes), plan).servers == plan.servers


def test_roles_are_alone_where_they_should_be():
    split = plan_site(rack_of(12), intent(layout="split"))
    assert {one.roles for one in split.servers} == {("control", "network", "monitoring", "fmc"), ("storage",), ("compute",)}
    own = plan_site(rack_of(9), intent(fmc={"mode": "dedicated"}))
    assert all(one.roles == ("fmc",) for one in own.servers if "fmc" in one.roles)


def test_quorums_are_spread_over_racks():
    plan = plan_site(rack_of(12), intent())
    racks = {one.name: one.location.rack for one in plan.servers}
    for names in (having(plan, "control"), having(plan, "fmc")):
        assert {racks[name] for name in names} == {"R1", "R2", "R3"}
    assert len(plan.ceph.monitors) == 5
    assert {racks[name] for name in plan.ceph.monitors} == {"R1", "R2", "R3"}


SELECTED = {
    "pinned by serial": ({"pin": [{"serial": "sn00005"}]}, {"SN00005"}, 3),
    "only a model": ({"only": [{"model": "poweredge*"}]}, set(), 3),
    "only two racks": ({"only": [{"rack": "R1"}, {"rack": "R2"}]}, set(), 3),
    "pinned by name": ({"pin": [{"name": "lab-03"}]}, set(), 3),
}


@pytest.mark.parametrize(("rule", "members", "number"), SELECTED.values(), ids=SELECTED)
def test_selectors(rule, members, number):
    plan = plan_site(rack_of(9), intent(roles={"control": rule}))
    control = [one for one in plan.servers if "control" in one.roles]
    assert len(control) == number
    assert members <= {one.id for one in control}
    assert "pin" not in rule or plan.objections == ()
    if rule.get("only") == [{"rack": "R1"}, {"rack": "R2"}]:
        assert {one.location.rack for one in control} == {"R1", "R2"}


def arm(number):
    return server(number, rack=f"R{number}", processors=(Processor(socket="0", model="Altra", cores=80, architecture="aarch64"),))


def epyc(number):
    return server(number, rack=f"R{number}", processors=(Processor(socket="0", model="AMD EPYC 9354", cores=64, architecture="x86_64"),))


REFUSED = {
    "no server": (rack_of(0), {}, {"no_servers", "too_few_servers"}),
    "one server": (rack_of(1), {}, {"too_few_servers"}),
    "two servers": (rack_of(2), {}, {"too_few_servers"}),
    "two controls": (rack_of(4), {"roles": {"control": {"count": 2}}}, {"control_count"}),
    "one control": (rack_of(4), {"roles": {"control": {"count": 1}}}, {"control_count"}),
    "four FMC servers": (rack_of(5), {"roles": {"control": {"count": 5}}, "fmc": {"servers": {"count": 4}}}, {"fmc_count"}),
    "more controls than servers": (rack_of(4), {"roles": {"control": {"count": 5}}}, {"too_few_for_role"}),
    "only the spare ones": (rack_of(4), {"roles": {"spare": {"count": 2}}}, {"too_few_for_role", "too_few_storage"}),
    "nobody computes": (rack_of(3), {"layout": "mixed"}, {"no_compute", "too_few_storage"}),
    "too few with disks": (
        hardware([*rack_of(2).servers, *(server(n, rack="R3", disks=boot_disks(n)) for n in (7, 8))]),
        {},
        {"too_few_storage"},
    ),
    "more storage than there is": (rack_of(4), {"roles": {"storage": {"count": 9}}}, {"too_few_for_role"}),
    "more pins than places": (rack_of(9), {"roles": {"control": {"count": 3, "pin": [{"model": "*"}]}}}, {"pin_refused"}),
    "an even number pinned": (rack_of(6), {"roles": {"control": {"pin": [{"rack": "R1"}, {"rack": "R2"}]}}}, {"control_count"}),
    "no load balancer": (rack_of(6), {"roles": {"network": {"count": 0}}}, {"no_network"}),
    "more load balancers than servers": (rack_of(6), {"roles": {"network": {"count": 9}}}, {"too_few_for_role"}),
    "pinned and forbidden": (
        rack_of(4),
        {"roles": {"control": {"pin": [{"serial": "SN00001"}], "never": [{"rack": "R2"}]}}},
        {"pin_refused"},
    ),
    "pinned twice over": (
        rack_of(6),
        {"roles": {"control": {"pin": [{"serial": "SN00001"}]}, "spare": {"pin": [{"serial": "SN00001"}]}}},
        {"pin_refused"},
    ),
    "nobody is excluded": (rack_of(4), {"exclude": [{"serial": "TYPO"}]}, {"selector_unmatched"}),
    "one site twice": (
        hardware([*(server(n, site="a") for n in range(4)), *(server(n, site="b") for n in range(4, 8))]),
        {"stretch": {"sites": ["a", "a"], "arbiter": "b"}, "ceph": {"copies": 4}},
        {"stretch_site"},
    ),
    "a pattern for nobody": (rack_of(4), {"roles": {"compute": {"never": [{"rack": "R9"}]}}}, {"selector_unmatched"}),
    "two architectures": (hardware([*rack_of(3).servers, arm(7)]), {}, {"mixed_architectures"}),
    "stretched over nothing": (rack_of(6), {"stretch": {"sites": ["a", "b"], "arbiter": "c"}}, {"stretch_site", "stretch_copies"}),
    "even monitors": (rack_of(6), {"ceph": {"monitors": 4}}, {"monitor_count"}),
    "monitors beyond the site": (rack_of(4), {"ceph": {"monitors": 7}}, {"monitors_too_many"}),
    "racks that are not there": (rack_of(6, racks=2), {"failure_domain": "rack"}, {"failure_domain_too_few"}),
    "racks that are not known": (rack_of(6, racks=0), {"failure_domain": "rack"}, {"failure_domain_too_few"}),
}


@pytest.mark.parametrize(("racks", "changes", "codes"), REFUSED.values(), ids=REFUSED)
def test_refused(racks, changes, codes):
    plan = plan_site(racks, intent(**changes))
    assert not plan.applicable
    assert codes <= {one.code for one in plan.objections}


WARNED = {
    "two makers": (hardware([*rack_of(3).servers, epyc(7)]), "mixed_processors"),
    "a majority in one rack": (hardware([server(1, rack="R1"), server(2, rack="R1"), server(3, rack="R2")]), "quorum_in_rack"),
    "unknown racks": (rack_of(3, racks=0), "places_unknown"),
}


@pytest.mark.parametrize(("racks", "code"), WARNED.values(), ids=WARNED)
def test_warned(racks, code):
    plan = plan_site(racks, intent())
    assert plan.applicable
    assert code in {one.code for one in plan.warnings}


MOVES = {
    "layout": ({"layout": "mixed"}, "role_would_move"),
    "fewer controls": ({"roles": {"control": {"count": 3, "never": [{"name": "lab-01"}]}}}, "role_would_move"),
    "monitor": ({"roles": {"storage": {"never": [{"name": "lab-01"}]}}}, "monitor_would_move"),
    "failure domain": ({"failure_domain": "server"}, "failure_domain_would_move"),
}


@pytest.mark.parametrize(("changes", "code"), MOVES.values(), ids=MOVES)
def test_moves_are_said_first(changes, code):
    first = plan_site(rack_of(9), intent())
    assert code in {one.code for one in plan_site(rack_of(9), intent(**changes), first).objections}
    allowed = intent(**changes, allow_moves=["roles", "monitors", "osds", "names", "addresses"])
    assert plan_site(rack_of(9), allowed, first).objections == ()


def test_absent_control_keeps_its_place():
    first = plan_site(rack_of(6), intent())
    lost = next(one for one in first.servers if "control" in one.roles)
    left = hardware(one for one in rack_of(6).servers if one.id != lost.id)
    plan = plan_site(left, intent(), first)
    assert having(plan, "control") == having(first, "control")
    assert plan.ceph.monitors == first.ceph.monitors
    assert plan.applicable


def test_stretched():
    racks = hardware(
        [
            *(server(n, rack=f"A{n % 2}", site="a") for n in range(4)),
            *(server(n, rack=f"B{n % 2}", site="b") for n in range(4, 8)),
            server(8, rack="C", site="c", disks=boot_disks(8)),
        ]
    )
    wish = intent(stretch={"sites": ["a", "b"], "arbiter": "c"}, ceph={"copies": 4}, failure_domain="server")
    plan = plan_site(racks, wish)
    assert plan.objections == ()
    sites = {one.name: one.location.site for one in plan.servers}
    assert sorted(sites[name] for name in plan.ceph.monitors) == ["a", "a", "b", "b", "c"]
    assert next(one for one in plan.servers if one.location.site == "c").roles == ("arbiter",)
    assert plan.ceph.arbiter in plan.ceph.monitors
    unequal = hardware([*racks.servers[:4], *racks.servers[8:], *(server(n, rack=f"B{n % 5}", site="b") for n in range(10, 20))])
    assert plan_site(unequal, wish).ceph.usable_bytes == plan.ceph.usable_bytes


def test_growing_from_four_to_five_moves_no_monitor():
    first = plan_site(rack_of(4), intent())
    assert plan_site(rack_of(5), intent(), first).ceph.monitors == first.ceph.monitors


def test_a_spare_goes_to_work():
    first = plan_site(rack_of(6), intent(roles={"spare": {"count": 1}}))
    plan = plan_site(rack_of(6), intent(), first)
    assert plan.objections == ()
    assert having(plan, "spare") == []


def removed(rack, serial):
    return hardware(one for one in rack.servers if one.id != serial)


def test_a_removed_control_server_makes_room_for_another():
    first = plan_site(rack_of(6), intent())
    gone = next(one.id for one in first.servers if "control" in one.roles)
    plan = plan_site(removed(rack_of(6), gone), intent(removed=[gone]), first)
    assert plan.objections == ()
    assert len(having(plan, "control")) == len(having(plan, "fmc")) == 3


def test_a_spare_that_leaves_drafts_nobody():
    wish = {"roles": {"spare": {"count": 1}}}
    first = plan_site(rack_of(7), intent(**wish))
    spare = next(one.id for one in first.servers if one.roles == ("spare",))
    left = removed(rack_of(7), spare)
    assert plan_site(left, intent(**wish), first).objections == ()
    told = plan_site(left, intent(**wish, removed=[spare]), first).objections
    assert [one.code for one in told] == ["too_few_for_role"]


def test_a_spare_takes_over_in_one_step():
    wish = {"roles": {"spare": {"count": 1}}}
    first = plan_site(rack_of(7), intent(**wish))
    spare = next(one for one in first.servers if one.roles == ("spare",))
    dead = next(one for one in first.servers if "control" in one.roles)
    wish = intent(roles={"spare": {"count": 0}}, replaced={dead.id: spare.id})
    plan = plan_site(removed(rack_of(7), dead.id), wish, first)
    assert plan.objections == ()
    assert {one.id: one.name for one in plan.servers}[spare.id] == dead.name
    assert spare.name not in {one.name for one in plan.servers}
    assert plan_site(removed(rack_of(7), dead.id), wish, plan).servers == plan.servers


def test_from_hci_to_split():
    first = plan_site(rack_of(12), intent())
    plan = plan_site(rack_of(12), intent(layout="split", allow_moves=["roles", "monitors"]), first)
    assert plan.objections == ()
    assert len(having(plan, "storage")) == 3


def test_fewer_of_a_role_stay_spread():
    first = plan_site(rack_of(9), intent())
    plan = plan_site(rack_of(9), intent(ceph={"monitors": 3}, allow_moves=["monitors"]), first)
    racks = {one.name: one.location.rack for one in plan.servers}
    assert {racks[name] for name in plan.ceph.monitors} == {"R1", "R2", "R3"}


def test_absent_gateways_keep_their_place():
    wish = intent(ovn={"gateways": 2}, roles={"network": {"count": 4}})
    first = plan_site(rack_of(6), wish)
    lost = next(one for one in first.servers if one.name == first.ovn.gateways[0])
    assert plan_site(removed(rack_of(6), lost.id), wish, first).ovn.gateways == first.ovn.gateways


def test_failure_domain_looks_at_the_widest_pool():
    pools = [{"name": name, "application": "rbd", "copies": 3} for name in ("images", "volumes", "vms", "backups")]
    wide = {"name": "cold", "application": "rgw", "data_chunks": 4, "coding_chunks": 2}
    plan = plan_site(rack_of(12), intent(ceph={"pools": [*pools, wide], "object_gateway": False, "file_system": False}))
    assert plan.ceph.failure_domain == "server"
    assert "chunks_too_wide" not in {one.code for one in plan.objections}


@pytest.mark.parametrize("key", ["pods", "services", "cni"])
def test_networks_of_the_fmc_stay(key):
    first = plan_site(rack_of(4), intent())
    changed = intent(fmc={key: {"pods": "10.52.0.0/16", "services": "10.53.0.0/16", "cni": "cilium"}[key]})
    assert "fmc_network_would_move" in {one.code for one in plan_site(rack_of(4), changed, first).objections}


def test_nodes_of_one_chassis_do_not_make_a_majority():
    rack = [server(n, rack="R1", unit=n // 2 + 1) for n in range(6)]
    control = [one for one in plan_site(hardware(rack), intent()).servers if "control" in one.roles]
    assert sorted(one.location.unit for one in control) == [1, 2, 3]


@pytest.mark.parametrize(
    ("first", "second"), [({}, {"storage": None}), ({"storage": None}, {}), ({}, {"api": {"cidr": "10.20.9.0/24", "vlan": 9}})]
)
def test_networks_that_come_or_go_are_told(first, second):
    before = plan_site(rack_of(4), intent(networks=first))
    assert "traffic_would_move" in {one.code for one in plan_site(rack_of(4), intent(networks=second), before).objections}
    assert plan_site(rack_of(4), intent(networks=second, allow_moves=["addresses"]), before).objections == ()


def test_another_rack_is_told():
    first = plan_site(rack_of(6), intent())
    moved = [dataclasses.replace(one, location=Location(rack="R2", unit=40)) if one.id == "SN00000" else one for one in rack_of(6).servers]
    plan = plan_site(hardware(moved), intent(), first)
    assert "rack_changed" in {one.code for one in plan.warnings}
    assert "rack_changed" not in {one.code for one in first.warnings}
