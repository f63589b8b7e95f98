# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import socket
import ssl
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tests.lab.rack import Rack, default_bmc, family_rack, lab_rack
from tests.lab.rack.spec import FAMILIES, Family
from tests.unit.lab.rack.plain_client import SESSIONS, Client

SYSTEM = "/redfish/v1/Systems/System.Embedded.1"


@pytest.mark.parametrize("path", ["/redfish", "/redfish/v1", "/redfish/v1/"])
def test_root_needs_no_login(path: str, start: Any) -> None:
    _, _, client = start()
    assert client.get(path).status == 200


def test_everything_else_does(start: Any) -> None:
    rack, bmc, client = start()
    answer = client.get("/redfish/v1/Systems")
    assert (answer.status, list(answer.json())) == (401, ["error"])
    assert client.get("/redfish/v1/Systems", X_Auth_Token="guessed").status == 401
    assert bmc.counters.failed_logins == 0
    basic = b64encode(f"{rack.username}:{rack.password}".encode()).decode()
    assert client.get("/redfish/v1/Systems", Authorization=f"Basic {basic}").status == 200
    assert client.get("/redfish/v1/Systems", Authorization="Basic bm86bm8=").status == 401
    assert bmc.counters.failed_logins == 1


def test_sessions(start: Any) -> None:
    _, bmc, client = start()
    answer = client.login()
    location = answer.headers["Location"]
    assert client.get(SYSTEM + "/").status == 200
    assert client.get(SESSIONS).json()["Members"] == [{"@odata.id": location}]
    assert client.get(location).json()["UserName"] == "vitro"
    assert bmc.counters.sessions_open == 1
    assert client.ask("DELETE", location).status == 204
    assert client.get(SYSTEM).status == 401
    counters = bmc.counters
    assert (counters.sessions_created, counters.sessions_deleted, counters.sessions_open, counters.connections) == (1, 1, 0, 1)


@pytest.mark.parametrize(("family", "status"), [("dell", 400), ("ilo6", 503)])
def test_sessions_run_out(family: Family, status: int, start: Any) -> None:
    _, _, client = start(replace(default_bmc(family, 0), session_limit=2))
    assert [client.login().status for _ in range(3)] == [201, 201, status]
    refused = client.login()
    assert "SessionLimitExceeded" in refused.body.decode()
    assert client.ask("DELETE", client.get(SESSIONS).json()["Members"][0]["@odata.id"]).status == 204
    assert client.login().status == 201


def test_sessions_expire(start: Any) -> None:
    _, _, client = start(replace(default_bmc("dell", 0), session_limit=1, session_timeout=0.05))
    client.login()
    time.sleep(0.1)
    assert client.get(SYSTEM).status == 401
    assert client.login().status == 201


def test_account_locks(start: Any) -> None:
    rack, bmc, client = start(replace(default_bmc("dell", 0), lockout=2))
    assert [client.login("wrong").status for _ in range(2)] == [401, 401]
    assert client.login().status == 401
    assert bmc.counters.failed_logins == 3
    rack.reset()
    assert client.login().status == 201


def test_etag(start: Any) -> None:
    _, _, client = start()
    client.login()
    first = client.get(SYSTEM)
    again = client.get(SYSTEM, If_None_Match=first.headers["ETag"])
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert client.get(SYSTEM, If_None_Match='"other"').status == 200


def test_methods_and_paths_that_are_not_there(start: Any) -> None:
    _, _, client = start()
    client.login()
    missing = client.get("/redfish/v1/Nowhere")
    assert (missing.status, missing.json()["error"]["@Message.ExtendedInfo"][0]["MessageId"]) == (404, "Base.1.8.ResourceMissingAtURI")
    wrong = client.ask("PUT", SYSTEM, {})
    assert (wrong.status, wrong.headers["Allow"]) == (405, "GET, HEAD")
    assert client.ask("PUT", SESSIONS, {}).headers["Allow"] == "GET, HEAD, POST"
    assert client.ask("PUT", "/redfish/v1/Nowhere", {}).status == 404
    head = client.ask("HEAD", SYSTEM)
    assert (head.status, head.body, int(head.headers["Content-Length"]) > 0) == (200, b"", True)
    assert client.ask("POST", SESSIONS, ["no"]).status == 400


@pytest.mark.parametrize(
    "sent", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"]
)
def test_what_is_no_http_is_refused(sent: bytes, start: Any, connect: Any) -> None:
    rack, bmc, client = start()
    client.connection.connect()
    client.connection.sock.sendall(sent)
    assert client.connection.sock.recv(100).startswith(b"HTTP/1.1 400")
    assert connect(rack, bmc).get("/redfish").status == 200


def test_pipelined_requests_are_answered_in_order(start: Any) -> None:
    _, bmc, client = start()
    client.connection.connect()
    client.connection.sock.sendall(b"GET /redfish HTTP/1.1\r\nHost: x\r\n\r\n" * 300 + b"GET /redfish HTTP/1.0\r\n\r\n")
    received = b""
    while chunk := client.connection.sock.recv(65536):
        received += chunk
    assert received.count(b"HTTP/1.1 200") == bmc.counters.requests == 301


