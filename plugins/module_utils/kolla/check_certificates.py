# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates: there, readable, valid today, for the right names, with their keys, and signed by the CA that clients trust."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from cryptography.x509 import Certificate, DNSName, ExtensionNotFound, IPAddress, SubjectAlternativeName, load_pem_x509_certificate

from .check_read import CONFIG, Site
from .findings import Finding, Kind

BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----", re.DOTALL)
SOON: Final = timedelta(days=30)
CA: Final = "certificates/ca/"
INTERNAL: Final = "certificates/haproxy-internal.pem"
PRESENCE: Final = "Looks only whether the file is there"
BRING = "Lay it into kolla/certificates of the site's folder and run frontier.vitro.render"

CERTIFICATE_MISSING = Kind(
    "certificate_missing",
    "A certificate or key that TLS needs is not there",
    BRING,
    "Stops and names the key that holds the path",
    "awaited",
)
CERTIFICATE_FORM = Kind(
    "certificate_form",
    "A file has no readable certificate or private key where it needs one",
    "Write PEM: the certificate, its chain, then the private key without a passphrase",
    f"{PRESENCE}; HAProxy does not start",
)
CERTIFICATE_EXPIRED = Kind(
    "certificate_expired", "A certificate is not valid now", "Make a new one", "Looks only whether the file is there"
)
CERTIFICATE_SOON = Kind("certificate_soon", "A certificate ends within 30 days", "Make a new one in time", PRESENCE, "warning")
CERTIFICATE_NAMES = Kind(
    "certificate_names",
    "A certificate is not for the name or address of its VIP",
    "Make one whose subject alternative names hold the VIP's name and address",
    f"{PRESENCE}; every client refuses the endpoint",
)
CERTIFICATE_KEY = Kind(
    "certificate_key",
    "A private key does not belong to its certificate",
    "Put the right pair there",
    "Looks only whether the file is there",
)
CERTIFICATE_CHAIN = Kind(
    "certificate_chain",
    "A certificate leads to no CA in certificates/ca/",
    "Add the intermediate certificates to the file and the CA to certificates/ca/",
    f"{PRESENCE}; services refuse each other",
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where a certificate and its key lie, the same file for HAProxy's; `names` are what it must be for, a VIP's."""

    path: str
    key: str
    setting: str
    names: tuple[str, ...] = ()


def check_certificates(site: Site) -> Iterator[Finding]:
    trusted, unread = _authorities(site)
    yield from unread
    if site.variables.true("kolla_copy_ca_into_containers") and not trusted and not unread:
        text = "there is no CA in certificates/ca/, and containers are to trust it"
        yield CERTIFICATE_MISSING.of(f"{CA}root.crt", text, key="kolla_copy_ca_into_containers", value=True)
    for one in _wanted(site):
        missing = [path for path in dict.fromkeys((one.path, one.key)) if path not in site.tree]
        for path in missing:
            yield CERTIFICATE_MISSING.of(path, f"there is no {path}", key=one.setting)
        if one.path not in missing:
            yield from _judged(site, one, trusted)


def _wanted(site: Site) -> Iterator[Wanted]:
    variables = site.variables
    # By the plan: that the configuration has another name or address is told of the configuration.
    vips: dict[str, tuple[str, ...]] = {vip.name: (vip.fqdn, vip.address) for vip in site.plan.vips}
    if variables.true("kolla_externally_managed_cert"):
        return
    for side in ("external", "internal"):
        # What lies outside the directory cannot be seen from here.
        path = _in_tree(variables.text(f"kolla_{side}_fqdn_cert"))
        if variables.true(f"kolla_enable_tls_{side}") and path and not variables.true("enable_letsencrypt") and side in vips:
            yield Wanted(path, path, f"kolla_{side}_fqdn_cert", vips[side])
    # The renderer makes ProxySQL's of HAProxy's inner one.
    if (
        variables.true("database_enable_tls_internal")
        and variables.true("enable_proxysql")
        and "certificates/haproxy-internal.pem" in site.tree
    ):
        yield Wanted("certificates/proxysql-cert.pem", "certificates/proxysql-key.pem", "database_enable_tls_internal")
    if variables.true("kolla_enable_tls_backend"):
        certificate, key = (_in_tree(variables.text(f"kolla_tls_backend_{part}")) for part in ("cert", "key"))
        if certificate and key:
            yield Wanted(certificate, key, "kolla_enable_tls_backend")
    if variables.true("rabbitmq_enable_tls") and not _own_of_hosts(site):
        yield Wanted("certificates/rabbitmq-cert.pem", "certificates/rabbitmq-key.pem", "rabbitmq_enable_tls")


def _own_of_hosts(site: Site) -> bool:
    """Kolla takes certificates of single hosts before the common one."""
    return any(
        f"certificates/{host}-cert.pem" in site.tree or f"certificates/{host}/rabbitmq-cert.pem" in site.tree for host in site.servers
    )


def _in_tree(path: str | None) -> str | None:
    return path.removeprefix(f"{CONFIG}/") if path and path.startswith(f"{CONFIG}/") else None


def _authorities(site: Site) -> tuple[list[Certificate], list[Finding]]:
    found: list[Certificate] = []
    unread: list[Finding] = []
    for path in sorted(path for path in site.tree if path.startswith(CA) and path.endswith(".crt")):
        read = _certificates(site.tree[path].text)
        found += read
        if not read:
            unread.append(CERTIFICATE_FORM.of(path, f"{path} has no certificate that can be read"))
        elif ended := [one for one in read if not one.not_valid_before_utc <= site.now <= one.not_valid_after_utc]:
            unread.append(
                CERTIFICATE_EXPIRED.of(path, f"the CA in {path} is not valid now", value=f"{ended[0].not_valid_after_utc:%Y-%m-%d}")
            )
    return found, unread


def _judged(site: Site, one: Wanted, trusted: Sequence[Certificate]) -> Iterator[Finding]:
    chain = _certificates(site.tree[one.path].text)
    if not chain:
        yield CERTIFICATE_FORM.of(one.path, f"{one.path} has no certificate that can be read", key=one.setting)
        return
    first = chain[0]
    yield from _dates(site, one, first)
    absent = [name for name in one.names if not _covers(first, name)]
    if absent:
        yield CERTIFICATE_NAMES.of(
            one.path, f"it is not for {' and '.join(absent)}", key=one.setting, value=", ".join(_covered(first)) or None
        )
    if one.key in site.tree:
        keys = [found[0] for found in BLOCK.finditer(site.tree[one.key].text) if found[1].endswith("PRIVATE KEY")]
        public = [_public(key) for key in keys]
        if not keys or public[0] is None:
            yield CERTIFICATE_FORM.of(one.key, f"{one.key} has no private key that can be read", key=one.setting)
        elif public[0] != first.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo):
            yield CERTIFICATE_KEY.of(one.key, "the private key is not the certificate's", key=one.setting)
    if trusted and not _leads(chain, trusted):
        text = f"it is signed by {chain[-1].issuer.rfc4514_string()}, which is not in {CA}"
        yield CERTIFICATE_CHAIN.of(one.path, text, key=one.setting)


def _dates(site: Site, one: Wanted, first: Certificate) -> Iterator[Finding]:
    start, end = first.not_valid_before_utc, first.not_valid_after_utc
    value = f"{start:%Y-%m-%d} to {end:%Y-%m-%d}"
    if not start <= site.now <= end:
        said = f"it ended on {end:%Y-%m-%d}" if end < site.now else f"it begins on {start:%Y-%m-%d}"
        yield CERTIFICATE_EXPIRED.of(one.path, said, key=one.setting, value=value)
    elif end - site.now < SOON:
        yield CERTIFICATE_SOON.of(one.path, f"it ends on {end:%Y-%m-%d}", key=one.setting, value=value)


def _certificates(text: str) -> list[Certificate]:
    """None if one of them cannot be read, or has a key that is none."""
    try:
        read = [load_pem_x509_certificate(found[0].encode()) for found in BLOCK.finditer(text) if found[1] == "CERTIFICATE"]
        for one in read:
            one.public_key()
            _ = one.issuer, one.subject, one.not_valid_before_utc, one.not_valid_after_utc
        return read
    except (ValueError, UnsupportedAlgorithm):
        return []


def _public(key: str) -> bytes | None:
    try:
        return load_pem_private_key(key.encode(), None).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _covered(certificate: Certificate) -> list[str]:
    try:
        names = certificate.extensions.get_extension_for_class(SubjectAlternativeName).value
    except (ExtensionNotFound, ValueError):
        return []
    return [*names.get_values_for_type(DNSName), *(str(one) for one in names.get_values_for_type(IPAddress))]


def _covers(certificate: Certificate, name: str) -> bool:
    """Clients look into the subject alternative names only; a wildcard stands for one label."""
    covered = [one.lower() for one in _covered(certificate)]
    try:
        return str(ip_address(name)) in covered
    except ValueError:
        wanted = name.lower().rstrip(".")
        return wanted in covered or f"*.{wanted.partition('.')[2]}" in covered


def _leads(chain: Sequence[Certificate], trusted: Sequence[Certificate]) -> bool:
    """Whether the first certificate is one that is trusted, or leads to one over the others."""
    here, seen = chain[0], {chain[0]}
    while here not in trusted:
        above = next((one for one in (*trusted, *chain) if one not in seen and _signed(here, one)), None)
        if above is None:
            return False
        seen.add(above)
        here = above
    return True


def _signed(certificate: Certificate, by: Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(by)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True
