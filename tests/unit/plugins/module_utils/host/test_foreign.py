# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Configuration of others: what is moved away and what is left."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.host.errors import HostRefused
from ansible_collections.frontier.vitro.plugins.module_utils.host.foreign import (
    CLOUD_INIT,
    IFUPDOWN,
    LOOPBACK_ONLY,
    check_managers,
    fights,
    ifupdown_used,
    plan_files,
)

NAMES, MACS = ["eno1", "main0", "main"], ["02:00:00:00:00:0a"]
NETWORKD = "/etc/systemd/network"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Match]\nName=eno1\n[Network]\nDHCP=yes\n", True),
        ("[Match]\nName=en* eth*\n", True),
        ("[Match]\nName=wlan0 wlan1\n", False),
        ("[Match]\nMACAddress=02:00:00:00:00:0A\n", True),
        ("[Match]\nPermanentMACAddress=02:00:00:00:00:99\n", False),
        ("[Match]\nType=ether\n", True),
        ("[Network]\nDHCP=yes\n", True),
        ("[NetDev]\nName=main\nKind=bond\n", True),
        ("[NetDev]\nName=br-other\nKind=bridge\n", False),
        ("[Match]\nName=wlan0\n[Network]\nDHCP=yes\nName=eno1\n", False),
    ],
)
def test_fights(text, expected):
    assert fights(text, NAMES, MACS) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        (LOOPBACK_ONLY, False),
        ("auto lo\niface lo inet loopback\n# auto eno1\n", False),
        ("allow-hotplug eno1\niface eno1 inet dhcp\n", True),
        ("  iface eno1 inet dhcp\n", True),
    ],
)
def test_ifupdown_used(text, expected):
    assert ifupdown_used(text) is expected


def plan(found, new=None):
    return plan_files(new or {"70-vitro-main0.link": "new"}, found, NAMES, MACS)


def test_plain_host():
    assert plan({}) == {"files": {f"{NETWORKD}/70-vitro-main0.link": "new"}, "remove": [], "disable": [], "ifupdown": False}


def test_second_run_has_nothing_to_do():
    found = {f"{NETWORKD}/70-vitro-main0.link": "new", IFUPDOWN: LOOPBACK_ONLY, f"{NETWORKD}/20-wlan.network": "[Match]\nName=wlan0\n"}
    assert plan(found) == {"files": {}, "remove": [], "disable": [], "ifupdown": False}


def test_what_the_plan_no_longer_has_is_removed():
    found = {f"{NETWORKD}/70-vitro-main0.link": "old", f"{NETWORKD}/70-vitro-gone.network": "old"}
    made = plan(found)
    assert (made["files"], made["remove"]) == ({f"{NETWORKD}/70-vitro-main0.link": "new"}, [f"{NETWORKD}/70-vitro-gone.network"])


def test_others_are_moved_away():
    found = {
        f"{NETWORKD}/10-all.network": "[Match]\nName=en*\n",
        f"{NETWORKD}/20-wlan.network": "[Match]\nName=wlan0\n",
        "/etc/netplan/50-cloud-init.yaml": "network: {}",
        IFUPDOWN: "source interfaces.d/*\nauto eno1\niface eno1 inet dhcp\n",
        f"{IFUPDOWN}.d/eno2": "iface eno2 inet dhcp\n",
        "/etc/cloud/cloud.cfg": "",
    }
    made = plan(found)
    assert made["disable"] == ["/etc/netplan/50-cloud-init.yaml", IFUPDOWN, f"{IFUPDOWN}.d/eno2", f"{NETWORKD}/10-all.network"]
    assert made["ifupdown"] is True
    assert made["files"][IFUPDOWN] == LOOPBACK_ONLY
    assert CLOUD_INIT in made["files"]


def test_managers():
    check_managers("edge-01", {"systemd-networkd.service"}, {"systemd-networkd.service"})
    with pytest.raises(HostRefused, match=r"NetworkManager is running\. .*; systemd-networkd is not installed\."):
        check_managers("edge-01", {"NetworkManager.service"}, {"NetworkManager.service"})
