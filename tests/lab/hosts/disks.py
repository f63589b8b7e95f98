# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks of hosts: sparse files on loop devices, with serial numbers, and only seen by the host that has them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from .lab import Disk, Lab

# What udev would do on a server, which does not run in a container: device nodes, names that stay, and records that lsblk reads.
# The kernel shows every host the disks of all; so those of others are covered.
ATTACH = """\
set -e
for folder in /sys/block /sys/class/block; do
    mountpoint -q $folder || mount -t tmpfs -o mode=755 disks $folder
done
mkdir -p /run/udev/data /dev/disk/by-id
while read -r name major minor serial wwn; do
    [ -b /dev/$name ] || mknod -m 660 /dev/$name b $major $minor
    chgrp disk /dev/$name
    ln -sfn ../devices/virtual/block/$name /sys/block/$name
    ln -sfn ../../devices/virtual/block/$name /sys/class/block/$name
    ln -sfn ../../$name /dev/disk/by-id/ata-LAB_$serial
    ln -sfn ../../$name /dev/disk/by-id/wwn-0x$wwn
    printf '%s\\n' S:disk/by-id/ata-LAB_$serial S:disk/by-id/wwn-0x$wwn I:1 E:ID_BUS=ata E:ID_MODEL=LAB E:ID_SERIAL=LAB_$serial \\
        E:ID_SERIAL_SHORT=$serial E:ID_WWN=0x$wwn V:1 > /run/udev/data/b$major:$minor
done < /lab/disks
"""

DETACH = """\
set -e
while read -r name major minor serial wwn; do
    [ "$serial" = "$1" ] || continue
    rm -f /dev/$name /sys/block/$name /sys/class/block/$name /run/udev/data/b$major:$minor
    rm -f /dev/disk/by-id/ata-LAB_$serial /dev/disk/by-id/wwn-0x$wwn
done < /lab/disks
"""


def attach(lab: Lab, host: int) -> Path | None:
    """Make the disks that are missing, and the folder that tells the host which are its own; None without any."""
    disks = lab.disks_of(host)
    if not disks:
        return None
    told = lab.folder / "disks" / lab.names[host - 1]
    told.mkdir(parents=True, exist_ok=True)
    (told / "attach").write_text(ATTACH)
    (told / "detach").write_text(DETACH)
    (told / "disks").write_text("".join(f"{_line(lab, one)}\n" for one in disks))
    return told


def _line(lab: Lab, disk: Disk) -> str:
    file = lab.folder / "disks" / f"{disk.serial}.img"
    if not file.exists():
        with file.open("wb") as made:
            made.truncate(disk.bytes)
    device = next((one["name"] for one in _attached() if one["back-file"] == str(file)), "") or _losetup("--find", "--show", str(file))
    major, minor = Path(f"/sys/block/{Path(device).name}/dev").read_text().strip().split(":")
    return f"{Path(device).name} {major} {minor} {disk.serial} {disk.wwn}"


def detach(folder: Path, serials: list[str] | None = None) -> None:
    """Take the loop devices away and their files; all of a lab, or some. A file that is gone may still have its device."""
    disks = folder / "disks"
    for one in _attached():
        file = Path(one["back-file"].removesuffix(" (deleted)"))
        if file.parent == disks and (serials is None or file.stem in serials):
            _losetup("--detach", one["name"])
    if serials is None:
        shutil.rmtree(disks, ignore_errors=True)
    for serial in serials or ():
        (disks / f"{serial}.img").unlink(missing_ok=True)


def _attached() -> list[dict[str, str]]:
    told = _losetup("--json", "--list", "--output=NAME,BACK-FILE")
    return [one for one in json.loads(told or '{"loopdevices": []}')["loopdevices"] if one["back-file"]]


def _losetup(*arguments: str) -> str:
    done = subprocess.run(["losetup", *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"losetup {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()