def test_reset_action(start: Any) -> None:
    _, bmc, client = start()
    client.login()
    target = client.get(SYSTEM).json()["Actions"]["#ComputerSystem.Reset"]["target"]
    assert client.ask("POST", target, {"ResetType": "ForceOff"}).status == 204
    assert (bmc.power, client.get(SYSTEM).json()["PowerState"]) == ("off", "Off")
    assert bmc.expected["servers"][0]["power"] == "off"
    assert client.ask("POST", target, {"ResetType": "On"}).status == 204
    assert client.get(SYSTEM).json()["ProcessorSummary"]["Count"] == 2
    assert client.ask("POST", target, {"ResetType": "Explode"}).status == 400
    assert client.ask("POST", target, {}).status == 400
    assert client.get(target).status == 405


def test_one_of_two_nodes_is_switched(start: Any) -> None:
    _, bmc, client = start(default_bmc("cray", 0))
    client.login()
    client.ask("POST", "/redfish/v1/Systems/Node1/Actions/ComputerSystem.Reset", {"ResetType": "ForceOff"})
    assert [client.get(f"/redfish/v1/Systems/Node{n}").json()["PowerState"] for n in (0, 1)] == ["On", "Off"]
    assert [server["power"] for server in bmc.expected["servers"]] == ["on", "off"]


@pytest.mark.parametrize("family", FAMILIES)
def test_removed_hardware_is_gone(family: Family, start: Any) -> None:
    rack, bmc, client = start(default_bmc(family, 0))
    before = bmc.expected["servers"][0]
    bmc.remove_dimm(0)
    if before["disks"]:
        bmc.remove_drive(0)
        assert len(bmc.expected["servers"][0]["disks"]) == len(before["disks"]) - 1
    assert bmc.expected["servers"][0]["memory"]["dimms"] == before["memory"]["dimms"] - 1
    client.login()
    assert (
        client.get(before["system"]).json()["MemorySummary"]["TotalSystemMemoryGiB"] == bmc.expected["servers"][0]["memory"]["summary_gib"]
    )
    rack.reset()
    assert bmc.expected["servers"][0] == before


def test_latency_and_slow_paths(start: Any) -> None:
    _, bmc, client = start(replace(default_bmc("dell", 0), slow={"/redfish/v1/Managers": 0.2}), latency=0.3)

    def seconds(path: str) -> float:
        began = time.monotonic()
        client.get(path)
        return time.monotonic() - began

    client.login()
    assert seconds(SYSTEM) >= 0.3
    assert seconds("/redfish/v1/Managers") >= 0.5
    bmc.latency = 0.0
    assert seconds(SYSTEM) < 0.3


def test_peaks_are_counted(start: Any, connect: Any) -> None:
    rack, bmc, client = start(latency=0.1)
    clients = [connect(rack, bmc) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda c: c.get("/redfish/v1"), clients))
    counters = bmc.counters
    assert (counters.requests, counters.connections, counters.peak_connections, counters.peak_in_flight) == (4, 4, 4, 4)
    assert bmc.paths == ["/redfish/v1"] * 4
    assert client.get("/_rack/counters").json()["by_method"] == {"GET": 4}
    assert counters.requests == 4
    for one in clients:
        one.close()
    assert client.ask("POST", "/_rack/reset").status == 204
    assert (counters.requests, counters.paths) == (0, type(counters.paths)())


def test_handles_over_http(start: Any) -> None:
    _, bmc, client = start()
    assert client.ask("PUT", "/_rack/faults", [{"kind": "error", "path": "/redfish/v1"}]).status == 204
    assert client.get("/redfish/v1").status == 500
    assert client.ask("PUT", "/_rack/faults", [{"kind": "no such"}]).status == 400
    assert client.ask("PUT", "/_rack/power", "off").status == 204
    assert bmc.power == "off"
    assert client.ask("PUT", "/_rack/power", "dim").status == 400
    assert client.get("/_rack/nothing").status == 404


def test_each_bmc_has_its_own_address_and_certificate() -> None:
    with Rack(lab_rack(3)) as rack:
        assert [bmc.address for bmc in rack.bmcs] == ["127.77.0.11", "127.77.0.12", "127.77.0.13"]
        assert len({bmc.fingerprint for bmc in rack.bmcs}) == 3
        context = ssl.create_default_context(cafile=str(rack.ca_path))
        for bmc in rack.bmcs:
            with (
                socket.create_connection((bmc.address, bmc.port)) as plain,
                context.wrap_socket(plain, server_hostname=bmc.address) as sock,
            ):
                assert hashlib.sha256(sock.getpeercert(binary_form=True) or b"").hexdigest() == bmc.fingerprint


def test_ends_with_clients_still_in() -> None:
    with Rack(family_rack("dell", 1)) as rack:
        client = Client(rack, rack.bmcs[0])
        client.get("/redfish")
    assert rack.bmcs[0].counters.open_connections == 0
    client.close()


def test_two_racks_at_once(connect: Any) -> None:
    with Rack(family_rack("dell", 2)) as one, Rack(family_rack("dell", 2)) as other:
        assert {connect(rack, bmc).get("/redfish").status for rack in (one, other) for bmc in rack.bmcs} == {200}
