# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""TLS towards BMCs: verified by a CA or by a pinned fingerprint, or switched off in plain words."""

from __future__ import annotations

import functools
import re
import ssl
from collections.abc import Iterable
from pathlib import Path

import aiohttp

from .errors import OptionsRefused


def parse_fingerprint(value: str) -> bytes:
    """The SHA-256 digest in a fingerprint, written with or without colons and prefix."""
    digits = re.sub("^sha-?256[:=]", "", value.strip(), flags=re.IGNORECASE).replace(":", "").lower()
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise OptionsRefused([f"fingerprint `{value}` is no SHA-256 digest: give 64 hexadecimal digits, with or without colons"])
    return bytes.fromhex(digits)


@functools.cache
def _context(*, validate: bool, ca_path: str | None) -> ssl.SSLContext:
    # One context for all BMCs with the same settings: loading a CA bundle costs more than reading a server.
    context = ssl.create_default_context(cafile=Path(ca_path).expanduser() if ca_path else None)
    if not validate:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def check_tls(settings: Iterable[tuple[str | None, str | None]]) -> None:
    """Refuse CA files that cannot be used, all at once; `settings` are pairs of `ca_path` and `fingerprint`."""
    mistakes = []
    for ca_path, fingerprint in dict.fromkeys(settings):
        try:
            tls(validate=True, ca_path=ca_path, fingerprint=fingerprint)
        except OptionsRefused as exc:
            mistakes += exc.mistakes
    if mistakes:
        raise OptionsRefused(mistakes)


def tls(*, validate: bool, ca_path: str | None, fingerprint: str | None) -> ssl.SSLContext | aiohttp.Fingerprint:
    if fingerprint:
        return aiohttp.Fingerprint(parse_fingerprint(fingerprint))
    try:
        return _context(validate=validate, ca_path=ca_path)
    except (OSError, ssl.SSLError) as exc:
        raise OptionsRefused([f"ca_path `{ca_path}` cannot be read as PEM certificates: {exc.strerror or exc}"]) from exc
