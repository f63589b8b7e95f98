# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host's private key, what it asks to be signed, and what was signed. By openssl, which hosts have; they need not have more Python."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

from .errors import CertificateRefused

KEY, CERTIFICATE, CA = "key.pem", "cert.pem", "ca.pem"
LIMIT: Final = 60


def look(folder: Path, name: str, *, check_mode: bool) -> dict[str, Any]:
    """What is there, and a request for the key; a key that is missing is made. In check mode before the first run there is no request."""
    key, made = folder / KEY, False
    if not key.is_file() and not check_mode:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        _write(key, _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"), 0o600)
        made = True
    request = _openssl("req", "-new", "-key", str(key), "-subj", f"/CN={name}") if key.is_file() else ""
    return {"made": made, "request": request, "certificate": _read(folder / CERTIFICATE), "ca": _read(folder / CA)}


def write(folder: Path, certificate: str, ca: str, key: str) -> list[str]:
    """The names of the files that were changed. The key goes first: a certificate of another key would be of no use."""
    wanted = {**({KEY: (key, 0o600)} if key else {}), CA: (ca, 0o644), CERTIFICATE: (certificate, 0o644)}
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    changed = []
    for name, (text, mode) in wanted.items():
        path = folder / name
        if _read(path) != text or path.stat().st_mode & 0o777 != mode:
            _write(path, text, mode)
            changed.append(name)
    return changed


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""


def _write(path: Path, text: str, mode: int) -> None:
    """In one step, and never with more rights than it is to have."""
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w") as file:
        file.write(text)
        os.fchmod(file.fileno(), mode)
        file.flush()
        os.fsync(file.fileno())
    Path(made).replace(path)


def _openssl(*arguments: str) -> str:
    try:
        done = subprocess.run(["openssl", *arguments], check=False, capture_output=True, text=True, timeout=LIMIT)  # noqa: S603, S607 - a list, no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise CertificateRefused(f"Cannot run openssl: {exc}", cure="Install openssl on the host") from None
    if done.returncode:
        raise CertificateRefused(f"openssl {arguments[0]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout
