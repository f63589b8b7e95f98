# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts as containers: own addresses, several NICs with known MACs, and a start as of a machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from .disks import attach, detach
from .lab import Lab

# The mounts of a container are read-only where systemd and an engine inside want to write.
START = (
    'for m in /sys /sys/fs/cgroup /sys/fs/cgroup/*; do mountpoint -q "$m" && mount -o remount,bind,rw "$m"; done; '
    # The kernel is the machine's: its settings stay as they are.
    "for m in fs kernel vm; do mount --bind /proc/sys/$m /proc/sys/$m; mount -o remount,bind,ro /proc/sys/$m; done; "
    # But cephadm and a kubelet stop if one of theirs cannot be written, so a file stands in for each.
    "mkdir /run/kernel; for k in fs.aio-max-nr fs.protected_fifos fs.protected_hardlinks fs.protected_regular fs.protected_symlinks "
    "kernel.pid_max $LAB_SETTINGS; do f=/proc/sys/$(echo $k | tr . /); cat $f > /run/kernel/$k; mount --bind /run/kernel/$k $f; done; "
    # What udev would do on a server, which does not run here: disks, and ports by the names that .link files give them.
    "[ ! -e /lab/attach ] || sh /lab/attach; "
    "for f in /etc/systemd/network/70-vitro-*.link; do [ -e $f ] || continue; mac=$(sed -n s/^PermanentMACAddress=//p $f); "
    "for d in $(ip -o link | grep -i $mac | cut -d: -f2 | cut -d@ -f1); do ip link set $d down name $(sed -n s/^Name=//p $f); done; done; "
    # As on a machine; containers inside share mounts with their host.
    "mount --make-rshared /; "
    # Newer ones start on cgroups of version 1 only if they are told so, on the kernel's command line, for which in a container this stands.
    "exec /lib/systemd/systemd SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1"
)
# Not --privileged, which would show every disk of the machine; no systemd mode of podman's, which binds the wrong cgroups on version 1.
HOW = [
    "--systemd=false", "--pids-limit=-1", "--stop-signal=SIGRTMIN+3", "--cgroupns=private", "--env=container=podman", "--no-hosts",
    "--tmpfs=/run:rw,exec", "--tmpfs=/run/lock:rw", "--tmpfs=/tmp:rw,exec", "--volume=/var/lib/docker", "--volume=/var/lib/containers",
    "--cap-add=ALL", "--security-opt=seccomp=unconfined", "--security-opt=apparmor=unconfined", "--security-opt=unmask=ALL",
    "--device-cgroup-rule=a *:* rwm", "--device=/dev/fuse", "--device=/dev/net/tun", "--ulimit=nofile=1024:16384",
    "--ulimit=nproc=8192:8192",
    # A host must not answer on one NIC for the address of another: a wrong cable would go unnoticed.
    "--sysctl=net.ipv4.conf.all.arp_ignore=1", "--sysctl=net.ipv4.conf.all.rp_filter=1",
]  # fmt: skip
# A kubelet reads the kernel's log, and its containers cannot be on an overlay of an overlay.
KUBELET = [
    "--device=/dev/kmsg", "--volume=/var/lib/rancher", "--volume=/var/lib/kubelet",
    "--env=LAB_SETTINGS=vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops "
    "kernel.keys.root_maxkeys kernel.keys.root_maxbytes",
]  # fmt: skip
# Root's share is the machine's and all hosts', and kubelets need more than it has by default.
WATCHES, MOST_WATCHES = Path("/proc/sys/fs/inotify/max_user_instances"), 1024
# The engine inside may ask for no more than the machine gives, and finds neither a journal nor cgroups of version 2.
ENGINE = """\
[containers]
default_ulimits = ["nofile=16384:16384", "nproc=8192:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""


def podman(*arguments: str, check: bool = True) -> str:
    runtime = [] if Path("/sys/fs/cgroup/cgroup.controllers").exists() else ["--runtime", "runc"]
    done = subprocess.run(["podman", *runtime, *arguments], check=False, capture_output=True, text=True)
    if check and done.returncode:
        raise SystemExit(f"podman {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def up(lab: Lab, image: str) -> None:
    lab.folder.mkdir(parents=True, exist_ok=True)
    key = lab.folder / "id_ed25519"
    if not key.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f", str(key)], check=True)
    for nic in range(lab.nics):
        how = ["--disable-dns", "--opt=mtu=1500", f"--subnet={lab.subnet}.0/24"] if nic == 0 else ["--internal", f"--opt=mtu={lab.mtu}"]
        how += ["--ipam-driver=none"] if nic else []
        if subprocess.run(["podman", "network", "exists", lab.network(nic)], check=False).returncode:
            podman("network", "create", *how, lab.network(nic))
    if lab.kubelet:
        _let_watch(lab)
    made = [host for host, name in enumerate(lab.names, 1) if not _start(lab, host, name, image)]
    start_clock(lab)
    for name in lab.names:
        wait_for(name)
    for host in made:
        _let_in(lab, lab.names[host - 1])


def _let_watch(lab: Lab) -> None:
    before = WATCHES.read_text()
    if int(before) < MOST_WATCHES:
        (lab.folder / "watches").write_text(before)
        WATCHES.write_text(str(MOST_WATCHES))


def _start(lab: Lab, host: int, name: str, image: str) -> bool:
    """Whether the host was there already."""
    told = attach(lab, host)
    if subprocess.run(["podman", "container", "exists", name], check=False).returncode == 0:
        podman("start", name)
        return True
    networks = [f"--network={lab.network(0)}:interface_name=eth0,mac={lab.mac(host, 0)},ip={lab.address(host)}"]
    networks += [f"--network={lab.network(nic)}:interface_name=eth{nic},mac={lab.mac(host, nic)}" for nic in range(1, lab.nics)]
    disks = [f"--volume={told}:/lab:ro"] if told else []
    how = [*HOW, *(KUBELET if lab.kubelet else [])]
    podman("run", "--detach", f"--name={name}", f"--hostname={name}", *how, *disks, *networks, image, "/bin/sh", "-c", START)
    return False


def _let_in(lab: Lab, name: str) -> None:
    key = (lab.folder / "id_ed25519.pub").read_text().strip()
    keys = f"umask 77; mkdir -p /root/.ssh; echo '{key}' > /root/.ssh/authorized_keys"
    podman("exec", name, "sh", "-c", f"{keys}; printf '127.0.0.1 localhost\\n127.0.1.1 {name}\\n' > /etc/hosts")
    folder = "/etc/containers/containers.conf.d"
    podman("exec", name, "sh", "-c", f"mkdir -p {folder}; echo '{ENGINE}' > {folder}/lab.conf")


def add_disk(lab: Lab, host: int) -> None:
    """One more disk for a running host; `lab` knows of it already."""
    attach(lab, host)
    podman("exec", lab.names[host - 1], "sh", "/lab/attach")


def pull_disk(lab: Lab, host: int, number: int) -> None:
    """One disk less for a running host."""
    serial = lab.disks_of(host)[number - 1].serial
    podman("exec", lab.names[host - 1], "sh", "/lab/detach", serial)
    detach(lab.folder, [serial])


def start_clock(lab: Lab) -> None:
    """The machine is the hosts' time server."""
    stop_clock(lab)
    with (lab.folder / "ntp.log").open("w") as log:
        command = [sys.executable, "-m", "tests.lab.hosts.ntp", f"{lab.subnet}.1"]
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    (lab.folder / "ntp.pid").write_text(str(started.pid))


