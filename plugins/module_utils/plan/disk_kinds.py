# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with the disks of a server."""

from __future__ import annotations

from .objections import Kind

NO_OS_DISK = Kind(
    code="no_os_disk",
    title="No disk for the operating system",
    rank=10,
    why="The server cannot be installed.",
    cure="Add a mirrored pair of small disks, name the disks under disks.os, or lower disks.os_minimum_gb",
)
OS_DISK_TOO_SMALL = Kind(
    code="os_disk_too_small",
    title="The disk for the operating system is too small",
    rank=20,
    why="Container images, logs and the databases of the control services fill it, and a full disk stops them all.",
    cure="Name larger disks under disks.os, or lower disks.os_minimum_gb",
)
OS_DISK_WOULD_MOVE = Kind(
    code="os_disk_would_move",
    title="The operating system would move to other disks",
    rank=15,
    why="The server would have to be installed again, and the disks it runs from now would become OSDs.",
    cure="Name the disks of the last plan under disks.os, or add `osds` to allow_moves if the server is installed again",
)
OS_DISK_SINGLE = Kind(
    code="os_disk_single",
    title="The operating system has no mirror",
    severity="warning",
    rank=60,
    why="The death of one disk takes the whole server with it until it is installed again.",
    cure="Add a second disk of the same size, name two disks under disks.os, or make a RAID1 of the volume",
)
OS_DISK_SLOW = Kind(
    code="os_disk_slow",
    title="The operating system is on rotating disks",
    severity="warning",
    rank=60,
    why="etcd, Galera and the Ceph monitors write there and wait for each write; on rotating disks they miss their heartbeats.",
    cure="Add two small SSDs for the operating system, or name SSDs under disks.os",
)
NO_DATA_DISK = Kind(
    code="no_data_disk",
    title="A server has no disk for Ceph",
    severity="warning",
    rank=70,
    why="It cannot be a storage server, and adds nothing to the capacity.",
    cure="Nothing, if that is meant; else see the reasons of the server for what was left out and why",
)
DISK_UNHEALTHY = Kind(
    code="disk_unhealthy",
    title="The BMC reports a disk as failing",
    severity="warning",
    rank=50,
    why="A failing disk as an OSD slows all pools down before it dies.",
    cure="Replace the disk, and discover again",
)
DISK_HAS_VOLUME = Kind(
    code="disk_has_volume",
    title="A disk carries a volume",
    severity="warning",
    rank=50,
    why="There may be data on it, which an OSD would destroy; so it is left out.",
    cure="Name the disk (serial, model or slot) or the volume under disks.wipe if the data may go, or under disks.never if it stays",
)
VOLUMES_UNKNOWN = Kind(
    code="volumes_unknown",
    title="It is not known which disks carry volumes",
    severity="warning",
    rank=60,
    why="The BMC does not tell. The role `ceph` looks at the host itself and refuses disks that are not empty.",
    cure="Name disks with data under disks.never; name those that may be wiped under disks.wipe",
)
MEDIA_UNKNOWN = Kind(
    code="media_unknown",
    title="It is not known whether a disk rotates",
    severity="warning",
    rank=70,
    why="It is planned as a rotating disk: with less memory, and with no faster disk's work.",
    cure="Update the firmware of the BMC or of the controller and discover again, or leave the disk out by disks.never",
)
MIXED_SIZES = Kind(
    code="mixed_osd_sizes",
    title="OSDs of one class on one server differ much in size",
    severity="warning",
    rank=70,
    why="Ceph fills them by size: the largest get most of the requests and set the pace of all.",
    cure="Use disks of one size, or narrow them down by disks.osd or disks.osd_minimum_gb",
)
OSD_WOULD_MOVE = Kind(
    code="osd_would_move",
    title="A disk that is an OSD would no longer be one",
    rank=15,
    why="Its data is copied to other disks first, and that is not done by a side effect of another wish.",
    cure="Take the wish back, or add `osds` to allow_moves",
)
OSD_DISK_GONE = Kind(
    code="osd_disk_gone",
    title="The disk of an OSD is no longer there",
    severity="warning",
    rank=50,
    why="Its copies are made again on other disks, and the site has less room until it is replaced.",
    cure="Look whether the disk died or was pulled; a new one in its place becomes a new OSD",
)
DATABASE_DISK_GONE = Kind(
    code="database_disk_gone",
    title="The disk that holds the databases of OSDs is no longer there",
    severity="warning",
    rank=45,
    why="OSDs without their database are lost, though their own disks live; they are made anew.",
    cure="Replace the disk and discover again before the plan is applied, so that the new one takes its place",
)
PATTERN_UNMATCHED = Kind(
    code="disk_pattern_unmatched",
    title="A pattern for disks matches none",
    rank=40,
    why="What it was to choose or to protect is not chosen or protected.",
    cure="Correct it: a pattern is compared with serial, model and slot of each disk, those under disks.wipe with volumes too",
)
