# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The planned disks on a host: which device each is, by what stays with it, and what is on it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..errors import VitroError, numbered

COLUMNS: Final = "NAME,KNAME,PATH,SERIAL,WWN,SIZE,TYPE,MOUNTPOINTS"
BY_ID: Final = Path("/dev/disk/by-id")
# From the best: what the disk itself says, then what bus and model add.
LINKS: Final = ("wwn-", "nvme-eui.", "nvme-", "scsi-", "ata-", "")
BLUESTORE: Final = b"bluestore block device"
BLUESTORE_FSID: Final = re.compile(rb"ceph_fsid.{4}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.DOTALL)
LVM_FSID: Final = re.compile(r"ceph\.cluster_fsid=([0-9a-f-]{36})")
# Sizes that a BMC and a kernel tell differ by what a controller keeps for itself.
TOLERANCE: Final = 0.02


class DisksUnread(VitroError):
    code = "ceph_disks_unread"


class DisksWrong(VitroError):
    code = "ceph_disks_wrong"
    cure = "Nothing was changed"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(f"The disks are not as planned: {numbered(list(problems))}")


@dataclass(frozen=True, slots=True)
class Wanted:
    serial: str
    wwn: str | None = None
    bytes: int | None = None
    wipe: bool = False


@dataclass(frozen=True, slots=True)
class Disk:
    """`fsid` is the cluster whose OSD is on it; `holds` is what else is on it, in words."""

    path: str
    kernel_name: str
    serial: str | None
    wwn: str | None
    bytes: int
    holds: tuple[str, ...] = ()
    fsid: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """`problems` has a sentence for every disk that is not as planned; `wipe` are the devices to clear first, as the plan says; `in_use`
    says that there are OSDs of the cluster on some."""

    paths: Mapping[str, str]
    kernel_names: Mapping[str, str]
    wipe: tuple[str, ...]
    problems: tuple[str, ...]
    in_use: bool = False


def find_disks(wanted: Sequence[Wanted], there: Sequence[Disk], fsid: str, links: Mapping[str, Sequence[str]]) -> Found:
    """`links` has the stable names of each device path."""
    paths, kernel_names, wipe, problems = {}, {}, [], []
    in_use = False
    for one in wanted:
        matching = [disk for disk in there if _is(one, disk)]
        complaint = _complaint(one, matching, there, fsid, links)
        if complaint:
            problems.append(complaint)
            continue
        disk = matching[0]
        paths[one.serial] = stable(links[disk.path])
        kernel_names[one.serial] = disk.kernel_name
        in_use |= disk.fsid == fsid
        if disk.holds or (disk.fsid and disk.fsid != fsid):
            wipe.append(disk.path)
    return Found(paths, kernel_names, tuple(wipe), tuple(problems), in_use)


def _complaint(one: Wanted, matching: Sequence[Disk], there: Sequence[Disk], fsid: str, links: Mapping[str, Sequence[str]]) -> str | None:
    if not matching:
        seen = ", ".join(sorted(disk.serial or disk.path for disk in there)) or "none"
        return f"the disk {one.serial} is not there; there are {seen}. Was it replaced? Discover and plan again"
    if len(matching) > 1:
        return (
            f"the disk {one.serial} is there as {', '.join(disk.path for disk in matching)}: paths to one disk must be joined by multipath"
        )
    disk = matching[0]
    if one.bytes and abs(disk.bytes - one.bytes) > one.bytes * TOLERANCE:
        return f"the disk {one.serial} ({disk.path}) has {disk.bytes} bytes, planned are {one.bytes}. Discover and plan again"
    if not links.get(disk.path):
        return f"the disk {one.serial} ({disk.path}) has no name in {BY_ID}, so it could become another disk after a restart"
    if disk.fsid == fsid:
        return None
    holds = (*disk.holds, *((f"an OSD of another cluster, {disk.fsid}",) if disk.fsid else ()))
    if not holds or (one.wipe and not any("mounted" in part or "LVM" in part for part in holds)):
        return None
    cure = f"If it may be lost, say so in the intent (disks: wipe), or clear it: wipefs --all {disk.path}"
    return f"the disk {one.serial} ({disk.path}) is not empty: {', '.join(holds)}. {cure}"


def _is(one: Wanted, disk: Disk) -> bool:
    if disk.serial and disk.serial.strip().casefold() == one.serial.strip().casefold():
        return True
    return bool(one.wwn and disk.wwn) and _bare(one.wwn) == _bare(disk.wwn)


def _bare(wwn: str | None) -> str:
    return re.sub(r"^(0x|eui\.|naa\.)", "", (wwn or "").casefold())


def stable(links: Sequence[str]) -> str:
    return min(links, key=lambda link: (next(n for n, start in enumerate(LINKS) if Path(link).name.startswith(start)), link))


def read_disks() -> list[Disk]:
    said = _run("lsblk", "--json", "--bytes", "--output", COLUMNS)
    return [_disk(one) for one in json.loads(said)["blockdevices"] if one["type"] in ("disk", "loop")]


def read_links() -> dict[str, list[str]]:
    links: dict[str, list[str]] = {}
    for link in sorted(BY_ID.iterdir()) if BY_ID.is_dir() else ():
        links.setdefault(str(link.resolve()), []).append(str(link))
    return links


def clear_disk(path: str) -> None:
    """Take away what is written on a disk, its partitions first."""
    tree = json.loads(_run("lsblk", "--json", "--output", "PATH,TYPE", path))["blockdevices"]
    for part in [*(child["path"] for one in tree for child in one.get("children", ())), path]:
        _run("wipefs", "--all", "--force", part)
    with Path(path).open("r+b") as device:
        device.write(bytes(1 << 20))


def _disk(one: Mapping[str, Any]) -> Disk:
    label = _label(one["path"])
    bluestore = BLUESTORE_FSID.search(label) if label.startswith(BLUESTORE) else None
    volumes = [child for child in one.get("children", ()) if child["type"] == "lvm"]
    fsid = bluestore[1].decode() if bluestore else _lvm_fsid(one["path"]) if volumes else None
    holds = () if fsid else tuple(_holds(one))
    return Disk(one["path"], one["kname"], one.get("serial"), one.get("wwn"), int(one["size"]), holds, fsid)


def _holds(one: Mapping[str, Any]) -> Iterator[str]:
    if any(one.get("mountpoints") or ()):
        yield f"mounted on {', '.join(point for point in one['mountpoints'] if point)}"
    # The disk itself is read: what udev remembers, and lsblk tells, may be of yesterday.
    signatures = json.loads(_run("wipefs", "--no-act", "--json", one["path"]) or "{}").get("signatures", ())
    yield from sorted({f"a signature of {found['type']}" for found in signatures})
    for child in one.get("children", ()):
        kind = {"lvm": "LVM", "part": "partition", "crypt": "encrypted volume"}.get(child["type"], child["type"])
        yield f"{kind} {child['name']}" + (f" mounted on {child['mountpoints'][0]}" if any(child.get("mountpoints") or ()) else "")


def _label(path: str) -> bytes:
    try:
        with Path(path).open("rb") as device:
            return device.read(4096)
    except OSError:
        return b""


def _lvm_fsid(path: str) -> str | None:
    tags = LVM_FSID.search(_run("lvs", "--noheadings", "--options", "lv_tags", "--select", f"devices=~{path}"))
    return tags[1] if tags else None


def _run(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - a tuple, and no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise DisksUnread(f"Cannot run {command[0]}: {exc}") from None
    if done.returncode:
        raise DisksUnread(f"{' '.join(command)} gave {done.returncode}: {done.stderr.strip()}")
    return done.stdout
