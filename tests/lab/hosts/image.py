# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The image of the hosts, made by mmdebstrap from the machine's own Debian mirror. No container registry is asked."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

BASE = [
    "systemd", "systemd-sysv", "dbus", "udev", "kmod", "openssh-server", "python3", "python3-apt", "sudo", "iproute2", "iputils-ping",
    "procps", "hostname", "ca-certificates", "tzdata",
]  # fmt: skip
# What host_base and ceph want of a host, so that a scenario need not download it for each of them.
READY = [
    "chrony", f"docker{'.'}io", "podman", "runc", "catatonit", "uidmap", "python3-docker", "python3-dbus", "python3-venv", "python3-pip",
    "iptables", "ifupdown", "lvm2", "logrotate",
]  # fmt: skip
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# Nothing that a role should start; keys of ssh for each host; a time daemon that leaves the machine's clock alone.
UNITS = (
    "docker.service docker.socket containerd.service podman.socket podman-auto-update.timer podman-restart.service networking.service "
    "apt-daily.timer apt-daily-upgrade.timer"
)
SSH = "[Service]\\nExecStartPre=\\nExecStartPre=/usr/bin/ssh-keygen -A\\nExecStartPre=/usr/sbin/sshd -t\\n"
HOOKS = [
    f'for u in {UNITS}; do rm -f "$1"/etc/systemd/system/*.wants/"$u"; done',
    f'mkdir -p "$1/etc/systemd/system/ssh.service.d"; printf "{SSH}" > "$1/etc/systemd/system/ssh.service.d/lab.conf"',
    'rm -f "$1"/etc/ssh/ssh_host_*_key*; : > "$1/etc/machine-id"',
    """echo 'DAEMON_OPTS="-F 1 -x"' > "$1/etc/default/chrony\"""",
]


def sources(suite: str) -> str:
    """That suite on the machine's own mirror."""
    for path in map(Path, ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")):
        if path.is_file() and (found := re.search(r"^(?:URIs:|deb(?: \[.*?\])?) *(\S+)", path.read_text(), re.MULTILINE)):
            return f"Types: deb\nURIs: {found[1]}\nSuites: {suite}\nComponents: main\nSigned-By: {KEYRING}\n"
    raise SystemExit("This machine's apt has no Debian mirror to build the image from")


def build(suite: str) -> str:
    """The name of the image; it is built once, and its tree kept in the cache."""
    packages = ",".join([*BASE, *READY])
    number = hashlib.sha256("\n".join((suite, packages, *HOOKS)).encode()).hexdigest()[:8]
    image = f"localhost/vitro-host:{suite}-{number}"
    if subprocess.run(["podman", "image", "exists", image], check=False).returncode == 0:
        return image
    cache = Path(os.environ.get("VITRO_CACHE") or Path.home() / ".cache/vitro") / "hosts"
    cache.mkdir(parents=True, exist_ok=True)
    tree = cache / f"{suite}-{number}.tar"
    if not tree.exists():
        listed = cache / f"{suite}.sources"
        listed.write_text(sources(suite))
        hooks = [f"--customize-hook={hook}" for hook in HOOKS]
        options = ["--quiet", "--format=tar", "--variant=minbase", f"--include={packages}", '--aptopt=APT::Install-Recommends "false"']
        command = ["mmdebstrap", *options, *hooks, suite, f"{tree}.new", str(listed)]
        log = cache / f"{suite}.log"
        with log.open("w") as file:
            if subprocess.run(command, check=False, stdout=file, stderr=file).returncode:
                raise SystemExit(
                    f"Cannot build the image of the hosts, see {log}:\n" + "".join(log.read_text().splitlines(keepends=True)[-5:])
                )
        Path(f"{tree}.new").replace(tree)
    subprocess.run(["podman", "import", "--quiet", str(tree), image], check=True, capture_output=True)
    return image
