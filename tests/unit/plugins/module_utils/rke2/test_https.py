# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server with certificates of its own: who is asked has to be of the cluster, and who asks too."""

from __future__ import annotations

import http.server
import ssl
import threading
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import Rke2Refused, Rke2Silent
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.https import SERVER_NAME, Endpoint, Identity
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class Authority:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, folder.name)])
        self.sign("ca", self.key, is_ca=True)

    def sign(self, name, key=None, is_ca=False):
        key = key or ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        subject = self.name if is_ca else x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key.public_key())
        made = made.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
        made = made.not_valid_after(now + timedelta(days=1)).add_extension(x509.BasicConstraints(is_ca, None), critical=True)
        if not is_ca:
            names = [x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.1"))]
            made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
        usage = x509.KeyUsage(True, False, False, False, False, is_ca, is_ca, False, False)
        made = made.add_extension(usage, critical=True)
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        made = made.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        certificate = made.sign(self.key, hashes.SHA256())
        (self.folder / f"{name}.crt").write_bytes(certificate.public_bytes(Encoding.PEM))
        (self.folder / f"{name}.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))

    def identity(self, name="client", wanted=SERVER_NAME):
        return Identity(self.folder / "ca.crt", self.folder / f"{name}.crt", self.folder / f"{name}.key", wanted)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, said = {"/ok": (200, b'{"a": 1}'), "/text": (200, b"ok")}.get(self.path, (503, b"not yet"))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def authorities(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    made = Authority(folder / "ours"), Authority(folder / "theirs")
    for one in made:
        one.sign("client")
        one.sign(SERVER_NAME)
    return made


@pytest.fixture(scope="module")
def port(authorities):
    ours, _ = authorities
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=ours.folder / "ca.crt")
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(ours.folder / f"{SERVER_NAME}.crt", ours.folder / f"{SERVER_NAME}.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()


def test_asked_and_answered(authorities, port):
    endpoint = Endpoint("127.0.0.1", port, authorities[0].identity())
    assert endpoint.json("GET", "/ok") == {"a": 1}
    assert endpoint.ask("GET", "/text") == (200, b"ok")
    assert endpoint.ask("GET", "/else")[0] == 503


def test_another_ca_is_not_trusted(authorities, port):
    identity = authorities[0].identity()
    wrong = Identity(authorities[1].folder / "ca.crt", identity.certificate, identity.key, SERVER_NAME)
    with pytest.raises(Rke2Silent, match="certificate verify failed"):
        Endpoint("127.0.0.1", port, wrong).ask("GET", "/ok")


def test_another_name_is_not_trusted(authorities, port):
    with pytest.raises(Rke2Silent, match="certificate verify failed"):
        Endpoint("127.0.0.1", port, authorities[0].identity(wanted="other")).ask("GET", "/ok")


def test_who_is_not_of_the_cluster_gets_nothing(authorities, port):
    theirs = authorities[1].identity()
    stranger = Identity(authorities[0].folder / "ca.crt", theirs.certificate, theirs.key, SERVER_NAME)
    with pytest.raises(Rke2Silent):
        Endpoint("127.0.0.1", port, stranger).ask("GET", "/ok")


def test_nobody_there(authorities):
    with pytest.raises(Rke2Silent, match=r"127\.0\.0\.1:1 gives no answer to GET /ok"):
        Endpoint("127.0.0.1", 1, authorities[0].identity()).ask("GET", "/ok")


def test_no_certificate_yet(tmp_path):
    with pytest.raises(Rke2Silent, match="Cannot use"):
        Endpoint("127.0.0.1", 1, Identity(tmp_path / "ca", tmp_path / "crt", tmp_path / "key")).ask("GET", "/ok")


@pytest.mark.parametrize(("path", "said"), [("/else", "gave 503 to GET /else: not yet"), ("/text", "gave no JSON to GET /text")])
def test_refused(authorities, port, path, said):
    with pytest.raises(Rke2Refused, match=said):
        Endpoint("127.0.0.1", port, authorities[0].identity()).json("GET", path)
