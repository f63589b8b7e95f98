# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real kolla-ansible lets its services use an OVN that the role ovn made: by TLS, with the certificate that lies on the hosts."""

from __future__ import annotations

import configparser
import os
from pathlib import Path

import pytest

from tests.lab.kolla import Harness
from tests.lab.kolla.site import KollaSite

ROOT = Path(__file__).parents[3]
LIMIT = ("lab-01", "localhost")
MOUNTED = "/var/lib/vitro/neutron:/var/lib/vitro/neutron:ro"
NEUTRON = ("neutron-server", "neutron-rpc-server", "neutron-periodic-worker", "neutron-ovn-maintenance-worker")
OCTAVIA = ("octavia-api", "octavia-driver-agent")


@pytest.fixture(scope="module")
def site():
    venv = Path(os.environ.get("VITRO_KOLLA_VENV", ROOT / "build/venv-kolla"))
    made = KollaSite(ROOT / "build/prove-kolla/outside", venv)
    made.make(3, ovn={"manager": "packages", "relay": True}, openstack={"octavia": True})
    made.bring()
    return made


@pytest.fixture(scope="module")
def harness(site):
    made = Harness(site.plan, site.config, site.venv, ROOT / "build/prove-kolla/work-outside", site.vault_password_file)
    made.prepare()
    return made


@pytest.fixture(scope="module")
def first(harness):
    # Services put their parts into the load balancer's folder.
    harness.genconfig(("loadbalancer", "neutron", "octavia", "ovn", "openvswitch"), LIMIT)
    return harness.nodes / "lab-01"


def section(path):
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    assert parser.read(path), path
    return dict(parser["ovn"])


FILES = [
    *(f"{name}/ml2_conf.ini" for name in NEUTRON),
    "neutron-ovn-metadata-agent/neutron_ovn_metadata_agent.ini",
    *(f"{name}/octavia.conf" for name in OCTAVIA),
]


@pytest.mark.parametrize("path", FILES)
def test_services_know_where_it_is_and_who_they_are(first, path):
    """Services on control servers ask the databases, agents on chassis the relays."""
    found = section(first / path)
    port = 16641 if "agent" in path and "octavia" not in path else 6642
    assert found["ovn_nb_connection"] == "ssl:10.20.0.11:6641,ssl:10.20.0.12:6641,ssl:10.20.0.13:6641"
    assert found["ovn_sb_connection"] == f"ssl:10.20.0.11:{port},ssl:10.20.0.12:{port},ssl:10.20.0.13:{port}"
    for side in ("nb", "sb"):
        assert found[f"ovn_{side}_private_key"] == "/var/lib/vitro/neutron/key.pem"
        assert found[f"ovn_{side}_certificate"] == "/var/lib/vitro/neutron/cert.pem"
        assert found[f"ovn_{side}_ca_cert"] == "/var/lib/vitro/neutron/ca.pem"


def test_kolla_brings_no_ovn_of_its_own(first):
    assert [path.name for path in first.iterdir() if path.name.startswith(("ovn-", "openvswitch"))] == []


def test_their_containers_see_the_certificate(harness, first):
    containers = harness.containers(("neutron", "octavia"), LIMIT)
    wanted = {name.replace("-", "_") for name in (*NEUTRON, *OCTAVIA, "neutron-ovn-metadata-agent")}
    assert wanted <= containers.keys()
    assert [name for name in sorted(wanted) if MOUNTED not in containers[name]] == []
