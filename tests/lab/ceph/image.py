# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The image that cephadm runs, and cephadm itself: Debian's packages from the machine's own mirror. No container registry is asked."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.lab.hosts.image import sources

# Ceph 20 (Tentacle). Not trixie: its Ceph 18 cannot load the cephadm module under Python 3.13.
SUITE = "forky"
PACKAGES = [
    "python3", "procps", "kmod", "udev", "sudo", "iproute2", "hostname", "ca-certificates", "openssh-client", "lvm2", "gdisk", "parted",
    "e2fsprogs", "xfsprogs", "ceph", "ceph-mds", "radosgw", "ceph-mgr-cephadm", "ceph-mgr-dashboard", "ceph-volume", "python3-rados",
    "python3-rbd", "python3-cephfs",
]  # fmt: skip
HOOKS = [
    # Python 3.14 starts a fork server by running its own program again, which inside ceph-mgr is ceph-mgr.
    'for f in "$1"/etc/python3.*/sitecustomize.py; do '
    'printf "import multiprocessing\\nmultiprocessing.set_start_method(\\"fork\\", force=True)\\n" > "$f"; done',
    'rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*',
]
REDUCED = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "groff", "info", "lintian", "locale")]
# The label lets `cephadm shell` find the image by itself; the variable lets ceph-volume take attached loop devices.
CONFIG = {
    "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "CEPH_VOLUME_ALLOW_LOOP_DEVICES=1"],
    "Labels": {"ceph": "True", "maintainer": "tests/lab/ceph of frontier.vitro, not the Ceph project"},
}


def cache() -> Path:
    folder = Path(os.environ.get("VITRO_CACHE") or Path.home() / ".cache/vitro") / "ceph"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def tree() -> Path:
    """The image's files as a tar, built once for each list of packages."""
    number = hashlib.sha256("\n".join((SUITE, *PACKAGES, *HOOKS, *REDUCED)).encode()).hexdigest()[:8]
    made = cache() / f"{SUITE}-{number}.tar"
    if not made.exists():
        listed = _listed()
        hooks = [f"--customize-hook={hook}" for hook in HOOKS]
        options = ["--quiet", "--format=tar", "--variant=minbase", f"--include={','.join(PACKAGES)}", "--dpkgopt=force-unsafe-io"]
        without = ['--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Check-Valid-Until "false"', *REDUCED]
        _logged(["mmdebstrap", *options, *without, *hooks, SUITE, f"{made}.new", str(listed)], cache() / "tree.log")
        Path(f"{made}.new").replace(made)
    return made


def program() -> Path:
    """cephadm of the same release, out of its package: one file that any Python of its age runs."""
    folder = cache() / f"cephadm-{SUITE}"
    found = folder / "usr/sbin/cephadm"
    if not found.exists():
        (folder / "lists/partial").mkdir(parents=True, exist_ok=True)
        own = {
            "Dir::Etc::sourcelist": _listed(), "Dir::Etc::sourceparts": "/dev/null", "Dir::State::Lists": folder / "lists",
            "Dir::State::status": "/dev/null", "Dir::Cache::pkgcache": "", "Dir::Cache::srcpkgcache": "",
            "Acquire::Check-Valid-Until": "false", "APT::Sandbox::User": "root",
        }  # fmt: skip
        asked = ["apt-get", "-qq", *(f"-o{key}={value}" for key, value in own.items())]
        log = cache() / "cephadm.log"
        _logged([*asked, "update"], log)
        _logged([*asked, "download", "cephadm"], log, folder)
        (package,) = folder.glob("cephadm_*.deb")
        _logged(["dpkg-deb", "--extract", str(package), str(folder / "new")], log)
        _any_python(folder / "new/usr/sbin/cephadm")
        (folder / "new/usr").rename(folder / "usr")
    return found


def wheels() -> Path:
    """podman's Python package for the hosts, whose distribution may have none."""
    folder = cache() / "wheels"
    if not folder.exists():
        making = cache() / "wheels.new"
        _logged([sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(making), "podman>=4.7"], cache() / "wheels.log")
        making.rename(folder)
    return folder


def config(plain: str, name: str) -> bytes:
    """The image's description, for the digest of its one layer before that was packed. Another name makes it another image."""
    root = {"type": "layers", "diff_ids": [plain]}
    own = {**CONFIG, "Labels": {**CONFIG["Labels"], "name": name}}
    return json.dumps({"architecture": "amd64", "os": "linux", "config": own, "rootfs": root}, sort_keys=True).encode()


def _any_python(path: Path) -> None:
    """Its first line may name the suite's own Python. The length stays, or the archive behind it can no longer be read."""
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(b"#!/usr/bin/python3".ljust(len(first)) + b"\n" + rest)
    path.chmod(0o755)


def _listed() -> Path:
    path = cache() / f"{SUITE}.sources"
    path.write_text(sources(SUITE))
    return path


def _logged(command: list[str], log: Path, folder: Path | None = None) -> None:
    with log.open("a") as file:
        if subprocess.run(command, check=False, stdout=file, stderr=file, cwd=folder).returncode:
            raise SystemExit(f"{command[0]} failed, see {log}:\n" + "".join(log.read_text().splitlines(keepends=True)[-5:]))
