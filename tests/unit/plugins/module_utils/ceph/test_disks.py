# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
import re

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph import disks
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.disks import Disk, DisksUnread, Wanted, find_disks, stable

OURS, OTHER = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"
GIB = 1 << 30
LINKS = {"/dev/sda": ["/dev/disk/by-id/ata-X_S1", "/dev/disk/by-id/wwn-0x1"], "/dev/sdb": ["/dev/disk/by-id/scsi-S2"]}


def disk(path="/dev/sda", serial="S1", wwn=None, size=GIB, holds=(), fsid=None):
    return Disk(path, path.removeprefix("/dev/"), serial, wwn, size, tuple(holds), fsid)


def test_the_best_stable_name():
    found = find_disks([Wanted("S1"), Wanted("S2")], [disk(), disk("/dev/sdb", "S2")], OURS, LINKS)
    assert found.paths == {"S1": "/dev/disk/by-id/wwn-0x1", "S2": "/dev/disk/by-id/scsi-S2"}
    assert found.kernel_names == {"S1": "sda", "S2": "sdb"}
    assert (found.problems, found.wipe) == ((), ())


@pytest.mark.parametrize(
    ("links", "best"),
    [
        (["ata-A", "wwn-0x5"], "wwn-0x5"),
        (["nvme-Model_S", "nvme-eui.01"], "nvme-eui.01"),
        (["virtio-abc", "ata-A"], "ata-A"),
        (["scsi-1", "scsi-0"], "scsi-0"),
    ],
)
def test_order_of_names(links, best):
    assert stable([f"/dev/disk/by-id/{one}" for one in links]) == f"/dev/disk/by-id/{best}"


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        (Wanted("s1 "), disk()),
        (Wanted("B-17", wwn="5000c500A0"), disk(serial="other", wwn="0x5000c500a0")),
        (Wanted("B-17", wwn="0025385"), disk(serial=None, wwn="eui.0025385")),
        (Wanted("S1", bytes=int(GIB * 1.01)), disk()),
        (Wanted("S1"), disk(fsid=OURS)),
        (Wanted("S1", wipe=True), disk(holds=["a signature of ext4"])),
    ],
    ids=["letters and blanks", "WWN", "WWN of an NVMe", "size within tolerance", "an OSD of ours", "may be wiped"],
)
def test_found(wanted, there):
    assert find_disks([wanted], [there], OURS, LINKS).problems == ()


@pytest.mark.parametrize(
    ("wanted", "there", "words"),
    [
        (Wanted("S9"), [disk(), disk("/dev/sdb", "S2")], "the disk S9 is not there; there are S1, S2"),
        (Wanted("S1"), [], "there are none"),
        (Wanted("S1"), [disk(), disk("/dev/sdb", "S1")], "is there as /dev/sda, /dev/sdb"),
        (Wanted("S1", bytes=2 * GIB), [disk()], f"has {GIB} bytes, planned are {2 * GIB}"),
        (Wanted("S1"), [disk("/dev/sdz")], "has no name in /dev/disk/by-id"),
        (Wanted("S1"), [disk(holds=["a signature of ext4"])], "is not empty: a signature of ext4"),
        (Wanted("S1"), [disk(fsid=OTHER)], f"an OSD of another cluster, {OTHER}"),
        (Wanted("S1", wipe=True), [disk(holds=["partition sda1 mounted on /boot"])], "mounted on /boot"),
        (Wanted("S1", wipe=True), [disk(holds=["LVM vg-lv"])], "LVM vg-lv"),
    ],
)
def test_refused(wanted, there, words):
    (problem,) = find_disks([wanted], there, OURS, LINKS).problems
    assert words in problem


@pytest.mark.parametrize(("fsid", "in_use"), [(OURS, True), (None, False)], ids=["an OSD of ours", "an empty disk"])
def test_whether_osds_of_the_cluster_are_on_disks(fsid, in_use):
    there = [disk(fsid=fsid), disk("/dev/sdb", "S2")]
    assert find_disks([Wanted("S1"), Wanted("S2")], there, OURS, LINKS).in_use is in_use


def test_all_mistakes_at_once_and_only_what_may_be_is_wiped():
    there = [disk(holds=["a signature of gpt"]), disk("/dev/sdb", "S2", holds=["a signature of xfs"])]
    found = find_disks([Wanted("S1"), Wanted("S2", wipe=True), Wanted("S3")], there, OURS, LINKS)
    assert [re.search(r"disk (\S+)", one)[1] for one in found.problems] == ["S1", "S3"]
    assert found.wipe == ("/dev/sdb",)


def label(fsid: str) -> bytes:
    """The beginning of a disk with BlueStore: a line, the OSD's id, and a map in which the cluster's id stands."""
    return b"bluestore block device\nabc\n\x02\x01" + b"\x09\0\0\0ceph_fsid\x24\0\0\0" + fsid.encode() + b"\0" * 100


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A host with one disk: what its programs say, and what is on the disk."""
    device = tmp_path / "sda"
    device.write_bytes(bytes(8192))
    said = {
        "lsblk": {
            "blockdevices": [
                {"name": "sda", "kname": "sda", "path": str(device), "serial": "S1", "wwn": None, "size": 8192, "type": "disk"}
            ]
        },
        "wipefs": "",
        "lvs": "",
    }
    monkeypatch.setattr(
        disks, "_run", lambda *command: said[command[0]] if isinstance(said[command[0]], str) else json.dumps(said[command[0]])
    )
    return said, device


def test_an_empty_disk(host):
    assert disks.read_disks() == [Disk(str(host[1]), "sda", "S1", None, 8192)]


def test_an_osd(host):
    host[1].write_bytes(label(OTHER))
    assert disks.read_disks()[0].fsid == OTHER


def test_an_osd_on_lvm(host):
    host[0]["lsblk"]["blockdevices"][0]["children"] = [{"name": "ceph-osd", "type": "lvm", "mountpoints": [None]}]
    host[0]["lvs"] = f"  ceph.block_device=/dev/x,ceph.cluster_fsid={OURS},ceph.type=block"
    assert disks.read_disks()[0].fsid == OURS


def test_what_else_is_on_it(host):
    one = host[0]["lsblk"]["blockdevices"][0]
    one["mountpoints"] = ["/srv"]
    one["children"] = [
        {"name": "sda1", "type": "part", "mountpoints": ["/boot"]},
        {"name": "vg-root", "type": "lvm", "mountpoints": [None]},
    ]
    host[0]["wipefs"] = {"signatures": [{"type": "gpt"}, {"type": "gpt"}, {"type": "PMBR"}]}
    assert disks.read_disks()[0].holds == (
        "mounted on /srv",
        "a signature of PMBR",
        "a signature of gpt",
        "partition sda1 mounted on /boot",
        "LVM vg-root",
    )


def test_a_program_that_fails_is_said(tmp_path):
    with pytest.raises(DisksUnread, match="Cannot run /nowhere"):
        disks._run("/nowhere")
    with pytest.raises(DisksUnread, match="false gave 1"):
        disks._run("false")
