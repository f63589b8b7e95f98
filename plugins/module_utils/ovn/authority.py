# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CA of a site's OVN, and the certificates that it signs. Private keys of hosts are made on the hosts and stay there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes, PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from .errors import CertificateRefused

# What every OpenSSL that OVN is linked with can verify.
SIGNS: Final = (ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey)
CA_DAYS: Final = 3650
DAYS: Final = 825
# A certificate that ends sooner is renewed.
RENEW_DAYS: Final = 60
# Clocks differ.
BEFORE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Ca:
    """`key` is none where somebody else signs."""

    certificate: x509.Certificate
    key: CertificateIssuerPrivateKeyTypes | None

    @property
    def text(self) -> str:
        return self.certificate.public_bytes(Encoding.PEM).decode()


def read_ca(certificate: str, key: str | None, where: str) -> Ca:
    """The CA that was made or brought, if it can be used."""
    try:
        found = x509.load_pem_x509_certificate(certificate.encode())
        secret = load_pem_private_key(key.encode(), None) if key else None
    except (ValueError, TypeError) as exc:
        raise CertificateRefused(
            f"Cannot use the CA in {where}: {exc}", cure="Put a certificate in PEM into ca.crt and its key into ca.key"
        ) from None
    if secret and _public(secret.public_key()) != _public(found.public_key()):
        raise CertificateRefused(
            f"Cannot use the CA in {where}: ca.key is not the key of ca.crt", cure="Bring the two that belong together"
        )
    if found.not_valid_after_utc < _now():
        raise CertificateRefused(f"Cannot use the CA in {where}: it ended on {found.not_valid_after_utc:%Y-%m-%d}", cure="Bring a new one")
    if secret is not None and not isinstance(secret, SIGNS):
        raise CertificateRefused(f"Cannot use the CA in {where}: keys of its kind do not sign", cure="Bring an RSA or ECDSA key")
    return Ca(found, secret)


def make_ca(site: str) -> tuple[str, str]:
    """A certificate and its key, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"OVN of {site}")])
    now = _now()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + timedelta(days=CA_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(Encoding.PEM).decode(), _private(key)


def sign(ca: Ca, request: str, name: str, addresses: Sequence[str]) -> str:
    """A certificate for the key of the request; what else the request wants does not count."""
    if ca.key is None:
        raise CertificateRefused(
            f"Cannot sign a certificate for {name}: there is no ca.key", cure=f"Bring ca.key, or {name}.crt and {name}.key"
        )
    wanted = x509.load_pem_x509_csr(request.encode())
    now = _now()
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(ca.certificate.subject)
        .public_key(wanted.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(min(now + timedelta(days=DAYS), ca.certificate.not_valid_after_utc))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(name), *(x509.IPAddress(ip_address(one)) for one in addresses)]), critical=False
        )
        .sign(ca.key, hashes.SHA256())
    )
    return made.public_bytes(Encoding.PEM).decode()


def make_key(ca: Ca, name: str) -> tuple[str, str]:
    """A key and a certificate for it, for somebody who has no host yet."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
    return _private(key), sign(ca, request.public_bytes(Encoding.PEM).decode(), name, [])


def mistakes(ca: Ca, certificate: str, public: str, days: int = RENEW_DAYS) -> Iterator[str]:
    """What is wrong with a certificate; `public` is the key of its holder in PEM, if that is known."""
    try:
        found = x509.load_pem_x509_certificate(certificate.encode())
    except ValueError:
        yield "it cannot be read"
        return
    try:
        found.verify_directly_issued_by(ca.certificate)
    except (ValueError, TypeError, InvalidSignature):
        yield f"another CA signed it ({found.issuer.rfc4514_string()}, wanted {ca.certificate.subject.rfc4514_string()})"
    ends = found.not_valid_after_utc
    if ends < _now():
        yield f"it ended on {ends:%Y-%m-%d}"
    elif ends < _now() + timedelta(days=days) and ends < ca.certificate.not_valid_after_utc:
        yield f"it ends on {ends:%Y-%m-%d}, in less than {days} days"
    if found.not_valid_before_utc > _now():
        yield f"it begins only on {found.not_valid_before_utc:%Y-%m-%d}"
    if public and _public(found.public_key()) != public:
        yield "it belongs to another key"


def public_of_request(request: str) -> str:
    return _public(x509.load_pem_x509_csr(request.encode()).public_key())


def public_of_key(key: str, where: str) -> str:
    try:
        return _public(load_pem_private_key(key.encode(), None).public_key())
    except (ValueError, TypeError):
        raise CertificateRefused(
            f"Cannot use {where}: it is no private key in PEM without a passphrase", cure="Bring one that is"
        ) from None


def ends_of(certificate: str) -> str:
    return f"{x509.load_pem_x509_certificate(certificate.encode()).not_valid_after_utc:%Y-%m-%d}"


def _public(key: PublicKeyTypes) -> str:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def _private(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        key_cert_sign=signs, crl_sign=signs, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _now() -> datetime:
    return datetime.now(timezone.utc).replace(microsecond=0)  # noqa: UP017 - as elsewhere in this subject
