# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys that are changed for new ones. The supervisor is asked as `rke2 token` and `rke2 secrets-encrypt` ask it, so that no token stands
among the arguments of a process. Standard library only."""

from __future__ import annotations

import base64
import http.client
import time
from pathlib import Path
from typing import Any, Final

from . import layout
from .errors import Rke2Refused, Rke2Silent, RotationRefused
from .https import Endpoint
from .taking import program, run
from .unit import ensure_started, ensure_stopped

FINISHED: Final = "reencrypt_finished"
# From these a rotation may begin (k3s: pkg/server/handlers/secrets-encrypt.go).
IDLE: Final = ("start", FINISHED)
PAUSE: Final = 2.0


def supervisor(data: Path, token: str, timeout: float = 60.0) -> Endpoint:
    """As a server that shows its token."""
    plain = layout.supervisor(data, "127.0.0.1", timeout)
    shown = base64.b64encode(f"server:{token}".encode()).decode()
    return Endpoint(plain.host, plain.port, plain.identity, timeout, {"Authorization": f"Basic {shown}"})


def fits(data: Path, token: str) -> bool:
    """Whether the cluster takes this token for a server's."""
    status, _ = supervisor(data, token).ask("GET", "/v1-rke2/encrypt/status")
    return status not in (http.client.UNAUTHORIZED, http.client.FORBIDDEN)


def rotate_token(data: Path, old: str, new: str, *, check_mode: bool) -> bool:
    """Give the cluster its new token; whether it did not have it. The data of the cluster are encrypted with it."""
    if fits(data, new):
        return False
    if not fits(data, old):
        raise RotationRefused(
            "The cluster takes neither the token that the site has nor the one that would follow it",
            cure="Put the token of server/token below the data of a server into rke2/secrets.yml of the site",
        )
    if not check_mode:
        status, said = supervisor(data, old).ask("PUT", "/v1-rke2/token", {"newToken": new})
        if status >= http.client.BAD_REQUEST:
            raise Rke2Refused(f"The supervisor gave {status} to a new token: {said.decode(errors='replace')[:300]}")
    return True


def encryption(data: Path, token: str) -> dict[str, Any]:
    told: dict[str, Any] = supervisor(data, token).json("GET", "/v1-rke2/encrypt/status")
    return told


def plan_secrets_key(status: dict[str, Any]) -> str:
    """Why the key may not be changed now; empty if it may."""
    if not status.get("enable"):
        return "secrets are not encrypted"
    if status.get("stage") not in IDLE:
        return f"an earlier change of the key is at the stage {status.get('stage')}"
    if not status.get("hashmatch"):
        return f"the servers do not have the same keys ({status.get('hasherror', 'their hashes differ')}): restart those with the old ones"
    return ""


def rotate_secrets_key(data: Path, token: str, patience: float, *, check_mode: bool) -> dict[str, Any]:
    """Encrypt all secrets with a new key, and wait until that is done. Other servers read the key when they start again."""
    before = encryption(data, token)
    if refused := plan_secrets_key(before):
        raise RotationRefused(f"Cannot change the key of secrets: {refused}", cure="rke2 secrets-encrypt status tells more")
    if check_mode:
        return before
    status, said = supervisor(data, token, patience).ask("PUT", "/v1-rke2/encrypt/config", {"stage": "rotate_keys"})
    if status >= http.client.BAD_REQUEST:
        raise Rke2Refused(f"The supervisor gave {status} to a new key of secrets: {said.decode(errors='replace')[:300]}")
    until = time.monotonic() + patience
    while (after := encryption(data, token)).get("stage") != FINISHED or after.get("activekey") == before.get("activekey"):
        if time.monotonic() > until:
            raise RotationRefused(f"Secrets are not encrypted anew after {patience:g} s; the stage is {after.get('stage')}")
        time.sleep(PAUSE)
    return after


def agreed(data: Path, token: str) -> str:
    """Why servers do not agree on the key of secrets; empty if they do."""
    try:
        status = encryption(data, token)
    except (Rke2Silent, Rke2Refused) as exc:
        return exc.text
    return "" if status.get("hashmatch") else str(status.get("hasherror", "their hashes differ"))


def rotate_certificates(name: str, patience: float) -> None:
    """Leaf certificates are made anew at a start when the old ones are gone; RKE2 keeps those beside."""
    ensure_stopped(name)
    try:
        run([program(), "certificate", "rotate"])
    finally:
        ensure_started(name, restart=False, patience=patience)
