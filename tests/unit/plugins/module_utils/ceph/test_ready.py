# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts before their first daemon: ports on what ss prints, releases on what cephadm prints, images in a registry of our own with TLS."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph import ready
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.ready import Port, wrong_image, wrong_ports, wrong_release

from tests.lab.registry import lab_registry, missing_program

SAID = """\
LISTEN 0      512    192.0.2.11:6789 0.0.0.0:* users:(("ceph-mon",pid=1999,fd=28))
LISTEN 0      128        0.0.0.0:22   0.0.0.0:* users:(("sshd",pid=160,fd=3))
LISTEN 0      128      192.0.2.99:3300 0.0.0.0:* users:(("other",pid=7,fd=3))
LISTEN 0      128           [::]:9283      [::]:* users:(("prometheus",pid=8,fd=4))
LISTEN 0      128      127.0.0.1:7600 0.0.0.0:*
"""


@pytest.mark.parametrize(
    ("port", "said"),
    [
        (Port(6789, "mon-v1", "192.0.2.11"), None),
        (Port(22, "mon", "192.0.2.11"), "port 22 is taken by sshd on 0.0.0.0, and Ceph wants it for mon"),
        (Port(3300, "mon", "192.0.2.11"), None),
        (Port(3300, "mon", "192.0.2.99"), "port 3300 is taken by other on 192.0.2.99, and Ceph wants it for mon"),
        (Port(9283, "mgr-prometheus"), "port 9283 is taken by prometheus on [::], and Ceph wants it for mgr-prometheus"),
        (Port(7600, "object gateway"), "port 7600 is taken by another program on 127.0.0.1, and Ceph wants it for object gateway"),
        (Port(8765, "mgr-discovery"), None),
    ],
    ids=["Ceph's own", "all addresses", "another address", "the same address", "all of IPv6", "nobody knows whose", "free"],
)
def test_ports(port, said):
    assert [*wrong_ports([port], SAID)] == ([said] if said else [])


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("cephadm version 20.2.4 (7f79) tentacle (stable)\n", False),
        ("cephadm version 19.2.1 (58a7) squid (stable)\n", True),
        ("", True),
        (None, False),
    ],
    ids=["the planned one", "another", "says nothing", "not there yet"],
)
def test_releases(said, wrong):
    assert bool([*wrong_release("cephadm", "tentacle", said)]) is wrong


@pytest.fixture(scope="module")
def registry(tmp_path_factory):
    if reason := missing_program():
        pytest.skip(reason)
    with lab_registry(tmp_path_factory.mktemp("registry")) as there:
        there.push("ceph/ceph:v20")
        yield there


@pytest.fixture
def trusted(registry, tmp_path, monkeypatch):
    folder = tmp_path / registry.host
    folder.mkdir()
    (folder / "ca.crt").write_bytes(registry.ca.read_bytes())
    monkeypatch.setattr(ready, "CAS", (tmp_path,))


def login(registry, **more):
    return {"username": registry.username, "password": registry.password, **more}


@pytest.mark.usefixtures("trusted")
def test_an_image_that_is_there(registry):
    assert [*wrong_image(f"{registry.host}/ceph/ceph:v20", login(registry))] == []


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    ("image", "more", "said"),
    [
        ("ceph/ceph:v19", {}, "has no ceph/ceph:v19; bring the image there"),
        ("ceph/ceph@sha256:" + "0" * 64, {}, "has no ceph/ceph:sha256:0000"),
        ("ceph/ceph:v20", {"password": "wrong"}, "does not let this login read ceph/ceph; correct ceph_registry"),
    ],
    ids=["another tag", "another digest", "another password"],
)
def test_images_that_cannot_be_had(registry, image, more, said):
    (problem,) = wrong_image(f"{registry.host}/{image}", login(registry, **more))
    assert said in problem and registry.password not in problem


def test_a_registry_whose_ca_is_not_known(registry):
    (problem,) = wrong_image(f"{registry.host}/ceph/ceph:v20", login(registry))
    assert "CERTIFICATE_VERIFY_FAILED" in problem


def test_a_registry_that_is_not_there():
    (problem,) = wrong_image("127.0.0.1:1/ceph/ceph:v20", {})
    assert "the registry 127.0.0.1:1 does not answer as it should" in problem
