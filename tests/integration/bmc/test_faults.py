# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What BMCs do wrong, alone and all at once: the record says what is unknown, the others are whole, no session stays."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import aiohttp
import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.client import Limits
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.rack import read_rack, run
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.targets import Target

from tests.integration.bmc.reading import QUICK, differences, facts, read, target, wanted
from tests.lab.rack import BmcSpec, Fault, Rack, default_server, family_rack, lab_rack

SYSTEM = "/redfish/v1/Systems/System.Embedded.1"
# Faults after which everything is known all the same.
HARMLESS = {
    "busy for three requests": [Fault("busy", after=4, count=3, retry_after=0)],
    "throttled": [Fault("throttle", after=3, count=3, retry_after=0)],
    "reset once": [Fault("reset", path="/redfish/v1/Systems", count=1)],
    "cut once": [Fault("truncated", path=SYSTEM + "/Processors", variant="cut", count=1)],
    "expand refused": [Fault("expand_refused")],
    "expand not implemented": [Fault("expand_refused", status=501)],
    "expand breaks it": [Fault("expand_refused", status=500)],
    "expand gives 502": [Fault("expand_refused", status=502)],
    "expand gives 504 on storage": [Fault("expand_refused", path=SYSTEM + "/Storage", status=504)],
    "expand breaks off": [Fault("reset", on_expand=True)],
    "expand is silent": [Fault("silent", on_expand=True)],
    "expand gives links": [Fault("expand_hollow", variant="bare")],
    "expand loses fields": [Fault("expand_hollow", variant="partial")],
    "gzip only": [Fault("gzip_only")],
    "closes after each": [Fault("close")],
    "trickles": [Fault("trickle", path="/redfish/v1/Managers", rate=4000)],
    "redirect to itself": [Fault("redirect", path="/redfish/v1/Chassis", count=1, location="/redfish/v1/Chassis/")],
}
# Faults in one branch: the field becomes unknown, with a note, and nothing else does.
BRANCHES = {
    "no processors": (SYSTEM + "/Processors", "processors"),
    "no memory": (SYSTEM + "/Memory", None),
    "no storage": (SYSTEM + "/Storage", "disks"),
}
WAYS = {
    "404": Fault("missing"),
    "500": Fault("error"),
    "html": Fault("html"),
    "glued": Fault("glued"),
    "truncated": Fault("truncated"),
    "reset": Fault("reset"),
    "elsewhere": Fault("redirect"),
}
# Faults that end the reading of a BMC, with the code that says why.
FATAL = {
    "session lost": ([Fault("session_lost", after=6)], "session_lost"),
    "html": ([Fault("html", path="/redfish/v1")], "not_redfish"),
    "no redfish": ([Fault("missing", path="/redfish/v1")], "not_redfish"),
    "elsewhere": ([Fault("redirect", path="/redfish/v1")], "redirect"),
    "other authority": ([Fault("certificate", variant="authority")], "tls"),
    "other name": ([Fault("certificate", variant="name")], "tls"),
    "expired": ([Fault("certificate", variant="expired")], "tls"),
    "silent": ([Fault("silent")], "timeout"),
    "trickling root": ([Fault("trickle", rate=5)], "timeout"),
    "busy": ([Fault("busy", retry_after=0)], "busy"),
    "reset": ([Fault("reset")], "busy"),
    "systems without members": ([Fault("members", path="/redfish/v1/Systems")], "request"),
    "no systems": ([Fault("missing", path="/redfish/v1/Systems")], "request"),
}


@pytest.fixture
def dell():
    with Rack(family_rack("dell", 1)) as rack:
        yield rack
        assert rack.bmcs[0].counters.sessions_open == 0


@pytest.fixture(scope="module")
def healthy():
    with Rack(family_rack("dell", 1)) as rack:
        return facts(read(rack).servers[0])


@pytest.mark.parametrize("faults", HARMLESS.values(), ids=HARMLESS)
def test_harmless(dell, healthy, faults):
    dell.bmcs[0].faults = faults
    (server,) = read(dell).servers
    assert facts(server) == healthy


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("path", "field"), BRANCHES.values(), ids=BRANCHES)
def test_branch(dell, healthy, path, field, way):
    dell.bmcs[0].faults = [Fault(way.kind, path=path, variant=way.variant)]
    (server,) = read(dell).servers
    assert any(note.code == "unread" for note in server.warnings)
    if field:
        assert getattr(server, field) is None
    else:
        assert server.memory.modules is None
    assert server.verdict.status == "limited"
    assert server.system.serial == dell.bmcs[0].serial
    assert facts(server)["nics"] == healthy["nics"]


