# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The interfaces of one server: ports by MAC, bonds and VLANs, and which network goes over which.

The ports of a link are `<link>0`, `<link>1` and so on, in every case, so that a MAC keeps its name when a second port joins it. Two or more
are bonded as `<link>`; a VLAN is `<link>.<vlan>` either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ..bmc.hardware import Nic
from .intent import Link
from .links import MAIN, NAMES, PROVIDER
from .machines import Machine
from .networks import Networking
from .nics import choose, fits, in_order, on_adapter
from .objections import Found
from .servers import Interface, NetworkName, PlannedServer
from .subnets import Subnet
from .wiring_checks import EXTERNAL_NOWHERE, NO_LINK, TOO_FEW_PORTS, VLAN_TAKEN, check_ports

Bond = Literal["802.3ad", "active-backup"]


@dataclass(frozen=True, slots=True)
class Wiring:
    interfaces: tuple[Interface, ...]
    traffic: Mapping[NetworkName, str]
    reasons: tuple[str, ...]


def plan_wiring(machine: Machine, networking: Networking, before: PlannedServer | None) -> tuple[Wiring, list[Found]]:
    """The interfaces of a server. What was chosen before stays, as long as its MAC is there."""
    if not any(one.link != "down" for one in machine.nics) and not _kept(machine, before):
        text = f"none of its {len(machine.nics)} network ports has link" if machine.nics else "it has no network port"
        return Wiring(interfaces=(), traffic={}, reasons=()), [NO_LINK.of(machine.label, text)]
    found: list[Found] = []
    ports, folded = _wired(machine, networking, before)
    home, storage = networking.home, (networking.of("storage"), networking.of("cluster"))
    interfaces: list[Interface] = []
    traffic: dict[NetworkName, str] = {}
    reasons: list[str] = []
    for link, wish in networking.wishes.items():
        nets = tuple(one for one in networking.own.values() if (MAIN if folded and one.name == "external" else home[one.name]) == link)
        if not nets:
            continue
        chosen = ports.get(link, {})
        found += _counted(machine, link, wish, len(chosen), lenient=networking.default_links)
        bound = frozenset(one.mac for one in before.interfaces if one.link == link and one.mac) if before is not None else frozenset()
        found += check_ports(machine, link, wish, tuple(chosen.values()), bound, storage=any(one in storage for one in nets))
        if chosen:
            above, carried = _above(link, wish.bond, tuple(chosen), nets)
            mtu = max(one.mtu for one in nets)
            interfaces += [*(_physical(link, mtu, name, nic) for name, nic in chosen.items()), *above]
            traffic |= carried
            reasons.append(_reason(link, tuple(chosen.values())))
    found += _external(machine, networking, traffic, folded=folded)
    if folded:
        reasons.append(f"external: there are no ports for a link of its own, so it goes over {MAIN}")
    return Wiring(interfaces=tuple(interfaces), traffic=_all_traffic(networking, traffic), reasons=tuple(reasons)), found


def _kept(machine: Machine, before: PlannedServer | None) -> bool:
    macs = {one.mac for one in machine.nics}
    return before is not None and any(one.mac in macs for one in before.interfaces)


def _wired(machine: Machine, networking: Networking, before: PlannedServer | None) -> tuple[dict[str, dict[str, Nic]], bool]:
    """The ports of all links, and whether the external network has to go over `main` for want of ports. What was so before stays so."""
    tagged = networking.own["external"].vlan is not None
    if not (networking.default_links and tagged):
        return _ports(machine, networking, before, folded=False), False
    if before is not None and _kept(machine, before) and before.traffic.get("external", "").startswith(f"{MAIN}."):
        return _ports(machine, networking, before, folded=True), True
    ports = _ports(machine, networking, before, folded=False)
    mine = [one.mac for one in ports[PROVIDER].values()]
    bound = before is not None and any(one.link == PROVIDER and one.mac in mine for one in before.interfaces)
    if bound or (len(mine) == networking.wishes[PROVIDER].ports and _as_good(ports[PROVIDER], ports[MAIN])):
        return ports, False
    return _ports(machine, networking, before, folded=True), True


def _as_good(provider: Mapping[str, Nic], main: Mapping[str, Nic]) -> bool:
    """Whether ports are of one speed, and as much is known of them as of those of `main`: a guess is worse than a shared link."""
    known = [min((one.link == "up", bool(one.speed_mbps)) for one in ports.values()) for ports in (provider, main)]
    return len({one.speed_mbps for one in provider.values()}) == 1 and known[0] >= known[1]


