# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What speaks against the ports that a link got. Texts leave the server out, so that the same fault of many becomes one sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..bmc.hardware import Nic
from .intent import Link
from .machines import Machine
from .nics import FAST
from .objections import Found, Kind

NO_LINK = Kind(
    code="no_link",
    title="No network port of a server has link",
    rank=30,
    why="The server cannot be reached, and Vitro does not guess which of its dead ports will be plugged in.",
    cure="Plug in its cables or enable the switch ports, and discover again; or leave the server out by exclude",
)
TOO_FEW_PORTS = Kind(
    code="too_few_ports",
    title="A link has too few ports",
    rank=36,
    why="The link would have less redundancy or speed than was asked for, or none at all.",
    cure="Plug in more ports and discover again, or lower ports, speed_mbps or adapter of the link under links",
)
EXTERNAL_NOWHERE = Kind(
    code="external_nowhere",
    title="The external network has no port",
    rank=36,
    why="Guests on this server have no way out, and floating addresses do not work.",
    cure="Give networks.external a VLAN so that it can share a link, or plug in two more ports and discover again",
)
VLAN_TAKEN = Kind(
    code="vlan_taken",
    title="The external network meets its own VLAN",
    rank=36,
    why="Both would be the same interface: OVN would take the servers' traffic into its bridge.",
    cure="Give networks.external another VLAN, or plug in two more ports and discover again",
)
SPEEDS_MIXED = Kind(
    code="speeds_mixed",
    title="A bond has ports of different speed",
    rank=40,
    why="LACP puts ports of different speed into different groups, of which only one carries traffic.",
    cure="Name speed_mbps or adapter of the link under links, or set its bond to active-backup",
)
SPEEDS_MIXED_NOW = Kind(
    code="speeds_mixed_now",
    title="Ports of a link that is planned already have different speed now",
    severity="warning",
    rank=50,
    why="LACP lets only the ports of one speed carry traffic, and a slower port that takes over carries less than was planned.",
    cure="Check cable, transceiver and switch port of the one that changed, and discover again; the plan keeps the ports",
)
LINK_SPEED_BOUND = Kind(
    code="link_speed_bound",
    title="A link is planned already, with slower ports than it asks for",
    rank=36,
    why="Faster ports would take their place under a running server. Wiring does not move, so the link stays slower than the intent says.",
    cure="Lower speed_mbps of the link to what its ports have; or make them as fast as it asks for, and discover again",
)
SPEED_UNKNOWN = Kind(
    code="speed_unknown",
    title="The speed of a port is unknown",
    severity="warning",
    rank=70,
    why="The BMC does not tell it, so a slow port may carry fast traffic.",
    cure="Check it at the switch; the link's adapter and speed_mbps under links choose other ports",
)
ONE_ADAPTER = Kind(
    code="one_adapter",
    title="All ports of a link are on one adapter",
    severity="warning",
    rank=60,
    why="When the adapter fails, the server loses all networks of the link at once.",
    cure="Use ports of a second adapter if there is one, or accept that the server is lost with its adapter",
)
ONE_PORT = Kind(
    code="one_port",
    title="A link has one port",
    severity="warning",
    rank=60,
    why="A cable, a transceiver or a switch that fails takes the server off these networks.",
    cure="Plug in a second port of the same speed and discover again",
)
PORT_WITHOUT_LINK = Kind(
    code="port_without_link",
    title="A planned port has no link now",
    severity="warning",
    rank=60,
    why="The bond runs without it, so the next failure takes the server off the network.",
    cure="Check cable, transceiver and switch port; the plan keeps the port",
)
STORAGE_SLOW = Kind(
    code="storage_slow",
    title="Storage goes over a slow link",
    severity="warning",
    rank=60,
    why="Below 10 Gbit/s one NVMe disk fills the link, and the recovery of one OSD takes days.",
    cure="Give storage a link with faster ports under links",
)


def check_ports(
    machine: Machine, link: str, wish: Link, ports: Sequence[Nic], bound: Collection[str] = (), *, storage: bool
) -> Iterator[Found]:
    """Everything that speaks against the ports of one link of one server. `bound` are the MACs that it had in the last plan."""
    label, key = machine.label, f"links.{link}"
    speeds = sorted({one.speed_mbps for one in ports if one.speed_mbps})
    yield from _speeds(label, link, wish, speeds, sorted({one.speed_mbps for one in ports if one.speed_mbps and one.mac in bound}))
    if any(not one.speed_mbps for one in ports):
        yield SPEED_UNKNOWN.of(label, f"the link {link} has a port whose speed is unknown")
    if len(ports) > 1 and len({one.adapter for one in ports}) == 1:
        where = f"all on the adapter {ports[0].adapter}" if ports[0].adapter else "and their adapters are unknown"
        yield ONE_ADAPTER.of(label, f"the link {link} has {len(ports)} ports, {where}")
    if len(ports) == 1 < wish.ports:
        yield ONE_PORT.of(label, f"the link {link} has 1 port instead of {wish.ports}")
    if any(one.link == "down" for one in ports):
        yield PORT_WITHOUT_LINK.of(label, f"the link {link} has a port without link")
    if speeds and speeds[0] < FAST and storage:
        text = f"storage goes over the link {link}, whose ports have {speeds[0]} Mbit/s; wanted are {FAST} or more"
        yield STORAGE_SLOW.of(label, text, path=key)


def _speeds(label: str, link: str, wish: Link, speeds: Sequence[int], bound: Sequence[int]) -> Iterator[Found]:
    """Speeds that do not go together, or not with what is asked for. A port that was planned and changed later does not stop the site."""
    said, asked = " and ".join(map(str, speeds)), wish.speed_mbps or 0
    if bound and bound[-1] < asked:
        text = f"the link {link} asks for {asked} Mbit/s, and its ports of the last plan have {' and '.join(map(str, bound))}"
        yield LINK_SPEED_BOUND.of(label, text, path=f"links.{link}.speed_mbps")
    if len(bound) > 1 and (wish.bond == "802.3ad" or bound[0] < asked):
        yield SPEEDS_MIXED_NOW.of(label, f"the link {link} has ports of {said} Mbit/s")
    elif len(speeds) > 1 and wish.bond == "802.3ad":
        yield SPEEDS_MIXED.of(label, f"the bond {link} has ports of {said} Mbit/s", path=f"links.{link}")