@pytest.mark.parametrize(("faults", "code"), FATAL.values(), ids=FATAL)
def test_fatal(dell, faults, code):
    dell.bmcs[0].faults = faults
    hardware = read(dell, limits=Limits(timeout=1, deadline=10, retries=1))
    assert not hardware.servers
    (unread,) = hardware.unread
    assert unread.code == code
    assert dell.bmcs[0].address in unread.text
    assert unread.cure
    assert dell.password not in str(unread)


@pytest.mark.parametrize("variant", ["null", "absent"])
def test_collection_without_members(dell, variant):
    dell.bmcs[0].faults = [Fault("members", path=SYSTEM + "/Memory", variant=variant)]
    (server,) = read(dell).servers
    assert server.memory.modules is None
    assert server.memory.bytes == server.memory.claimed_bytes


def test_storage_without_members_is_unknown(dell):
    dell.bmcs[0].faults = [Fault("members", path=SYSTEM + "/Storage")]
    (server,) = read(dell).servers
    assert server.disks is None


MEMBERS = {
    "a drive": ("/Storage/CPU.1/Drives/", "disks"),
    "a processor": ("/Processors/CPU.Socket.2", "processors"),
    "a memory module": ("/Memory/DIMM.Socket.A1", "modules"),
}


@pytest.mark.parametrize(("path", "field"), MEMBERS.values(), ids=MEMBERS)
@pytest.mark.parametrize("way", ["error", "silent"])
def test_a_member_that_fails_makes_its_list_unknown(dell, healthy, path, field, way):
    """Nine of ten drives would be a server that lost one."""
    member = next(one for one in dell.bmcs[0].resources if path in one) if field == "disks" else SYSTEM + path
    dell.bmcs[0].faults = [Fault("expand_refused"), Fault(way, path=member, exact=True)]
    (server,) = read(dell, limits=Limits(timeout=1.5, deadline=8, retries=1)).servers
    found = server.memory.modules if field == "modules" else getattr(server, field)
    assert found is None
    assert server.verdict.status == "limited"
    assert facts(server)["nics"] == healthy["nics"]


def test_a_listed_drive_that_is_not_there_is_left_out_and_told(dell, healthy):
    member = next(one for one in dell.bmcs[0].resources if "/Drives/" in one)
    dell.bmcs[0].faults = [Fault("expand_refused"), Fault("missing", path=member, exact=True)]
    (server,) = read(dell).servers
    assert len(server.disks) == len(healthy["disks"]) - 1
    assert server.verdict.status == "limited"
    assert any(member in note.text for note in server.warnings)


def test_a_deadline_among_the_drives_invents_nothing(dell):
    dell.bmcs[0].faults = [Fault("expand_refused"), Fault("silent", path=SYSTEM + "/Storage/")]
    (server,) = read(dell, limits=Limits(timeout=20, deadline=3)).servers
    assert server.disks is None
    assert server.volumes is None
    assert server.verdict.status == "limited"


def test_a_system_that_cannot_be_read_is_no_address_to_leave_out(dell):
    dell.bmcs[0].faults = [Fault("expand_refused"), Fault("error", path=SYSTEM, exact=True)]
    (unread,) = read(dell).unread
    assert unread.code == "request"
    assert "500" in unread.text


def test_an_answer_that_nobody_thought_of_costs_only_its_bmc():
    with Rack(lab_rack(3)) as rack:
        rack.bmcs[1].faults = [Fault("redirect", location="https://[bad/")]
        hardware = read(rack)
        assert len(hardware.servers) == 2
        assert [one.code for one in hardware.unread] == ["redirect"]


