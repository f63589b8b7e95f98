# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Boots a guest to see that the cloud can, and removes it again whatever happens."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ..checks import Check
from .client import Cloud
from .errors import CloudRequest
from .interrupts import interruptible

PREFIX: Final = "vitro-check-"
MARK: Final = {"vitro": "check"}
POLL_SECONDS: Final = 2.0
REMOVE_SECONDS: Final = 120
COLLECTIONS: Final = {"image": ("image", "/images"), "flavor": ("compute", "/flavors"), "network": ("network", "/networks")}


@dataclass(frozen=True, slots=True)
class Boot:
    """Names or ids."""

    image: str
    flavor: str
    network: str
    timeout: int


def boot_guest(cloud: Cloud, wanted: Boot, pause: Callable[[float], None] = time.sleep) -> list[Check]:
    """Two checks: that a guest boots, and that it is gone afterwards. What an earlier run was killed over is removed first."""
    for old in leftovers(cloud):
        remove(cloud, old, pause)
    found, missing = resolve(cloud, wanted)
    if missing:
        return [Check("guest boots", "Nova", "ACTIVE", "; ".join(missing), ok=False)]
    name = PREFIX + secrets.token_hex(4)
    server = {
        "name": name,
        "imageRef": found["image"],
        "flavorRef": found["flavor"],
        "networks": [{"uuid": found["network"]}],
        "metadata": dict(MARK),
    }
    with interruptible():
        try:
            made = cloud.send("POST", "compute", "/servers", {"server": server})[0]["server"]["id"]
            booted = _await(cloud, made, name, wanted.timeout, pause)
        except CloudRequest as exc:
            booted = Check("guest boots", name, "ACTIVE", exc.text, ok=False)
        finally:
            # By its mark and not by its id: an interrupt may come between Nova's making it and our hearing of that.
            gone = [remove(cloud, one, pause) for one in leftovers(cloud, name)]
    seen = "gone" if all(gone) else f"still there after {REMOVE_SECONDS} s"
    return [booted, Check("guest is removed again", name, "gone", seen, all(gone))]


def leftovers(cloud: Cloud, name: str = PREFIX) -> list[str]:
    """Guests of this check, known by name and mark."""
    found = cloud.pages("compute", "/servers/detail", "servers", name=f"^{name}")
    return [str(one["id"]) for one in found if one["metadata"].get("vitro") == MARK["vitro"] and one["name"].startswith(name)]


def remove(cloud: Cloud, guest: str, pause: Callable[[float], None] = time.sleep) -> bool:
    end = time.monotonic() + REMOVE_SECONDS
    cloud.send("DELETE", "compute", f"/servers/{guest}", missing_ok=True)
    while cloud.send("GET", "compute", f"/servers/{guest}", missing_ok=True)[0] is not None:
        if time.monotonic() > end:
            return False
        pause(POLL_SECONDS)
    return True


def resolve(cloud: Cloud, wanted: Boot) -> tuple[dict[str, str], list[str]]:
    """Ids of what is to be used, and what there is none or too many of."""
    found: dict[str, str] = {}
    missing: list[str] = []
    for kind, (service, path) in COLLECTIONS.items():
        given = getattr(wanted, kind)
        matches = [one["id"] for one in _listed(cloud, kind, service, path, given) if given in (one["id"], one["name"])]
        if len(matches) == 1:
            found[kind] = matches[0]
        else:
            missing.append(f"there are {len(matches)} of the {kind} {given}" if matches else f"there is no {kind} {given}")
    return found, missing


def _listed(cloud: Cloud, kind: str, service: str, path: str, given: str) -> list[dict[str, Any]]:
    query = {"is_public": "None"} if kind == "flavor" else {"name": given}
    listed: list[dict[str, Any]] = cloud.get(service, path, **query)[f"{kind}s"]
    if not listed and kind != "flavor":
        one = cloud.send("GET", service, f"{path}/{given}", missing_ok=True)[0]
        listed = [one.get(kind, one)] if one else []
    return listed


def _await(cloud: Cloud, guest: str, name: str, timeout: int, pause: Callable[[float], None]) -> Check:
    start = time.monotonic()
    while True:
        seen = cloud.get("compute", f"/servers/{guest}")["server"]
        passed = time.monotonic() - start
        if seen["status"] == "ACTIVE":
            return Check("guest boots", name, "ACTIVE", f"ACTIVE after {passed:.0f} s on {seen['OS-EXT-SRV-ATTR:host']}", ok=True)
        if seen["status"] == "ERROR":
            why = (seen.get("fault") or {}).get("message", "Nova does not say why")
            return Check("guest boots", name, "ACTIVE", f"ERROR: {why}", ok=False)
        if passed > timeout:
            return Check("guest boots", name, "ACTIVE", f"{seen['status']} after {timeout} s", ok=False)
        pause(POLL_SECONDS)
