# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a host needs beside files: the user of etcd, kernel settings, units and services that know their files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Set
from pathlib import Path
from typing import Any, Final

from .errors import Rke2Refused
from .layout import ADDRESS_FOLDER as FOLDER
from .layout import ADDRESS_UNIT as UNIT
from .marks import INTERFACE, PYTHON
from .node import read_addresses
from .unit import read_units, systemctl

ETCD: Final = "etcd"
MANAGER: Final = "NetworkManager"


def host_words(address: str) -> dict[str, str]:
    """What only the host knows: its Python, and the interface that has the node's address."""
    wanted = set(address.split(",")) if address else set()
    faces = [one["interface"] for one in read_addresses() if one["address"] in wanted]
    return {PYTHON: sys.executable, INTERFACE: next(iter(faces), "")}


def ensure_etcd_user(*, check_mode: bool) -> list[str]:
    """RKE2 looks into the files themselves, so an account of a directory does not count."""
    changes = []
    for file, name, words in (
        ("/etc/group", "group", ["groupadd", "--system", ETCD]),
        (
            "/etc/passwd",
            "user",
            ["useradd", "--system", "--gid", ETCD, "--shell", "/sbin/nologin", "--comment", "etcd of RKE2", "-M", ETCD],
        ),
    ):
        if not any(line.startswith(f"{ETCD}:") for line in Path(file).read_text().splitlines()):
            changes.append(f"the {name} {ETCD} is made")
            if not check_mode:
                _run(words)
    return changes


def ensure_kernel(files: Iterable[dict[str, Any]], then: Collection[str], *, check_mode: bool) -> list[str]:
    """Sets what the files say and the kernel does not have. Only those: all of sysctl.d anew would undo what the network plugin set."""
    changes = []
    for one in files:
        if one["then"] != "kernel":
            continue
        off = [key for key, value in _settings(one["content"]) if (seen := _kernel(key)) is not None and seen != value]
        if off or "kernel" in then:
            changes += [f"{key} is set" for key in off]
            if not check_mode:
                _run(["sysctl", "-p", one["path"]])
    return changes


def _settings(content: str) -> Iterator[tuple[str, str]]:
    for line in content.splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            yield key.strip(), value.strip()


def _kernel(key: str) -> str | None:
    try:
        return (Path("/proc/sys") / key.replace(".", "/")).read_text().strip()
    except OSError:
        return None


def ensure_services(then: Set[str], *, address: bool, check_mode: bool) -> list[str]:
    """Lets systemd, NetworkManager and the registration address know of what changed; an address that does not run is started."""
    changes = []
    units = read_units([UNIT, MANAGER])
    if "networkmanager" in then and units[MANAGER]["running"]:
        changes.append(f"{MANAGER} reads its settings")
        if not check_mode:
            systemctl("reload", MANAGER)
    if then & {"units", "restart", "address"} and not check_mode:
        systemctl("daemon-reload")
    if address and ("address" in then or not units[UNIT]["running"] or not units[UNIT]["enabled"] or _newer(units[UNIT]["since"])):
        changes.append("the registration address is kept")
        if not check_mode:
            systemctl("enable", UNIT)
            systemctl("restart", UNIT)
    elif not address and units[UNIT]["running"]:
        changes.append("the registration address is not kept here any more")
        if not check_mode:
            systemctl("disable", "--now", UNIT)
    return changes


def _newer(since: float) -> bool:
    """Whether a run was cut off between writing its files and starting it anew."""
    path = Path(FOLDER) / "keepalived.conf"
    return path.exists() and path.stat().st_mtime > since


def _run(words: list[str]) -> None:
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)  # noqa: S603 - a list, no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise Rke2Refused(f"Cannot run {words[0]}: {exc}") from None
    if done.returncode:
        raise Rke2Refused(f"{' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
