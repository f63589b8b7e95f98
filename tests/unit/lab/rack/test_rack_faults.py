# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import gzip
import http.client
import json
import ssl
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.lab.rack import EmulatedBmc, Fault, default_bmc
from tests.lab.rack.faults import KINDS, FaultRefused
from tests.unit.lab.rack.plain_client import Client

SYSTEMS = "/redfish/v1/Systems"
SYSTEM = "/redfish/v1/Systems/System.Embedded.1"


@pytest.fixture
def lab(start: Any) -> tuple[EmulatedBmc, Client]:
    _, bmc, client = start(timeout=1.0)
    client.login()
    return bmc, client


@pytest.mark.parametrize(("kind", "status"), [("busy", 503), ("throttle", 429)])
def test_first_requests_are_refused(kind: str, status: int, lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault(kind, count=2, retry_after=3)]
    answers = [client.get(SYSTEM) for _ in range(3)]
    assert [a.status for a in answers] == [status, status, 200]
    assert answers[0].headers["Retry-After"] == "3"


def test_busy_for_a_while(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("busy", seconds=0.1, retry_after=None)]
    assert client.get(SYSTEM).headers["Retry-After"] is None
    time.sleep(0.15)
    assert client.get(SYSTEM).status == 200


def test_reset_in_the_middle(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("reset", after=1)]
    assert client.get(SYSTEM).status == 200
    with pytest.raises((ConnectionResetError, http.client.IncompleteRead, ssl.SSLError)):
        client.get(SYSTEM)


def test_silent(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("silent")]
    with pytest.raises(TimeoutError):
        client.get(SYSTEM)
    assert bmc.counters.in_flight == 1


def test_trickle(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("trickle", rate=1000)]
    began = time.monotonic()
    assert client.get("/redfish").status == 200
    assert time.monotonic() - began > 0.1
    bmc.faults = [Fault("trickle", rate=1)]
    with pytest.raises(TimeoutError):
        client.connection.sock.settimeout(0.5)
        client.get(SYSTEM)


def test_glued_json(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("glued")]
    with pytest.raises(json.JSONDecodeError, match="Extra data"):
        client.get(SYSTEM).json()
    bmc.faults = [Fault("glued", on_expand=True)]
    assert client.get(SYSTEM).json()["Id"]
    with pytest.raises(json.JSONDecodeError, match="Extra data"):
        client.get(SYSTEM + "?$expand=.").json()


def test_truncated_json(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("truncated")]
    answer = client.get(SYSTEM)
    assert len(answer.body) == int(answer.headers["Content-Length"])
    with pytest.raises(json.JSONDecodeError):
        answer.json()
    bmc.faults = [Fault("truncated", variant="cut")]
    with pytest.raises((http.client.IncompleteRead, ssl.SSLError)):
        client.get(SYSTEM)


def test_html(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("html", path="/redfish/v1")]
    answer = client.get("/redfish/v1/")
    assert (answer.status, answer.headers["Content-Type"], answer.body[:9]) == (200, "text/html", b"<!DOCTYPE")


def test_session_lost(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("session_lost", after=2, count=1)]
    assert [client.get(SYSTEM).status for _ in range(4)] == [200, 200, 401, 401]
    assert client.login().status == 201
    assert client.get(SYSTEM).status == 200


@pytest.mark.parametrize("path", ["/redfish/v1", SYSTEM])
def test_redirect(path: str, lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("redirect", path=path, location="https://198.51.100.1/elsewhere")]
    answer = client.get(path)
    assert (answer.status, answer.headers["Location"]) == (302, "https://198.51.100.1/elsewhere")


def test_faults_of_one_path(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("error", path=f"{SYSTEM}/Memory"), Fault("missing", path=f"{SYSTEM}/Processors/")]
    assert [client.get(SYSTEM + p).status for p in ("", "/Memory", "/Processors", "/Processors/CPU.Socket.1")] == [200, 500, 200, 404]


def test_fault_of_exactly_one_path(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("redirect", path="/redfish/v1", exact=True)]
    assert [client.get(path).status for path in ("/redfish/v1/", SYSTEM)] == [302, 200]


@pytest.mark.parametrize("status", [400, 501])
def test_expand_refused_though_advertised(status: int, lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("expand_refused", status=status)]
    assert [client.get(SYSTEMS + q).status for q in ("", "?$expand=.")] == [200, status]


def test_hollow_expand(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("expand_hollow")]
    assert client.get(f"{SYSTEMS}?$expand=.").json()["Members"] == [{"@odata.id": SYSTEM}]
    bmc.faults = [Fault("expand_hollow", variant="partial")]
    assert set(client.get(f"{SYSTEMS}?$expand=.").json()["Members"][0]) == {"@odata.id", "@odata.type", "Name"}


def test_members_null_or_absent(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("members")]
    assert client.get(SYSTEMS).json()["Members"] is None
    bmc.faults = [Fault("members", variant="absent")]
    assert "Members" not in client.get(SYSTEMS).json()
    assert client.get(SYSTEM).json()["Id"]


@pytest.mark.parametrize(("variant", "text"), [("authority", "unable to get local issuer"), ("name", "mismatch"), ("expired", "expired")])
def test_wrong_certificate(variant: Any, text: str, start: Any, connect: Any) -> None:
    rack, bmc, _ = start()
    bmc.faults = [Fault("certificate", variant=variant)]
    with pytest.raises(ssl.SSLCertVerificationError, match=text):
        connect(rack, bmc).get("/redfish")
    bmc.faults = []
    assert connect(rack, bmc).get("/redfish").status == 200


def test_close_after_every_answer(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("close")]
    assert [client.get(SYSTEM).headers["Connection"] for _ in range(3)] == ["close"] * 3
    assert bmc.counters.connections == 3


def test_gzip_only(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("gzip_only")]
    assert client.get(SYSTEM, Accept_Encoding="identity").status == 406
    answer = client.get(SYSTEM, Accept_Encoding="gzip, deflate")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.body))["Id"] == "System.Embedded.1"


def test_faults_mix_and_go(lab: Any) -> None:
    bmc, client = lab
    bmc.faults = [Fault("busy", count=1), Fault("glued", path=SYSTEMS), Fault("close")]
    first, second = client.get(SYSTEMS), client.get(SYSTEMS)
    assert (first.status, first.headers["Connection"]) == (503, "close")
    assert second.body.endswith(b'}{"error": {}}')
    bmc.faults = []
    assert client.get(SYSTEMS).json()["Members"]


def test_a_fault_may_come_with_the_spec(start: Any) -> None:
    rack, bmc, client = start(replace(default_bmc("ilo6", 0), faults=(Fault("error"),)))
    assert client.get("/redfish").status == 500
    bmc.faults = []
    rack.reset()
    assert client.get("/redfish").status == 500


def test_unknown_faults_are_refused() -> None:
    with pytest.raises(FaultRefused, match="there are busy, certificate"):
        Fault("explode")
    with pytest.raises(FaultRefused, match="short, cut"):
        Fault("truncated", variant="null")
    assert all(KINDS.values())
