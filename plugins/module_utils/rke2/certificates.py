# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When certificates end, read by hand: hosts have no library for it, and a process for each of forty files would be too many."""

from __future__ import annotations

import hashlib
import re
import ssl
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

PEM = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
SEQUENCE: Final = 0x30
UTC_TIME: Final = 0x17
VERSION: Final = 0xA0
# In which folders of the data RKE2 has certificates that it renews by itself at a start; those of CAs are beside them.
FOLDERS: Final = ("server/tls", "server/tls/etcd", "agent")


def ends_of(pem: str) -> datetime:
    """RFC 5280, 4.1: the certificate is a sequence, its first part another one: version, serial, algorithm, issuer, validity."""
    found = PEM.search(pem)
    if not found:
        raise ValueError("no certificate in PEM")
    der = ssl.PEM_cert_to_DER_cert(found[0])
    _, certificate, _ = _part(der, 0)
    _, body, _ = _part(certificate, 0)
    at = 0
    tag, _, after = _part(body, at)
    if tag == VERSION:
        at = after
    for _ in range(3):
        _, _, at = _part(body, at)
    _, validity, _ = _part(body, at)
    _, _, at = _part(validity, 0)
    tag, ends, _ = _part(validity, at)
    text = ends.decode("ascii")
    form = "%y%m%d%H%M%SZ" if tag == UTC_TIME else "%Y%m%d%H%M%SZ"
    return datetime.strptime(text, form).replace(tzinfo=timezone.utc)  # noqa: UP017 - Python 3.10, which some hosts have


def _part(data: bytes, at: int) -> tuple[int, bytes, int]:
    """Tag, content, and where the next one begins."""
    if at + 2 > len(data):
        raise ValueError("the certificate is cut off")
    tag, size, begin = data[at], data[at + 1], at + 2
    if size & 0x80:
        count = size & 0x7F
        size, begin = int.from_bytes(data[begin : begin + count], "big"), begin + count
    return tag, data[begin : begin + size], begin + size


def read_ends(data: Path, now: datetime) -> Iterator[dict[str, object]]:
    """Every certificate below the data, with the days that it still has. What cannot be read has none."""
    for folder in FOLDERS:
        for path in sorted((data / folder).glob("*.crt")):
            try:
                ends = ends_of(path.read_text())
            except (OSError, ValueError):
                continue
            is_ca = path.stem.endswith("-ca") or path.stem == "request-header-ca"
            yield {"file": str(path.relative_to(data)), "ends": f"{ends:%Y-%m-%d}", "days": (ends - now).days, "ca": is_ca}


def ca_hash(data: Path) -> str:
    """The hash of the cluster's CA, as a full token has it; empty where there is no cluster."""
    for path in (data / "server/tls/server-ca.crt", data / "agent/server-ca.crt"):
        try:
            return hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            continue
    return ""
