# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of the vendors, as data: every difference between them that the reader minds stands here."""

from __future__ import annotations

from dataclasses import dataclass

from .payload import Resource, dig, text


@dataclass(frozen=True, kw_only=True, slots=True)
class Vendor:
    name: str
    # Where the serial stands that the vendor's support asks for; the board's own is in SerialNumber.
    serial_key: str = "SerialNumber"
    # Whether `$expand` works on any resource or only on the members of a collection.
    expands_resources: bool = True
    # Systems whose Id starts so are boards or cards inside a server, not servers.
    not_servers: tuple[str, ...] = ()
    # Where drives stand that Storage does not list: keys from the System to a collection of controllers,
    # and in each controller to its collection of drives.
    oem_controllers: tuple[tuple[str, ...], ...] = ()
    oem_drives: tuple[tuple[str, ...], ...] = ()
    # Where adapters with MACs stand that EthernetInterfaces and Ports do not list.
    oem_adapters: tuple[str, ...] = ()
    # Whether GPUs stand among the processors, so that none there means none at all.
    lists_accelerators: bool = False
    # Sizes in older firmware that are MiB under a key that says bytes.
    drive_unit_bytes: int = 1


GENERIC = Vendor(name="")

VENDORS = (
    # SerialNumber is the board's, SKU is the service tag (iDRAC 8 and 9).
    Vendor(name="Dell", serial_key="SKU", lists_accelerators=True),
    # iLO expands members of collections only (HewlettPackard/python-ilorest-library#161); iLO 4 and early iLO 5
    # list disks and adapters only under Oem.
    Vendor(
        name="HPE",
        expands_resources=False,
        oem_controllers=(
            ("Oem", "Hpe", "Links", "SmartStorage", "Links", "ArrayControllers"),
            ("Oem", "Hp", "Links", "SmartStorage", "Links", "ArrayControllers"),
        ),
        oem_drives=(("Links", "PhysicalDrives"), ("links", "PhysicalDrives")),
        oem_adapters=("Oem", "Hpe", "Links", "NetworkAdapters"),
    ),
    Vendor(name="Lenovo", lists_accelerators=True),
    Vendor(name="Supermicro"),
    # The baseboard of GPUs is a second System with the same processors and memory; a BlueField is a card.
    Vendor(name="NVIDIA", not_servers=("HGX_", "Bluefield", "BlueField"), lists_accelerators=True),
    # C240 M5 gives bytes; S3260 gives MiB under CapacityBytes.
    Vendor(name="Cisco", drive_unit_bytes=1024**2),
)

ALIASES = {
    "dell": "Dell",
    "dell inc": "Dell",
    "hpe": "HPE",
    "hp": "HPE",
    "hewlett packard enterprise": "HPE",
    "lenovo": "Lenovo",
    "supermicro": "Supermicro",
    "super micro computer": "Supermicro",
    "nvidia": "NVIDIA",
    "cisco": "Cisco",
    "cisco systems": "Cisco",
    "cisco systems inc": "Cisco",
}
_BY_NAME = {vendor.name: vendor for vendor in VENDORS}


def canonical_name(name: str | None) -> str | None:
    """The vendor's name as we write it; unknown names stay as they are."""
    if name is None:
        return None
    return ALIASES.get(name.lower().rstrip(".").replace(",", ""), name)


def vendor_name(root: Resource, systems: list[Resource]) -> str | None:
    """The vendor of a BMC: its root's Vendor, else the first Oem key, else who made the first System."""
    oem = dig(root, "Oem")
    candidates = [root.get("Vendor"), *(oem if isinstance(oem, dict) else ()), *(system.get("Manufacturer") for system in systems[:1])]
    return next((canonical_name(found) for found in map(text, candidates) if found), None)


def vendor(name: str | None) -> Vendor:
    return _BY_NAME.get(name or "", GENERIC)