def _ports(machine: Machine, networking: Networking, before: PlannedServer | None, *, folded: bool) -> dict[str, dict[str, Nic]]:
    """The ports of each link by interface name. First every link keeps what it had, then they choose in turn from what is left."""
    left = {one.mac: one for one in in_order(machine.nics)}
    links = {link: wish for link, wish in networking.wishes.items() if not (folded and link == PROVIDER)}
    taken: dict[str, dict[str, Nic]] = {link: {} for link in links}
    old_names: dict[str, list[str]] = {link: [] for link in links}
    for one in before.interfaces if before is not None else ():
        if one.kind != "physical" or one.link not in links:
            continue
        old_names[one.link].append(one.name)
        wish = links[one.link]
        if one.mac in left and on_adapter(left[one.mac], wish) and len(taken[one.link]) < wish.ports:
            taken[one.link][one.name] = left.pop(one.mac)
    for link, wish in links.items():
        mine = taken[link]
        speeds = {one.speed_mbps for one in mine.values()}
        usable = [one for one in left.values() if fits(one, wish) and (not speeds or None in speeds or one.speed_mbps in speeds)]
        fresh = choose(usable, wish.ports - len(mine)) if not mine else _beside(usable, mine, wish.ports - len(mine))
        names = [*old_names[link], *(f"{link}{n}" for n in range(wish.ports) if f"{link}{n}" not in old_names[link])]
        for name, nic in zip((name for name in names if name not in mine), fresh, strict=False):
            mine[name] = left.pop(nic.mac)
        taken[link] = dict(sorted(mine.items()))
    return taken


def _beside(usable: list[Nic], mine: Mapping[str, Nic], count: int) -> list[Nic]:
    """Ports to join those that a link has already: on other adapters first."""
    there = {one.adapter for one in mine.values()}
    return sorted(usable, key=lambda one: one.adapter in there)[: max(count, 0)]


def _physical(link: str, mtu: int, name: str, nic: Nic) -> Interface:
    return Interface(
        name=name, kind="physical", link=link, mtu=mtu, mac=nic.mac, adapter=nic.adapter, port=nic.port, speed_mbps=nic.speed_mbps
    )


@lru_cache(maxsize=256)
def _above(link: str, mode: Bond, ports: tuple[str, ...], nets: tuple[Subnet, ...]) -> tuple[tuple[Interface, ...], dict[NetworkName, str]]:
    """The bond and the VLANs over ports of these names, and what goes over them: the same on most servers, so made once."""
    made: dict[str, Interface] = {}
    traffic: dict[NetworkName, str] = {}
    top = ports[0]
    if len(ports) > 1:
        top = link
        made[top] = Interface(name=top, kind="bond", link=link, mtu=max(one.mtu for one in nets), members=ports, mode=mode)
    for net in nets:
        name = top if net.vlan is None else f"{link}.{net.vlan}"
        traffic[net.name] = name
        if net.vlan is not None and name not in made:
            made[name] = Interface(name=name, kind="vlan", link=link, mtu=net.mtu, parent=top, vlan=net.vlan)
    return tuple(made.values()), traffic


def _counted(machine: Machine, link: str, wish: Link, count: int, *, lenient: bool) -> Iterator[Found]:
    """A link of the default takes what there is, and a warning says so; one that the operator asked for must be whole."""
    if count < wish.ports and not (lenient and (count or link == PROVIDER)):
        wanted = f"; wanted are {wish.speed_mbps} Mbit/s or more" if wish.speed_mbps else ""
        wanted += f"; wanted is the adapter {wish.adapter}" if wish.adapter else ""
        text = f"the link {link} needs {wish.ports} ports, {count} with link fit{wanted}"
        yield TOO_FEW_PORTS.of(machine.label, text, path=None if lenient else f"links.{link}")


def _external(machine: Machine, networking: Networking, traffic: Mapping[NetworkName, str], *, folded: bool) -> Iterator[Found]:
    if "external" not in traffic and networking.default_links:
        text = "no port is left for the external network, and without a VLAN it cannot go over another link"
        yield EXTERNAL_NOWHERE.of(machine.label, text, path="networks.external.vlan")
    if folded:
        vlan = networking.own["external"].vlan
        same = [one.name for one in networking.own.values() if one.name != "external" and one.vlan == vlan]
        if same:
            text = f"external has to go over {MAIN} for want of ports, where {same[0]} has its VLAN {vlan}"
            yield VLAN_TAKEN.of(machine.label, text, path="networks.external.vlan")


def _reason(link: str, ports: tuple[Nic, ...]) -> str:
    where = ", ".join(f"{one.adapter or 'unknown adapter'} port {one.port or '?'}" for one in ports)
    speed = ports[0].speed_mbps
    return f"{link}: {where}, {f'{speed / 1000:g} Gbit/s' if speed else 'speed unknown'}"


def _all_traffic(networking: Networking, own: Mapping[NetworkName, str]) -> dict[NetworkName, str]:
    return {name: own[networking.carriers[name]] for name in NAMES if networking.carriers[name] in own}