def stop_clock(lab: Lab) -> None:
    pid = lab.folder / "ntp.pid"
    if pid.exists():
        number = int(pid.read_text())
        with contextlib.suppress(OSError):
            if b"tests.lab.hosts.ntp" in Path(f"/proc/{number}/cmdline").read_bytes():
                os.kill(number, signal.SIGTERM)
        pid.unlink()


def wait_for(name: str) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        state = podman("exec", name, "systemctl", "is-system-running", check=False).strip()
        if state in ("running", "degraded"):
            return
        time.sleep(1)
    raise SystemExit(f"{name} did not start within 120 s: {podman('logs', '--tail=5', name, check=False)}")


def remove(name: str) -> None:
    # podman 4.3 may say "container state improper" when the host ends while it is stopped.
    for _ in range(2):
        podman("rm", "--force", "--volumes", "--time=0", name, check=False)


def down(lab: Lab) -> None:
    stop_clock(lab)
    for name in lab.names:
        remove(name)
    detach(lab.folder)
    if (noted := lab.folder / "watches").exists():
        WATCHES.write_text(noted.read_text())
        noted.unlink()
    for nic in range(lab.nics):
        bridge = podman("network", "inspect", "--format={{.NetworkInterface}}", lab.network(nic), check=False).strip()
        podman("network", "rm", lab.network(nic), check=False)
        # podman leaves the bridge when a host has renamed its NIC.
        subprocess.run(["ip", "link", "del", bridge], check=False, capture_output=True)
