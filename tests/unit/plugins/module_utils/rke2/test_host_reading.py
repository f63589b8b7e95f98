# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import ast
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.certificates import ca_hash, ends_of, read_ends
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.digests import Digests, digest_of
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.listening import address_of, has_default_route, read_listeners
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.node import secret_of
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.unit import TOKEN
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.tree import ROOT

KEY = ec.generate_private_key(ec.SECP256R1())


def certificate(ends):
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(KEY.public_key()).serial_number(7)
    made = made.not_valid_before(ends - timedelta(days=900)).not_valid_after(ends)
    return made.sign(KEY, hashes.SHA256()).public_bytes(Encoding.PEM).decode()


@settings(deadline=None)
@given(st.datetimes(min_value=datetime(1985, 1, 1), max_value=datetime(2190, 1, 1)))
def test_ends_of(ends):
    """Either way of writing a time: RFC 5280 has two digits for the year up to 2049."""
    whole = ends.replace(microsecond=0, tzinfo=UTC)
    assert ends_of(certificate(whole)) == whole


@pytest.mark.parametrize("text", ["", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----"])
def test_what_is_no_certificate(text):
    with pytest.raises(ValueError, match="certificate"):
        ends_of(text)


def test_ends_of_a_node(tmp_path):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    (tmp_path / "server/tls").mkdir(parents=True)
    (tmp_path / "server/tls/client-admin.crt").write_text(certificate(now + timedelta(days=30, hours=1)))
    (tmp_path / "server/tls/server-ca.crt").write_text(certificate(now + timedelta(days=3000)))
    (tmp_path / "server/tls/broken.crt").write_text("x")
    assert [(one["file"], one["days"], one["ca"]) for one in read_ends(tmp_path, now)] == [
        ("server/tls/client-admin.crt", 30, False),
        ("server/tls/server-ca.crt", 3000, True),
    ]
    assert len(ca_hash(tmp_path)) == 64
    assert ca_hash(tmp_path / "nothing") == ""


@pytest.mark.parametrize(("word", "address"), [("0100007F", "127.0.0.1"), ("00000000000000000000000001000000", "::1")])
def test_addresses_of_the_kernel(word, address):
    if sys.byteorder == "little":
        assert address_of(word) == address


def test_listeners():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        ports = {server.getsockname()[1]: "tcp", datagrams.getsockname()[1]: "udp"}
        found = read_listeners(ports)
        mine = {(one["port"], one["protocol"]) for one in found if one["process"]}
    assert set(ports.items()) <= mine
    assert read_listeners([1]) == []


@pytest.mark.parametrize(
    ("four", "six", "expected"),
    [
        ("eth0\t00000000\t0100A8C0\n", "", True),
        ("eth0\t0000A8C0\t00000000\n", "", False),
        ("", f"{'0' * 32} 00 {'0' * 32} 00 {'f' * 32} ffffffff 1 0 200200 lo\n", False),
        ("", f"{'0' * 32} 00 {'0' * 32} 00 {'f' * 32} 400 1 0 3 eth0\n", True),
    ],
    ids=["default", "none", "refused", "six"],
)
def test_default_route(tmp_path, four, six, expected):
    (tmp_path / "net").mkdir()
    (tmp_path / "net/route").write_text(f"Iface\tDestination\tGateway\n{four}")
    (tmp_path / "net/ipv6_route").write_text(six)
    assert has_default_route(tmp_path) is expected


def test_digests_are_kept_until_the_file_changes(tmp_path, monkeypatch):
    file = tmp_path / "f"
    file.write_text("x")
    first = Digests(tmp_path / "kept")
    digest = first.of(file)
    first.save()
    read = []
    monkeypatch.setattr(f"{Digests.__module__}.digest_of", lambda path: read.append(path) or digest_of(path))
    assert Digests(tmp_path / "kept").of(file) == digest
    assert read == []
    file.write_text("y")
    os.utime(file, (1, 1))
    assert Digests(tmp_path / "kept").of(file) != digest
    assert read == [file]


@pytest.mark.parametrize("kept", ["", "[1]", "{"])
def test_broken_digests_cost_time_only(tmp_path, kept):
    (tmp_path / "kept").write_text(kept)
    (tmp_path / "f").write_text("x")
    assert Digests(tmp_path / "kept").of(tmp_path / "f") == digest_of(tmp_path / "f")


@pytest.mark.parametrize(("token", "secret"), [("K10abc::server:s3cret", "s3cret"), ("s3cret", "s3cret"), ("K10abc::node:a:b", "a:b")])
def test_secret_of(token, secret):
    assert secret_of(token) == secret


def test_tokens_leave_no_journal():
    assert TOKEN.sub("K10...", "token K10deadbeef01::server:abc is wrong") == "token K10... is wrong"


def test_what_runs_on_hosts_needs_no_packages():
    """Modules run where there is only Python: they take nothing of what the controller has."""
    modules = ("artifacts", "cluster_info", "files", "health", "node_info", "node_labels", "service")
    names = [
        node.module
        for name in modules
        for node in ast.walk(ast.parse((ROOT / f"plugins/modules/rke2_{name}.py").read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ansible_collections")
    ]
    blocked = "import sys\nfor name in ('yaml', 'pydantic', 'cryptography', 'ansible', 'netaddr'):\n    sys.modules[name] = None\n"
    script = blocked + "".join(f"import {name}\n" for name in sorted(set(names)))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "build/collections")}
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
