# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Network configuration that others left on a host, and whether it would fight with ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from .errors import HostRefused
from .interfaces import PREFIX

NETWORKD = "/etc/systemd/network"
IFUPDOWN = "/etc/network/interfaces"
LOOPBACK_ONLY = "# Written by frontier.vitro.host_base: systemd-networkd has the interfaces.\nauto lo\niface lo inet loopback\n"
CLOUD_INIT = "/etc/cloud/cloud.cfg.d/99-vitro-network.cfg"
CLOUD_INIT_TEXT = "# Written by frontier.vitro.host_base\nnetwork: {config: disabled}\n"


def fights(text: str, names: Iterable[str], macs: Iterable[str]) -> bool:
    """Whether a file of systemd-networkd speaks of one of these interfaces. One without exact words on which it is for does."""
    match = re.search(r"^\[Match\]$(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    made = re.search(r"^\[NetDev\]$.*?^Name\s*=\s*(\S+)", text, re.MULTILINE | re.DOTALL)
    if made:
        return made[1] in set(names)
    lines = dict(re.findall(r"^(\w+)\s*=\s*(.*?)\s*$", match[1], re.MULTILINE)) if match else {}
    wanted = [lines[key].lower().split() for key in ("MACAddress", "PermanentMACAddress") if key in lines]
    if wanted:
        return bool({one for some in wanted for one in some} & {one.lower() for one in macs})
    patterns = lines.get("Name", "*").split()
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def ifupdown_used(text: str) -> bool:
    """Whether ifupdown has more than the loopback to do."""
    stanzas = re.findall(r"^\s*(?:iface|auto|allow-hotplug)\s+(\S+)", text, re.MULTILINE)
    return any(name != "lo" for name in stanzas)


def plan_files(new: Mapping[str, str], found: Mapping[str, str], names: Sequence[str], macs: Sequence[str]) -> dict[str, Any]:
    """What to write, to remove and to move away, so that only the new files speak of the planned interfaces.

    `new` are our files by name; `found` the text of every file there is, by its whole path.
    """
    files = {f"{NETWORKD}/{name}": text for name, text in new.items()}
    disable, remove = [], []
    for path, text in found.items():
        folder, _, name = path.rpartition("/")
        if folder == NETWORKD and name.startswith(PREFIX):
            remove += [path] if path not in files else []
        elif _others(folder, text, names, macs):
            disable.append(path)
    ifupdown = ifupdown_used(found.get(IFUPDOWN, "")) or any(path.startswith(f"{IFUPDOWN}.d/") for path in disable)
    if ifupdown_used(found.get(IFUPDOWN, "")):
        disable.append(IFUPDOWN)
        files[IFUPDOWN] = LOOPBACK_ONLY
    if "/etc/cloud/cloud.cfg" in found:
        files[CLOUD_INIT] = CLOUD_INIT_TEXT
    files = {path: text for path, text in files.items() if path in disable or found.get(path) != text}
    return {"files": files, "remove": sorted(remove), "disable": sorted(disable), "ifupdown": ifupdown}


def _others(folder: str, text: str, names: Sequence[str], macs: Sequence[str]) -> bool:
    if folder == NETWORKD:
        return fights(text, names, macs)
    return folder == "/etc/netplan" or (folder == f"{IFUPDOWN}.d" and ifupdown_used(text))


def check_managers(host: str, active: Iterable[str], known: Iterable[str]) -> None:
    """Who else has the interfaces, and whether the one that we need is there."""
    found = []
    if "NetworkManager.service" in active:
        found.append("NetworkManager is running. Stop and disable it (systemctl disable --now NetworkManager), with a console at hand")
    if "systemd-networkd.service" not in known:
        found.append("systemd-networkd is not installed. Install it from the site's mirror")
    if found:
        raise HostRefused(f"Cannot prepare the network of {host}: {'; '.join(found)}", cure="Nothing was written")
