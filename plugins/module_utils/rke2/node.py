# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything about one host that the preflight and the verification ask for, read in one go. It runs three short programs: systemctl, ip
and rke2 itself."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .certificates import ca_hash, read_ends
from .digests import Digests
from .listening import has_default_route, read_listeners
from .names import plain
from .times import now
from .unit import read_units

BINARIES: Final = {"/usr/local/bin/rke2": "tarball", "/opt/rke2/bin/rke2": "tarball", "/usr/bin/rke2": "rpm"}
KEPT: Final = Path("/var/lib/vitro/rke2/digests.json")
# Those that the CIS profile wants, and whether the kernel is FIPS.
KERNEL: Final = ("vm.overcommit_memory", "vm.panic_on_oom", "kernel.panic", "kernel.panic_on_oops", "crypto.fips_enabled")
OTHER_UNITS: Final = ("k3s", "k3s-agent", "kubelet", "firewalld", "nm-cloud-setup.timer", "NetworkManager", "vitro-rke2-address")
# Packages have theirs in the first, Kolla in the second.
KEEPALIVED: Final = ("etc/keepalived/*.conf", "etc/kolla/keepalived/*.conf")
FACE, VRID = re.compile(r"^\s*interface\s+(\S+)", re.MULTILINE), re.compile(r"^\s*virtual_router_id\s+(\d+)", re.MULTILINE)
PROBE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """`watched` are files that RKE2 reads when it starts; `probe` is an address that nobody should have yet."""

    data_dir: Path
    role: str
    ports: Collection[int] = ()
    watched: Sequence[str] = ()
    probe: str = ""
    token: str = ""
    images: bool = False
    write: bool = True


def read_node(asked: Question) -> dict[str, Any]:
    data = asked.data_dir
    units = read_units([f"rke2-{asked.role}", "rke2-server", "rke2-agent", *OTHER_UNITS])
    unit = units[f"rke2-{asked.role}"]
    addresses = read_addresses()
    return {
        **read_program(),
        "architecture": {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine()),
        "units": units,
        "stale": [] if not unit["running"] else [*_stale(unit, asked.watched)],
        "server_data": (data / "server/db/etcd/member").is_dir(),
        "agent_data": (data / "agent/client-kubelet.crt").is_file(),
        "ca": ca_hash(data),
        "token_fits": _fits(data, asked.token),
        "certificates": [*read_ends(data, now())],
        "etcd_owner": _owner(data / "server/db/etcd"),
        "runtimes": sorted(one.name for one in (data / "data").glob("v*")),
        "archives": _archives(data, asked),
        "images": _images(data) if asked.images else [],
        "ports": read_listeners(asked.ports),
        "addresses": addresses,
        "default_route": has_default_route(),
        "answers": bool(asked.probe) and asked.probe not in {one["address"] for one in addresses} and _answers(asked.probe),
        "cgroup": 2 if Path("/sys/fs/cgroup/cgroup.controllers").exists() else 1,
        "kernel": {key: _line(Path("/proc/sys") / key.replace(".", "/")) for key in KERNEL},
        "selinux": _line(Path("/sys/fs/selinux/enforce")) == "1",
        "vrids": [*_vrids()],
        "kubeadm": Path("/etc/kubernetes/manifests").is_dir() and any(Path("/etc/kubernetes/manifests").iterdir()),
        "free_bytes": _free(data),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "hostname": socket.gethostname(),
        "time": time.time(),
    }


def read_program() -> dict[str, Any]:
    """Which RKE2 is installed, and how it came."""
    path = next((one for one in BINARIES if os.access(one, os.X_OK)), "")
    said = _run([path, "--version"]) if path else ""
    words = said.split()
    return {
        "program": path,
        "method": BINARIES.get(path, ""),
        "version": words[2] if len(words) > 2 else "",
        "fips": "boringcrypto" in said,
        "mixed": sum(os.access(one, os.X_OK) for one in BINARIES) > 1,
    }


def read_addresses() -> list[dict[str, Any]]:
    told = json.loads(_run(["ip", "-json", "address"]) or "[]")
    return [
        {"address": at["local"], "prefix": at["prefixlen"], "interface": one["ifname"]}
        for one in told
        for at in one.get("addr_info", ())
        if "local" in at
    ]


def _run(words: list[str]) -> str:
    try:
        return subprocess.run(words, check=False, capture_output=True, text=True, timeout=60).stdout  # noqa: S603 - a list, no shell
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _stale(unit: Mapping[str, Any], watched: Sequence[str]) -> list[str]:
    """Files that are newer than the process that read them; a program that was replaced is told by the kernel."""
    drop_ins = [str(path) for path in Path("/etc/rancher/rke2/config.yaml.d").glob("*.y*ml") if "-vitro-" not in path.name]
    found = []
    for name in dict.fromkeys([*watched, *drop_ins]):
        with contextlib.suppress(OSError):
            if Path(name).stat().st_mtime > unit["since"]:
                found.append(name)
    with contextlib.suppress(OSError):
        if str(Path(f"/proc/{unit['pid']}/exe").readlink()).endswith(" (deleted)"):
            found.append("the program")
    return found


def _archives(data: Path, asked: Question) -> dict[str, dict[str, Any]]:
    folder, digests = data / "agent/images", Digests(KEPT)
    found = {}
    for path in sorted(folder.glob("*.tar*")):
        found[path.name] = {"size": path.stat().st_size, "digest": digests.of(path)}
    if asked.write:
        digests.save()
    return found


def _images(data: Path) -> list[str]:
    """What the container engine has."""
    words = [
        str(data / "bin/ctr"),
        "--address",
        "/run/k3s/containerd/containerd.sock",
        "--namespace",
        "k8s.io",
        "images",
        "list",
        "--quiet",
    ]
    return sorted({plain(line) for line in _run(words).split() if "sha256:" not in line})


def _fits(data: Path, token: str) -> bool | None:
    """Whether the token is that of the cluster on this server; None where there is nothing to compare."""
    kept = _line(data / "server/token")
    if not kept or not token:
        return None
    return hmac.compare_digest(secret_of(kept).encode(), secret_of(token).encode())


def secret_of(token: str) -> str:
    """A full token is K10HASH::USER:SECRET."""
    return token.partition("::")[2].partition(":")[2] if token.startswith("K10") else token


def _answers(address: str) -> bool:
    """Whether somebody has the address. One who refuses the connection has it too; nobody answers for one that is free."""
    try:
        socket.create_connection((address, 9345), PROBE_SECONDS).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return True


def _vrids() -> Iterator[dict[str, Any]]:
    """The VRRP numbers that others use on this host, with their interfaces."""
    for pattern in KEEPALIVED:
        for path in sorted(Path("/").glob(pattern)):
            content = _line(path)
            faces, numbers = FACE.findall(content), VRID.findall(content)
            yield from ({"interface": face, "vrid": int(number)} for face, number in zip(faces, numbers))  # noqa: B905 - as many as there are


def _free(data: Path) -> int:
    place = next(one for one in (data, *data.parents) if one.exists())
    return shutil.disk_usage(place).free


def _owner(path: Path) -> str:
    try:
        return f"{path.owner()}:{path.group()}"
    except (OSError, KeyError):
        return ""


def _line(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
