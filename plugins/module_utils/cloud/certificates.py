# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates: whether those that were brought are newer, and whether those that are served are the ones that were brought."""

from __future__ import annotations

import hashlib
import re
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import load_der_x509_certificate, load_pem_x509_certificate

from ..checks import Check
from ..errors import numbered
from .client import Endpoint
from .errors import CertificatesRefused

BLOCK: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
# HAProxy alone serves these; a new CA or a new certificate of a backend concerns every service.
FRONT: Final = {"haproxy.pem": "public", "haproxy-internal.pem": "internal"}
AT_ONCE: Final = 8
SHOWN: Final = 16


@dataclass(frozen=True, slots=True)
class Leaf:
    fingerprint: str
    ends: datetime

    def __str__(self) -> str:
        return f"{self.fingerprint[:SHOWN]}…, ends {self.ends:%Y-%m-%d}"


def leaf_of(text: str) -> Leaf | None:
    """The first certificate of a PEM file."""
    found = BLOCK.search(text)
    try:
        certificate = load_pem_x509_certificate(found[0].encode()) if found else None
    except ValueError:
        return None
    if certificate is None:
        return None
    return Leaf(hashlib.sha256(certificate.public_bytes(Encoding.DER)).hexdigest(), certificate.not_valid_after_utc)


def plan_renewal(rendered: Mapping[str, str], brought: Mapping[str, str]) -> list[str]:
    """Which files of the operator differ from those in force. One that ends no later than the old one is a mistake."""
    changed = sorted(name for name, text in brought.items() if rendered.get(name) != text)
    mistakes = []
    for name in (one for one in changed if one in FRONT):
        old, new = leaf_of(rendered.get(name, "")), leaf_of(brought[name])
        if new is None:
            mistakes.append(f"{name} has no certificate that can be read")
        elif old and old.fingerprint != new.fingerprint and new.ends <= old.ends:
            mistakes.append(f"{name} ends on {new.ends:%Y-%m-%d}, and the one in force on {old.ends:%Y-%m-%d}")
    if mistakes:
        raise CertificatesRefused(f"Cannot renew certificates: {numbered(mistakes)}")
    return changed


def services_of(changed: Iterable[str]) -> list[str]:
    """The tags of Kolla's playbooks; none means all services."""
    return ["loadbalancer"] if all(name in FRONT for name in changed) else []


def doors_of(given: Iterable[Mapping[str, str]]) -> list[Endpoint]:
    """What no catalogue has. An address that cannot be asked would look as if all were well."""
    mistakes = [f"{one['url']} does not begin with https:// and a name" for one in given if not _is_door(one["url"])]
    if mistakes:
        raise CertificatesRefused(
            f"Cannot look at what is served: {numbered(mistakes)}",
            cure="Give the doors as addresses such as https://cloud.example.org:8443",
        )
    return [Endpoint("door", one["interface"], one["url"]) for one in given]


def ask_served(endpoints: Iterable[Endpoint], ca: str | None, timeout: float) -> dict[Endpoint, Leaf | str]:
    """The certificate that each endpoint with TLS serves, verified by the CA; or why there is none. One question for each address."""
    doors = sorted(
        {(one.interface, _door(one.url)): one for one in endpoints if one.url.startswith("https:")}.values(), key=lambda o: o.url
    )
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(doors, pool.map(lambda one: read_served(*_door(one.url), ca, timeout), doors), strict=True))


def read_served(host: str, port: int, ca: str | None, timeout: float) -> Leaf | str:
    try:
        context = ssl.create_default_context(cafile=ca)
        with socket.create_connection((host, port), timeout) as plain, context.wrap_socket(plain, server_hostname=host) as secure:
            shown = secure.getpeercert(binary_form=True) or b""
    except OSError as exc:
        return str(exc)
    return Leaf(hashlib.sha256(shown).hexdigest(), load_der_x509_certificate(shown).not_valid_after_utc)


def judge_served(seen: Mapping[Endpoint, Leaf | str], wanted: Mapping[str, Leaf], now: datetime, days: int) -> Iterator[Check]:
    """`wanted` has a leaf for `public` and for `internal`; admin endpoints are internal ones."""
    for one, shown in seen.items():
        host, port = _door(one.url)
        target = f"{one.interface} {host}:{port}"
        leaf = wanted.get("public" if one.interface == "public" else "internal")
        if leaf:
            yield Check("certificate is the one that was brought", target, str(leaf), str(shown), shown == leaf)
        if isinstance(shown, Leaf):
            ok = shown.ends - now > timedelta(days=days)
            yield Check("certificate lasts", target, f"more than {days} days", f"{(shown.ends - now).days} days", ok)
        elif not leaf:
            yield Check("certificate is served", target, "a certificate that the CA signed", shown, ok=False)


def _is_door(url: str) -> bool:
    try:
        return url.startswith("https://") and bool(_door(url)[0])
    except ValueError:
        return False


def _door(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 443
