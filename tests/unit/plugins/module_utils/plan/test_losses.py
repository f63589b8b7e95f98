# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Location
from ansible_collections.frontier.vitro.plugins.module_utils.plan.losses import plan_losses
from ansible_collections.frontier.vitro.plugins.module_utils.plan.servers import OsDisk
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Loss

from tests.unit.plugins.module_utils.plan.loss_sites import THREE, Site, osd, port, server, site
from tests.unit.plugins.module_utils.plan.racks import TB


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
    assert "2 of 3 compute servers stay: lost guests can be started on the others" in lost.effects
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
    assert "Ceph makes up to 13.6 TB of copies again; there is room while no more than 13.6 TB is stored" in lost.effects


STRIPED = OsDisk(kind="volume", serials=("B0", "B1"), bytes=TB, volume="os", redundant=False)
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
        pytest.param(site(THREE_SERVERS[:2]), "server", "lab-00", "1 of 2 monitors stays: the quorum is lost", id="half is no majority"),
        pytest.param(site(THREE_SERVERS, managers=("lab-00",)), "server", "lab-00", "0 of 1 Ceph managers stay", id="one manager"),
        pytest.param(
            site([THREE_SERVERS[0], *(replace(one, roles=("control", "network", "storage")) for one in THREE_SERVERS[1:])]),
            "server", "lab-00", "0 of 1 compute servers stay: no guest can run", id="one compute server",
        ),
        pytest.param(
            site(THREE_SERVERS, pools=(replace(THREE, copies=2, minimum=2),)), "server", "lab-00", "take no writes", id="writes stop",
        ),
        pytest.param(site(THREE_SERVERS, pools=(replace(THREE, copies=1),)), "disk", "lab-00 D0", "cannot be read", id="one copy"),
        pytest.param(
            site([replace(one, os_disk=OsDisk(kind="single", serials=("B0",), bytes=TB)) for one in THREE_SERVERS[:2]]),
            "disk", "lab-00 B0", "until it is installed again", id="one disk for the system, and two servers",
        ),
        pytest.param(
            site([replace(one, os_disk=STRIPED) for one in THREE_SERVERS[:2]]),
            "disk", "lab-00 B1", "until it is installed again", id="RAID0 for the system, and two servers",
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


def test_an_operating_system_on_raid0_is_lost_with_either_disk() -> None:
    losses = plan_losses(*site([replace(one, os_disk=STRIPED) for one in THREE_SERVERS]))
    for serial in ("B0", "B1"):
        lost = loss_of(losses, "disk", f"lab-00 {serial}")
        assert not any("mirror carries on" in effect for effect in lost.effects)
        assert lost.ok is loss_of(losses, "server", "lab-00").ok
        assert lost.effects[1:] == loss_of(losses, "server", "lab-00").effects


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