@pytest.mark.parametrize("fault", [Fault("missing", path="/redfish/v1/SessionService"), Fault("busy", path="/redfish/v1/SessionService")])
def test_a_wrong_password_is_tried_once_by_basic_authentication_too(dell, fault):
    dell.bmcs[0].latency = 0.1
    dell.bmcs[0].faults = [fault]
    assert [one.code for one in read(dell, password="wrong").unread] == ["credentials_refused"]
    assert dell.bmcs[0].counters.failed_logins == 1


def test_cancelled_at_any_moment_no_session_stays():
    """One interruption or two, at any moment of the reading, with answers that take their time."""
    with Rack(lab_rack(6), latency=0.02) as rack:

        async def interrupted(moment, times):
            work = asyncio.ensure_future(read_rack([target(rack, bmc) for bmc in rack.bmcs], Limits(concurrency=3), lambda _: None))
            for _ in range(times):
                await asyncio.sleep(moment)
                work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work

        for step in range(30):
            asyncio.run(interrupted(0.02 * step, 1 + step % 2))
            assert sum(bmc.counters.sessions_open for bmc in rack.bmcs) == 0, f"after {0.02 * step} s"


def test_a_deadline_during_the_logout_is_none(dell, healthy):
    dell.bmcs[0].faults = [Fault("busy", path="/redfish/v1/SessionService/Sessions/", count=2, retry_after=0)]
    started = Limits(timeout=5, deadline=1.0)
    (server,) = read(dell, limits=started).servers
    assert facts(server) == healthy
    assert server.warnings == ()


def test_wrong_password_is_tried_once(dell):
    hardware = read(dell, password="wrong")
    assert [one.code for one in hardware.unread] == ["credentials_refused"]
    assert dell.bmcs[0].counters.failed_logins == 1
    assert "wrong" not in hardware.unread[0].text


def test_no_sessions_left_to_have(dell, healthy):
    """Other people hold all sessions: basic authentication needs none."""
    bmc = dell.bmcs[0]

    async def crowded():
        async with aiohttp.ClientSession() as http:
            tokens = []
            for _ in range(bmc.spec.session_limit):
                login = {"UserName": dell.username, "Password": dell.password}
                url = f"https://{bmc.address}:{bmc.port}/redfish/v1/SessionService/Sessions"
                async with http.post(url, json=login, ssl=False) as answer:
                    tokens.append((answer.headers["X-Auth-Token"], answer.headers["Location"]))
            hardware = await read_rack([target(dell, bmc)], QUICK, lambda _: None)
            for token, location in tokens:
                await http.delete(f"https://{bmc.address}:{bmc.port}{location}", headers={"X-Auth-Token": token}, ssl=False)
            return hardware

    (server,) = asyncio.run(crowded()).servers
    assert facts(server) == healthy
    assert [note.code for note in server.warnings] == ["no_session"]


def test_deadline_keeps_what_was_read(dell):
    dell.bmcs[0].faults = [Fault("silent", path=SYSTEM + "/Storage")]
    (server,) = read(dell, limits=Limits(timeout=5, deadline=1.5)).servers
    assert server.processors
    assert server.disks is None
    assert "deadline" in [note.code for note in server.warnings]


def test_fingerprint_replaces_the_authority(dell):
    bmc = dell.bmcs[0]
    assert read(dell, ca_path=None).unread[0].code == "tls"
    (server,) = read(dell, ca_path=None, fingerprint=bmc.fingerprint).servers
    assert server.findings == ()
    wrong = read(dell, ca_path=None, fingerprint="ab" * 32).unread[0]
    assert wrong.code == "tls"
    assert bmc.fingerprint.lower() in wrong.text.replace(":", "")


def test_unverified_tls_is_a_finding(dell):
    (server,) = read(dell, ca_path=None, validate_certs=False).servers
    assert [one.code for one in server.findings] == ["tls_unverified"]


def test_keep_alive_switched_off(dell, healthy):
    (server,) = read(dell, limits=Limits(keep_alive=False, timeout=5)).servers
    assert facts(server) == healthy
    assert dell.bmcs[0].counters.connections == dell.bmcs[0].counters.requests


def test_paging():
    with Rack([BmcSpec(servers=(default_server("dell", 1),), page_size=3)]) as rack:
        (server,) = read(rack).servers
        assert len(server.memory.modules) == rack.bmcs[0].expected["servers"][0]["memory"]["dimms"]


