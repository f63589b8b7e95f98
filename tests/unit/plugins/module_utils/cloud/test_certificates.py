# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates that were brought, and certificates that are served."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.certificates import (
    Leaf,
    ask_served,
    doors_of,
    judge_served,
    leaf_of,
    plan_renewal,
    services_of,
)
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.client import Endpoint
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.errors import CertificatesRefused

from tests.lab.rack import Rack, lab_rack
from tests.lab.rack.tls import Authority

NOW = datetime(2026, 1, 31, tzinfo=UTC)
AUTHORITY = Authority()
PUBLIC = Endpoint("identity", "public", "https://192.0.2.10:5000/v3")
INTERNAL = Endpoint("identity", "admin", "https://192.0.2.11:5000/v3")


def pem(days):
    return AUTHORITY.issue("192.0.2.10", days=days)[0].decode()


OLD, NEW = pem(100), pem(200)


@pytest.mark.parametrize(
    ("brought", "changed", "services"),
    [
        ({}, [], ["loadbalancer"]),
        ({"haproxy.pem": OLD}, [], ["loadbalancer"]),
        ({"haproxy.pem": NEW}, ["haproxy.pem"], ["loadbalancer"]),
        ({"haproxy-internal.pem": NEW}, ["haproxy-internal.pem"], ["loadbalancer"]),
        ({"haproxy.pem": NEW, "ca/root.crt": "another"}, ["ca/root.crt", "haproxy.pem"], []),
        ({"backend-cert.pem": NEW}, ["backend-cert.pem"], []),
    ],
    ids=["none", "the same", "newer", "not there before", "another CA", "of a backend"],
)
def test_renewal(brought, changed, services):
    found = plan_renewal({"haproxy.pem": OLD, "ca/root.crt": "one"}, brought)
    assert found == changed
    assert services_of(found) == services


def test_every_mistake_is_told_at_once():
    with pytest.raises(CertificatesRefused) as refused:
        plan_renewal({"haproxy.pem": NEW, "haproxy-internal.pem": NEW}, {"haproxy.pem": OLD, "haproxy-internal.pem": "nothing"})
    assert "(1) haproxy-internal.pem has no certificate that can be read; (2) haproxy.pem ends on" in str(refused.value)


def test_a_leaf_is_the_first_certificate_and_not_the_key():
    assert leaf_of(NEW).ends - leaf_of(OLD).ends == timedelta(days=100)
    assert leaf_of("") is None
    assert leaf_of("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----") is None


def test_doors_that_cannot_be_asked_are_told_at_once():
    urls = ["https://cloud.example.org", "http://cloud.example.org", "https://", "https://cloud.example.org:none", "https://[192.0.2.1"]
    with pytest.raises(CertificatesRefused) as refused:
        doors_of([{"interface": "public", "url": url} for url in urls])
    assert [url for url in urls if f") {url} does not begin" in str(refused.value)] == urls[1:]
    assert doors_of([{"interface": "internal", "url": urls[0]}]) == [Endpoint("door", "internal", urls[0])]


def leaf(name, days):
    return Leaf(name * 64, NOW + timedelta(days=days))


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        (leaf("a", 90), []),
        (leaf("b", 90), ["certificate is the one that was brought"]),
        (leaf("a", 30), ["certificate is the one that was brought", "certificate lasts"]),
        ("refused", ["certificate is the one that was brought"]),
    ],
    ids=["new", "old", "soon", "none"],
)
def test_served(shown, wrong):
    checks = judge_served({PUBLIC: shown}, {"public": leaf("a", 90)}, NOW, 30)
    assert [check.check for check in checks if not check.ok] == wrong


def test_admin_endpoints_are_internal_ones():
    checks = list(judge_served({INTERNAL: leaf("a", 90)}, {"public": leaf("b", 90), "internal": leaf("a", 90)}, NOW, 30))
    assert all(check.ok for check in checks)


def test_what_is_served_is_read_and_verified(tmp_path):
    with Rack(lab_rack(1), port=0, first_address="127.79.0.11") as rack:
        bmc = rack.bmcs[0]
        door = Endpoint("x", "public", f"https://{bmc.address}:{bmc.port}/a")
        same = Endpoint("y", "public", f"https://{bmc.address}:{bmc.port}/b")
        plain = Endpoint("z", "public", "http://127.79.0.11:1")
        seen = ask_served([door, same, plain], str(rack.ca_path), 10)
        other = tmp_path / "ca.pem"
        other.write_bytes(Authority("Somebody else").pem)
        refused = ask_served([door], str(other), 10)
    assert len(seen) == 1
    assert all(isinstance(one, Leaf) for one in seen.values())
    assert "certificate verify failed" in next(iter(refused.values()))
