# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.lab.rack import Rack, RackError, SpecRefused, family_rack, lab_rack, recorded_rack
from tests.lab.rack.cli import main
from tests.lab.rack.rack import addresses
from tests.lab.rack.specfile import read_specs
from tests.lab.rack.state import CHECKOUT, State

RECORDED = CHECKOUT.parent / "shared" / "redfish"


def free_port(address: str) -> int:
    with socket.socket() as probe:
        probe.bind((address, 0))
        port: int = probe.getsockname()[1]
        return port


def test_two_hundred_bmcs_in_no_time(connect: Any) -> None:
    began = time.monotonic()
    with Rack(lab_rack(200)) as rack:
        assert time.monotonic() - began < 5
        assert connect(rack, rack.bmcs[-1]).get("/redfish/v1").status == 200


def test_eight_bmcs_are_cheap() -> None:
    began = time.monotonic()
    with Rack(lab_rack()):
        pass
    assert time.monotonic() - began < 0.5


def identities(facts: Any) -> set[str]:
    server = facts["servers"][0]
    found = {server["serial"], server["sku"], server["uuid"], *facts["bmc"]["macs"]}
    return found | {nic["mac"] for nic in server["nics"]} | {disk["serial"] for disk in server["disks"]}


@pytest.mark.skipif(not RECORDED.exists(), reason=f"no recorded trees at {RECORDED}")
def test_recorded_trees_are_served(connect: Any) -> None:
    specs = recorded_rack(RECORDED)
    assert len(specs) == 6
    with Rack(specs) as rack:
        for bmc in rack.bmcs:
            client = connect(rack, bmc)
            client.login()
            tree = bmc.spec.recording.tree if bmc.spec.recording else {}
            wrong = [p for p in tree if "/SessionService/Sessions" not in p and client.get(p).json() != tree[p]]
            assert wrong == []
            offers = tree["/redfish/v1"].get("ProtocolFeaturesSupported", {}).get("ExpandQuery", {}).get("NoLinks")
            assert client.get("/redfish/v1/Chassis?$expand=.($levels=1)").status == (200 if offers else 400)


@pytest.mark.skipif(not RECORDED.exists(), reason=f"no recorded trees at {RECORDED}")
def test_recorded_trees_repeat_switch_and_lose_parts(connect: Any) -> None:
    with Rack(recorded_rack(RECORDED, 7)) as rack:
        bmc, again = rack.bmcs[0], rack.bmcs[6]
        assert identities(bmc.expected).isdisjoint(identities(again.expected))
        for each in (bmc, again):
            client = connect(rack, each)
            client.login()
            facts = each.expected["servers"][0]
            system = client.get(facts["system"]).json()
            assert (system["SerialNumber"], system["SKU"], system["UUID"]) == (facts["serial"], facts["sku"], facts["uuid"])
        client = connect(rack, bmc)
        client.login()
        before = bmc.expected["servers"][0]
        bmc.remove_drive(0)
        bmc.remove_dimm(0)
        bmc.power = "off"
        after = bmc.expected["servers"][0]
        assert len(after["disks"]) == len(before["disks"]) - 1
        assert after["memory"]["dimms"] == before["memory"]["dimms"] - 1
        assert client.get(before["system"]).json()["PowerState"] == "Off"


def test_no_recorded_trees(tmp_path: Path) -> None:
    with pytest.raises(SpecRefused, match=r"no <tree>/tree\.json"):
        recorded_rack(tmp_path)


def test_addresses_stay_clear_of_the_ends() -> None:
    found = addresses("127.77.0.250", 10)
    assert found[4:7] == ["127.77.0.254", "127.77.1.1", "127.77.1.2"]
    for address, said in (("192.0.2.1", "only loopback"), ("127.77.0", "Expected 4 octets")):
        with pytest.raises(RackError, match=said):
            addresses(address, 1)


