# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of systemd-networkd from a planned server."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.host.networkd import HEAD, render
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.host.servers import address, interface, server


def body(name, **changes):
    return render({**server(), **changes}, ["192.0.2.53"], "edge.example")[f"70-vitro-{name}"].removeprefix(HEAD + "\n")


def test_files():
    assert sorted(render(server())) == [
        "70-vitro-main.130.netdev", "70-vitro-main.130.network", "70-vitro-main.netdev", "70-vitro-main.network", "70-vitro-main0.link",
        "70-vitro-main0.network", "70-vitro-main1.link", "70-vitro-main1.network", "70-vitro-provider0.link", "70-vitro-provider0.network",
    ]  # fmt: skip


def test_port_is_named_by_the_mac_it_was_made_with():
    assert body("main0.link") == "[Match]\nPermanentMACAddress=02:00:00:00:00:0a\n\n[Link]\nName=main0\n"


@pytest.mark.parametrize(
    ("mode", "more"), [("802.3ad", "LACPTransmitRate=fast\nTransmitHashPolicy=layer3+4\n"), ("active-backup", "")], ids=["lacp", "backup"]
)
def test_bond(mode, more):
    delays = "MIIMonitorSec=100ms\nUpDelaySec=200ms\nDownDelaySec=200ms\n"
    made = "[NetDev]\nName=main\nKind=bond\nMTUBytes=9000\nMACAddress=02:00:00:00:00:0a\n"
    assert body("main.netdev", interfaces=server(mode=mode)["interfaces"]) == f"{made}\n[Bond]\nMode={mode}\n{delays}{more}"


def test_vlan():
    assert body("main.130.netdev") == "[NetDev]\nName=main.130\nKind=vlan\nMTUBytes=9000\n\n[VLAN]\nId=130\n"


def test_bond_carries_the_management_network_at_its_own_size():
    assert body("main.network") == (
        "[Match]\nName=main\n\n[Link]\nMTUBytes=9000\nRequiredForOnline=routable\n\n"
        "[Network]\nDHCP=no\nLinkLocalAddressing=no\nIPv6AcceptRA=no\nVLAN=main.130\n"
        "ConfigureWithoutCarrier=yes\nKeepConfiguration=static\nDNS=192.0.2.53\nDomains=edge.example\n\n"
        "[Address]\nAddress=192.0.2.1/24\nAddPrefixRoute=no\n\n"
        "[Route]\nDestination=192.0.2.0/24\nPreferredSource=192.0.2.1\nScope=link\nMTUBytes=1500\n\n"
        "[Route]\nGateway=192.0.2.254\nMTUBytes=1500\n"
    )


def test_port_of_a_bond_has_nothing_else():
    network = "[Network]\nDHCP=no\nLinkLocalAddressing=no\nIPv6AcceptRA=no\nBond=main\n"
    assert body("main1.network") == f"[Match]\nName=main1\n\n[Link]\nMTUBytes=9000\nRequiredForOnline=no\n\n{network}"


def test_external_port_goes_up_without_an_address():
    network = "[Network]\nDHCP=no\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n"
    assert body("provider0.network") == f"[Match]\nName=provider0\n\n[Link]\nMTUBytes=1500\nRequiredForOnline=no\n\n{network}"


def test_ipv6_route_of_another_size():
    one = interface("main0", addresses=[address("management", "2001:db8::1/64", gateway="2001:db8::fe", mtu=1500)])
    assert body("main0.network", interfaces=[one]).endswith(
        "[Address]\nAddress=2001:db8::1/64\nAddPrefixRoute=no\n\n[Route]\nDestination=2001:db8::/64\nMTUBytes=1500\n\n"
        "[Route]\nGateway=2001:db8::fe\nMTUBytes=1500\n"
    )


@given(st.sampled_from(["802.3ad", "active-backup"]), st.integers(1, 200))
def test_every_interface_has_one_network_file_and_one_that_makes_it(mode, number):
    planned = server(number, mode)
    files = render(planned)
    assert len(files) == 2 * len(planned["interfaces"])
    assert files == render(planned)
    for one in planned["interfaces"]:
        assert f"\nName={one['name']}\n" in files[f"70-vitro-{one['name']}.network"]
        for given_address in one["addresses"]:
            assert f"\nAddress={given_address['cidr']}\n" in files[f"70-vitro-{one['name']}.network"]