def test_limits_per_bmc_and_over_all():
    with Rack(lab_rack(12), latency=0.03) as rack:
        read(rack, limits=Limits(concurrency=4))
        for bmc in rack.bmcs:
            assert 2 <= bmc.counters.peak_in_flight <= 4
            assert bmc.counters.connections <= 4


def test_closed_silent_and_unroutable_addresses():
    listener = socket.socket()
    listener.bind(("127.77.9.1", 0))
    listener.listen(1)
    free = socket.socket()
    free.bind(("127.77.9.2", 0))
    closed_port = free.getsockname()[1]
    free.close()
    with listener:
        account = {"username": "a", "password": "b", "ipmi_port": closed_port}
        targets = [
            Target(address="127.77.9.1", port=listener.getsockname()[1], **account),
            Target(address="127.77.9.2", port=closed_port, **account),
            Target(address="127.77.9.3", port=closed_port, searched=True, **account),
            Target(address="no-such-host.invalid", **account),
        ]
        hardware = run(read_rack(targets, Limits(timeout=1), lambda _: None))
    codes = {one.address: one.code for one in hardware.unread}
    assert set(codes.items()) == {(address, "unreachable") for address in ("127.77.9.1", "127.77.9.2", "no-such-host.invalid")}
    assert "Connection refused" in {one.address: one.text for one in hardware.unread}["127.77.9.2"]


def test_a_rack_of_trouble():
    """Every fault over a rack of 32: the healthy servers are whole, the others say what is wrong, and nobody waits for them."""
    with Rack(lab_rack(32)) as rack:
        troubled = {
            1: [Fault("silent")],
            3: [Fault("reset")],
            5: [Fault("html")],
            7: [Fault("session_lost", after=9)],
            9: [Fault("certificate")],
            11: [Fault("busy")],
            13: [Fault("trickle", rate=3)],
            15: [Fault("glued")],
            17: [Fault("redirect")],
            19: [Fault("truncated")],
            21: [Fault("expand_refused"), Fault("busy", count=3, retry_after=0), Fault("missing", path="/redfish/v1/Chassis")],
            23: [Fault("reset", after=5, count=2), Fault("close")],
            25: [Fault("members")],
        }
        for number, faults in troubled.items():
            rack.bmcs[number].faults = faults
        hardware = read(rack, limits=Limits(timeout=2, deadline=15, retries=4))
        found = {server.bmc.address: server for server in hardware.servers}
        unread = {one.address for one in hardware.unread}
        assert found.keys() | unread == {bmc.address for bmc in rack.bmcs}
        for number, bmc in enumerate(rack.bmcs):
            if number not in troubled:
                server = found[bmc.address]
                assert server.verdict.status == "supported" or server.verdict.reasons == ("unknown: volumes",)
                assert differences(server, bmc.expected["servers"][0]) == {}
            assert bmc.counters.sessions_open == 0
        for number in (1, 3, 5, 7, 9, 13, 15, 17, 19):
            assert rack.bmcs[number].address in unread
        assert rack.bmcs[11].address in unread
        assert rack.bmcs[25].address in unread
        assert found[rack.bmcs[21].address].processors
        assert facts(found[rack.bmcs[23].address])["disks"] == wanted(rack.bmcs[23].expected["servers"][0])["disks"]


@pytest.mark.parametrize("kind", ["busy", "reset"])
def test_deleting_the_session_is_tried_again(dell, kind):
    dell.bmcs[0].faults = [Fault(kind, path="/redfish/v1/SessionService/Sessions/", count=1)]
    (server,) = read(dell).servers
    assert server.warnings == ()


def test_a_session_that_cannot_be_deleted_is_told():
    with Rack(family_rack("dell", 1)) as rack:
        rack.bmcs[0].faults = [Fault("error", path="/redfish/v1/SessionService/Sessions/")]
        (server,) = read(rack).servers
        assert "session_left" in [note.code for note in server.warnings]
        assert rack.bmcs[0].counters.sessions_open == 1


def test_a_searched_network_reports_only_what_is_there():
    with Rack(family_rack("dell", 2)) as rack:
        rack.bmcs[1].faults = [Fault("html")]
        hardware = read(rack, searched=True)
        assert len(hardware.servers) == 1
        assert hardware.unread == ()