def test_port_taken() -> None:
    said = r"Cannot listen on 127\.77\.0\.11:\d+: Address already in use; another rack is probably up"
    with Rack(family_rack("dell", 1)) as rack, pytest.raises(RackError, match=said):
        Rack(family_rack("dell", 1), port=rack.bmcs[0].port).__enter__()


SPEC = """
bmcs:
  - {family: dell, count: 2, rack: R9}
  - family: ilo6
    power: off
    latency: 0.2
    page_size: 2
    faults: [{kind: busy, count: 3}]
    server: {serial: MINE, gpus: [{slot: 1, model: L40S, serial: G1}], adapters: [{slot: 1, maker: M, model: X, serial: S, ports: [
      {mac: "02:00:00:00:00:01", speed_mbps: 10000}]}]}
"""


def test_spec_file(tmp_path: Path) -> None:
    path = tmp_path / "rack.yml"
    path.write_text(SPEC)
    one, two, three = read_specs(path)
    assert (one.servers[0].rack, two.servers[0].serial) == ("R9", "VT00002")
    assert (three.power, three.latency, three.page_size, three.faults[0].count) == ("off", 0.2, 2, 3)
    server = three.servers[0]
    assert (server.serial, server.gpus[0].model, server.adapters[0].ports[0].speed_mbps) == ("MINE", "L40S", 10000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "must have a list `bmcs`"),
        ("bmcs: [{family: hal}, {family: dell, colour: red}]", r"bmcs\[1\]: family 'hal'.*bmcs\[2\]: unknown key colour"),
        ("bmcs: [{family: dell, faults: [{kind: bang}]}]", "Cannot use the fault 'bang'"),
        ("bmcs: [{family: dell, server: {disks: [{wings: 2}]}}]", "unknown key wings"),
        ("bmcs: [{family: dell, power: maybe}]", "neither on nor off"),
        ("bmcs: [", "Cannot read the rack"),
    ],
)
def test_mistakes_in_a_spec_file(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "rack.yml"
    path.write_text(text)
    with pytest.raises(SpecRefused, match=said):
        read_specs(path)


def test_up_status_down(tmp_path: Path, capsys: Any) -> None:
    folder = str(tmp_path / "rack")
    port = str(free_port("127.77.9.1"))
    options = ["--state", folder, "--count", "2", "--port", port, "--first-address", "127.77.9.1"]
    try:
        assert main(["up", *options]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 5
        state = State(Path(folder))
        pid = state.running()
        assert main(["up", *options]) == 0
        assert "was up already" in capsys.readouterr().out
        assert state.running() == pid
        bmcs = json.loads((tmp_path / "rack" / "bmcs.json").read_text())["bmcs"]
        assert [(b["address"], b["port"], b["vendor"], b["serial"]) for b in bmcs] == [
            ("127.77.9.1", int(port), "Dell", "VT00001"),
            ("127.77.9.2", int(port), "Dell", "VT00002"),
        ]
        assert main(["status", "--state", folder]) == 0
        assert "VT00002" in capsys.readouterr().out
        assert main(["up", *options[2:], "--state", str(tmp_path / "other")]) == 1
        assert f"Cannot listen on 127.77.9.1:{port}" in capsys.readouterr().err
    finally:
        assert main(["down", "--state", folder]) == 0
    assert "The rack is down" in capsys.readouterr().out
    assert main(["down", "--state", folder]) == 0
    assert main(["status", "--state", folder]) == 1


def test_down_leaves_other_processes_alone(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "pid").write_text(f"{os.getpid()} 12345\n")
    assert main(["down", "--state", str(tmp_path)]) == 0
    assert "No rack is up" in capsys.readouterr().out


def test_ends_by_itself(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.lab.rack",
        "serve",
        "--state",
        str(tmp_path),
        "--count",
        "1",
        "--port",
        "0",
        "--idle-exit",
        "0.5",
    ]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=20, check=True)
    assert "No request for 0.5 s" in done.stdout
    assert not (tmp_path / "bmcs.json").exists()


def test_count_out_of_range(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["up", "--count", "1001"])
    assert "not between 1 and 1000" in capsys.readouterr().err
