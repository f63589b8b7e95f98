# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree that all images share: every package of every service, from the machine's own Debian mirror, and what Kolla's base image has."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

from tests.lab.hosts.image import sources

from .cache import BUNDLES, cache, collections, scripts, users, wheels

SUITE = "trixie"
# As Kolla's Dockerfiles name them for Debian, without compilers, and without what only images have that are not made here.
PACKAGES = [
    "adduser", "ca-certificates", "curl", "dumb-init", "gawk", "hostname", "iproute2", "kmod", "locales", "lsof", "netbase", "patch",
    "procps", "python3", "python3-pip", "python3-venv", "socat", "sudo",
    "cron", "logrotate",
    "haproxy", "openssh-client", "openssh-server", "rsync", "keepalived", "ipset",
    "expect", "mariadb-backup", "mariadb-client", "mariadb-server", "galera-4", "pv",
    "rabbitmq-server", "memcached", "jq",
    "openvswitch-switch", "python3-openvswitch", "tcpdump", "ovn-central", "ovn-host",
]  # fmt: skip
# Images that run as this account, so it has a home and may call Kolla's scripts by sudo.
ACCOUNTS = {"ansible": "", "haproxy": "", "memcached": "/run/memcache", "mysql": "", "rabbitmq": "", "openvswitch": ""}
SCRIPTS = {
    "set_configs.py": "kolla_set_configs", "start.sh": "kolla_start", "copy_cacerts.sh": "kolla_copy_cacerts",
    "install_projects.sh": "kolla_install_projects", "kolla_patch.sh": "kolla_patch", "healthcheck_curl": "healthcheck_curl",
    "healthcheck_filemod": "healthcheck_filemod", "healthcheck_listen": "healthcheck_listen", "healthcheck_port": "healthcheck_port",
    "healthcheck_socket": "healthcheck_socket",
}  # fmt: skip
# Packages make accounts with numbers of their own, unless those of Kolla are there before them.
# And adduser must take such high numbers for those of system accounts.
BEFORE = (
    'cat "{stage}/passwd" >> "$1/etc/passwd"; cat "{stage}/group" >> "$1/etc/group"; '
    'printf "LAST_SYSTEM_UID=59999\\nLAST_SYSTEM_GID=59999\\n" > "$1/etc/adduser.conf"'
)
AFTER = [
    'cp -a "{stage}/root/." "$1/"',
    'sed -i "s/# en_US.UTF-8 UTF-8/en_US.UTF-8 UTF-8/" "$1/etc/locale.gen"; chroot "$1" locale-gen',
    'rm -f "$1/etc/localtime"; rm -rf "$1/var/lib/mysql" "$1/var/lib/rabbitmq"; mkdir -p "$1/run/mysqld" "$1/run/sshd"',
    'chroot "$1" python3 -m venv --system-site-packages /opt/ansible',
    'chroot "$1" /opt/ansible/bin/pip install --quiet --no-cache-dir --no-index --find-links /wheels {toolbox}; rm -rf "$1/wheels"',
    'ln -s python3.13 "$1/opt/ansible/lib/python3"',
    'chroot "$1" sh -c "{accounts}"',
    (
        'chroot "$1" sh -c "chown mysql: /run/mysqld; mkdir -p /var/lib/kolla/haproxy; '
        'chown -R haproxy: /var/lib/kolla/haproxy /run/haproxy /var/lib/haproxy"'
    ),
    'chroot "$1" sh -c "mkdir -p /var/log/kolla; chown :kolla /var/log/kolla; chmod 2775 /var/log/kolla; chmod 440 /etc/sudoers"',
    'rm -rf "$1"/usr/share/doc/* "$1"/usr/share/man/* "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/var/log/*.log',
]
REDUCED = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "groff", "info", "lintian")]


def build() -> Path:
    """The tree as a tar; built once for each list of packages and version of Kolla."""
    number = hashlib.sha256("\n".join((SUITE, *PACKAGES, BEFORE, *AFTER, *BUNDLES, str(scripts()))).encode()).hexdigest()[:8]
    tree = cache() / f"rootfs-{number}.tar"
    if tree.exists():
        return tree
    stage = _staged()
    names = {"stage": stage, "accounts": _accounts(), "toolbox": "ansible-core ansible-runner openstacksdk os-client-config pymysql pytz"}
    listed = cache() / f"{SUITE}.sources"
    listed.write_text(sources(SUITE))
    options = [
        "--format=tar",
        "--variant=minbase",
        f"--include={','.join(PACKAGES)}",
        '--aptopt=APT::Install-Recommends "false"',
        "--dpkgopt=force-unsafe-io",
        "--dpkgopt=force-confold",
        *REDUCED,
    ]
    hooks = [f"--essential-hook={BEFORE.format(**names)}", *(f"--customize-hook={hook.format(**names)}" for hook in AFTER)]
    log = cache() / "rootfs.log"
    with log.open("w") as file:
        if subprocess.run(
            ["mmdebstrap", *options, *hooks, SUITE, f"{tree}.new", str(listed)], check=False, stdout=file, stderr=file
        ).returncode:
            raise SystemExit(f"Cannot build the images, see {log}:\n" + "".join(log.read_text().splitlines(keepends=True)[-8:]))
    shutil.rmtree(stage)
    Path(f"{tree}.new").replace(tree)
    return tree


def _staged() -> Path:
    """Files to copy into the tree."""
    stage = cache() / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    root = stage / "root"
    binaries = root / "usr/local/bin"
    binaries.mkdir(parents=True)
    for source, target in SCRIPTS.items():
        shutil.copy(scripts() / "base" / source, binaries / target)
        (binaries / target).chmod(0o755)
    (binaries / "kolla_extend_start").touch(0o644)
    (root / "etc").mkdir()
    shutil.copy(scripts() / "base/sudoers", root / "etc/sudoers")
    shutil.copytree(wheels(), root / "wheels")
    for folder in collections():
        shutil.copytree(folder, root / "usr/share/ansible/collections/ansible_collections", dirs_exist_ok=True)
    known = users()
    (stage / "passwd").write_text("".join(f"{n}:x:{uid}:{gid}::/var/lib/{n}:/usr/sbin/nologin\n" for n, (uid, gid) in known.items()))
    (stage / "group").write_text("".join(f"{name}:x:{gid}:\n" for name, (_, gid) in known.items()))
    return stage


def _accounts() -> str:
    """What Kolla's macro configure_user does."""
    lines = []
    for name, given in ACCOUNTS.items():
        home = given or f"/var/lib/{name}"
        lines.append(f"usermod --append --home {home} --groups kolla {name}; mkdir -p {home}; chown -R {name}: {home}")
    return "; ".join(lines)
