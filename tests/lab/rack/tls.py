# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An authority of the rack's own, and a certificate for each BMC."""

from __future__ import annotations

import datetime as dt
import hashlib
import ipaddress
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PEM = serialization.Encoding.PEM
DER = serialization.Encoding.DER
DAY = dt.timedelta(days=1)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    """Signs with one leaf key for all BMCs: a key of each BMC's own would cost start-up time and prove nothing."""

    def __init__(self, name: str = "Vitro emulated rack CA") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._leaf_key = ec.generate_private_key(ec.SECP256R1())
        self._subject = _name(name)
        self._now = dt.datetime.now(dt.UTC).replace(microsecond=0)
        usage = x509.KeyUsage(
            digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False, key_encipherment=False,
            data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        self._certificate = (
            self._blank(self._subject, self._key, 3650)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self._issuer_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        self._leaf_pem = self._leaf_key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())

    @property
    def pem(self) -> bytes:
        return self._certificate.public_bytes(PEM)

    def _blank(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, days: int) -> x509.CertificateBuilder:
        start = self._now - 2 * DAY
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self._subject).public_key(key.public_key())
        return builder.serial_number(x509.random_serial_number()).not_valid_before(start).not_valid_after(start + days * DAY)

    def issue(self, address: str, *, days: int = 825) -> tuple[bytes, str]:
        """Key and certificate in PEM, and the certificate's SHA-256 fingerprint."""
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        certificate = (
            self._blank(_name(address), self._leaf_key, days)
            .add_extension(names, critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(self._issuer_id, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        pem = self._leaf_pem + certificate.public_bytes(PEM)
        return pem, hashlib.sha256(certificate.public_bytes(DER)).hexdigest()


def _context(pem: bytes) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # A reader measures the cost of its own connections; resumption tickets would hide half of it.
    context.num_tickets = 0
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(pem)
        file.flush()
        context.load_cert_chain(file.name)
    return context


class Identity:
    """What a BMC shows in a TLS handshake; a fault may make it show something else."""

    def __init__(self, authority: Authority, address: str) -> None:
        self.address = address
        self._authority = authority
        pem, self.fingerprint = authority.issue(address)
        self.context = _context(pem)

    def present(self, variant: str) -> None:
        """'' for the right certificate; connections that are open stay as they are."""
        if not variant:
            self.context.sni_callback = None
            return
        if variant == "authority":
            pem, _ = Authority("Somebody else's CA").issue(self.address)
        elif variant == "name":
            pem, _ = self._authority.issue("192.0.2.99")
        else:
            pem, _ = self._authority.issue(self.address, days=1)
        wrong = _context(pem)

        def swap(connection: ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
            connection.context = wrong

        self.context.sni_callback = swap


def write_ca(authority: Authority, folder: Path) -> Path:
    path = folder / "ca.pem"
    path.write_bytes(authority.pem)
    return path
