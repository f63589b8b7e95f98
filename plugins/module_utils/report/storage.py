# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks and OSDs of each server, pools, and what may be stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from ..plan.servers import Osd, OsDisk, PlannedServer
from ..plan.types import CephPlan, Pool
from .elements import Child, Markup, tag
from .site import Shown, Site
from .tables import Column, body, folded, lines, section, simple, table
from .wording import commas, disk_size, gib, kept_safe

WIPED = {(True, False): "wipe", (False, True): "wipe the DB's disk", (True, True): "wipe both"}
BAR = 520
LABEL = 150
STEP = 30
POOLS: tuple[Column, ...] = (("Pool", None), ("Application", None), ("Protection", None), ("Share", "n"))
DISKS: tuple[Column, ...] = (
    ("Server", None), ("OS disk", None), ("OSDs", None), ("DB and WAL", None), ("Memory per OSD", "n"), ("To be wiped", "n")
)  # fmt: skip
OSDS: tuple[Column, ...] = (
    ("Server", None), ("Disk", None), ("WWN", None), ("Slot", None), ("Class", None), ("Size", None), ("DB on", None), ("Wipe", None)
)  # fmt: skip


def storage(site: Site) -> Markup:
    ceph = site.plan.ceph
    alike = "Servers with the same disks have one row." if site.large else None
    rows = ((site.who(one), *_row(one.first)) for one in site.drawn(_shape))
    return section(
        "storage",
        "Disks and OSDs",
        _capacity(ceph),
        simple("Pools", POOLS, ((one.name, one.application, _protection(one), f"{one.share}\u00a0%") for one in ceph.pools)),
        alike and tag("p", alike),
        simple("Disks, by server", DISKS, rows),
        folded("Every disk by its serial number", _every_osd(site), opened=not site.large),
    )


def _capacity(ceph: CephPlan) -> Markup:
    """Three bars of one scale."""
    rows = (
        ("raw", ceph.raw_bytes, "system", "all OSDs together"),
        ("usable", ceph.usable_bytes, "network", f"after copies and coding, filled to {ceph.full_percent}\u00a0%"),
        ("safe", ceph.safe_bytes, "storage", kept_safe(ceph.safe_bytes, ceph.failure_domain)),
    )
    scale = max(ceph.raw_bytes, ceph.usable_bytes, ceph.safe_bytes, 1)
    drawn = []
    for n, (name, size, colour, _) in enumerate(rows):
        top, width = n * STEP + 4, max(size * BAR // scale, 1)
        drawn += [
            tag("text", f"{name} {disk_size(size)}", x=0, y=top + 15, class_="bold"),
            tag("rect", x=LABEL, y=top, width=width, height=22, class_=colour),
            tag("rect", x=LABEL + 0.5, y=top + 0.5, width=BAR - 1, height=21, class_="total"),
        ]
    height = STEP * len(rows)
    label = commas(f"{name} {disk_size(size)}" for name, size, *_ in rows)
    picture = tag(
        "svg", tag("title", "Capacity"), tag("desc", label), drawn,
        role="img", aria_label=f"Capacity: {label}", width=LABEL + BAR, height=height, viewBox=f"0 0 {LABEL + BAR} {height}",
    )  # fmt: skip
    said = lines((tag("b", f"{name}: "), why) for name, _, _, why in rows)
    return tag("figure", tag("figcaption", "Capacity of the Ceph cluster"), tag("div", picture, class_="scroll map"), said)


def _protection(pool: Pool) -> str:
    if pool.data_chunks is not None:
        return f"erasure code, {pool.data_chunks} data and {pool.coding_chunks} coding chunks"
    minimum = f", at least {pool.minimum} to write" if pool.minimum is not None else ""
    return f"{pool.copies} copies{minimum}"


def _row(server: PlannedServer) -> tuple[Child, ...]:
    wipes = _wipes(server)
    target = f"{gib(server.memory.osd_target)}\u00a0GiB" if server.osds else "none"
    wiped: Child = tag("strong", wipes, class_="no") if wipes else 0
    return (_os_disk(server.os_disk), lines(_counted(server.osds)) if server.osds else "none", _databases(server.osds), target, wiped)


def _wipes(server: PlannedServer) -> int:
    """Disks that are wiped, those of databases among them."""
    return sum(one.wipe for one in server.osds) + len({one.database for one in server.osds if one.database_wipe})


def _os_disk(disk: OsDisk | None) -> str:
    if disk is None:
        return "none"
    volume = f" {disk.volume}" if disk.volume else ""
    return f"{disk.kind}{volume}, {disk_size(disk.bytes)}"


def _kinds(osds: tuple[Osd, ...]) -> Counter[tuple[str, int, bool]]:
    return Counter((one.device_class, one.bytes, one.database is not None) for one in osds)


def _counted(osds: tuple[Osd, ...]) -> Iterator[str]:
    for (kind, size, _), number in _kinds(osds).items():
        yield f"{number}\u00a0× {disk_size(size)} {kind}"


def _databases(osds: tuple[Osd, ...]) -> Child:
    held = Counter(one.database_bytes for one in osds if one.database is not None)
    devices = {one.database for one in osds if one.database is not None}
    if not held:
        return "with the data" if osds else "none"
    parts = commas(f"{number}\u00a0× {disk_size(size)}" for size, number in held.items())
    return f"{parts} on {len(devices)} faster {'disk' if len(devices) == 1 else 'disks'}"


def _shape(server: PlannedServer) -> Hashable:
    disk = server.os_disk
    devices = len({one.database for one in server.osds})
    databases = tuple(one.database_bytes for one in server.osds)
    os_disk = disk and (disk.kind, disk.bytes, disk.volume)
    return (os_disk, tuple(_kinds(server.osds).items()), devices, databases, _wipes(server), server.memory.osd_target)


def _every_osd(site: Site) -> Markup:
    bodies = (body(_osds(one), group=True) for one in site.servers if one.server.os_disk or one.server.osds)
    return table("Disks by serial number, by server", OSDS, bodies, dense=True)


def _disks(one: Shown) -> list[tuple[Child, ...]]:
    disk = one.server.os_disk
    system: list[tuple[Child, ...]] = [(tag("code", commas(disk.serials)), "", "", "OS", disk_size(disk.bytes), "", "")] if disk else []
    return system + [
        (
            tag("code", osd.serial),
            osd.wwn or "unknown",
            osd.slot or "unknown",
            osd.device_class,
            disk_size(osd.bytes),
            f"{osd.database}, {disk_size(osd.database_bytes)}" if osd.database is not None else "itself",
            tag("strong", WIPED[osd.wipe, osd.database_wipe], class_="no") if osd.wipe or osd.database_wipe else "no",
        )
        for osd in one.server.osds
    ]


def _osds(one: Shown) -> Iterator[Markup]:
    rows = _disks(one)
    for position, cells in enumerate(rows):
        first = tag("th", one.link(), scope="rowgroup", rowspan=len(rows)) if position == 0 else None
        yield tag("tr", first, (tag("td", cell) for cell in cells))
