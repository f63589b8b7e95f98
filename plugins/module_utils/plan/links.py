# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Links: which ports carry which networks together, by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, get_args

from .intent import Link
from .objections import Found, Kind
from .servers import NetworkName
from .subnets import Subnet
from .types import PlannedLink

NAMES: Final[tuple[NetworkName, ...]] = get_args(NetworkName)
MAIN, PROVIDER = "main", "provider"
# "<link>.<vlan>" is at most 9 + 1 + 4 characters, and the kernel takes 15 (IFNAMSIZ).
NAME = re.compile(r"[a-z][a-z0-9]{0,8}")
KERNEL_NAMES = re.compile(
    r"(lo|br|en|eth|wl|ww|ib|sl|ip|tun|gre|sit|wg|team|dummy|ifb|ha)([0-9].*)?"
    r"|(en|wl|ww)[opsx][0-9a-f].*"
    r"|(ovs|tap|bond|veth|cali|flannel|cni|kube|docker|podman|virbr|vnet|vxlan|genev|cilium|lxc|tunl|nodelocal|qbr|qvo|qvb).*"
)

LINK_NAME = Kind(
    code="link_name",
    title="A link's name cannot be an interface's name",
    rank=40,
    why="Interfaces are named after their link; the kernel takes 15 characters, and its own names, OVS's and the CNIs' are not free.",
    cure="Name the link by 1 to 9 small letters and digits, beginning with a letter, for example storage",
)
LINK_MISSING = Kind(
    code="link_missing",
    title="A network is in no link",
    rank=40,
    why="Without a link no port carries the network.",
    cure="Add the network to the networks of one link",
)
LINK_TWICE = Kind(
    code="link_twice",
    title="A network is in two links",
    rank=40,
    why="A server has one interface for each network.",
    cure="Take the network out of all links but one",
)
LINK_NOT_OWN = Kind(
    code="link_not_own",
    title="A link names a network that goes another way",
    rank=41,
    why="The network is not given under networks, so its traffic goes with the network that carries it, not over this link.",
    cure="Give the network under networks, or take it out of the link",
)
VLAN_TWICE = Kind(
    code="vlan_twice",
    title="Two networks of one link have one VLAN",
    rank=35,
    why="They would be the same interface and the same segment.",
    cure="Give each network of a link its own VLAN",
)
UNTAGGED_TWICE = Kind(
    code="untagged_twice",
    title="Two networks of one link have no VLAN",
    rank=35,
    why="Both would be on the same segment, and their addresses on the same interface.",
    cure="Give all networks of the link but one a VLAN, or put them on different links",
)
EXTERNAL_SHARES = Kind(
    code="external_shares",
    title="The external network shares an interface with addresses",
    rank=34,
    why="OVN takes the whole interface of an untagged external network into its bridge; the servers' own traffic on it stops.",
    cure="Give networks.external a VLAN, or a link of its own",
)


def default_links() -> dict[str, Link]:
    return {MAIN: Link(networks=tuple(name for name in NAMES if name != "external")), PROVIDER: Link(networks=("external",))}


def plan_links(
    given: Mapping[str, Link] | None, own: Mapping[NetworkName, Subnet], carriers: Mapping[NetworkName, NetworkName]
) -> tuple[dict[NetworkName, str], dict[str, Link], list[Found]]:
    """The link of each network, and the wish behind each link in the order of the intent."""
    wishes = dict(given) if given else default_links()
    home: dict[NetworkName, str] = {}
    found = list(_names(wishes))
    if given is not None and not given:
        found.append(LINK_MISSING.of("links", "links is given but empty, so no network has ports", path="links"))
    for link, wish in wishes.items():
        for name in wish.networks:
            if name in home and home[name] != link:
                found.append(
                    LINK_TWICE.of(f"links.{link}", f"{name} is in the links {home[name]} and {link}", path=f"links.{link}.networks")
                )
            home.setdefault(name, link)
    found += _homeless(given, home, own, carriers)
    for name in own:
        home.setdefault(name, next(iter(wishes)))
    home = {name: home[carriers[name]] for name in NAMES}
    for link in wishes:
        found += _segments(link, [one for one in own.values() if home[one.name] == link], explicit=given is not None)
    return home, wishes, found


def planned_links(wishes: Mapping[str, Link], home: Mapping[NetworkName, str]) -> tuple[PlannedLink, ...]:
    return tuple(
        PlannedLink(
            name=link,
            networks=tuple(name for name in NAMES if home[name] == link),
            ports=wish.ports,
            bond=wish.bond if wish.ports > 1 else None,
        )
        for link, wish in wishes.items()
    )


def _names(wishes: Mapping[str, Link]) -> Iterator[Found]:
    for link in wishes:
        path = f"links.{link}"
        if not NAME.fullmatch(link):
            yield LINK_NAME.of(path, f"the link is named `{link}`; allowed are 1 to 9 small letters and digits, a letter first", path=path)
        elif KERNEL_NAMES.fullmatch(link):
            yield LINK_NAME.of(path, f"the link is named {link}, which the kernel or an engine uses for its own interfaces", path=path)
        elif link[-1].isdigit() and link[:-1] in wishes:
            yield LINK_NAME.of(path, f"the link is named {link}, and a port of the link {link[:-1]} has that name already", path=path)


def _homeless(
    given: Mapping[str, Link] | None,
    home: Mapping[NetworkName, str],
    own: Mapping[NetworkName, Subnet],
    carriers: Mapping[NetworkName, NetworkName],
) -> Iterator[Found]:
    if not given:
        return
    for name in own:
        if name not in home:
            yield LINK_MISSING.of("links", f"{name} is in none of the links {', '.join(given)}", path="links")
    for name, link in home.items():
        carrier = carriers[name]
        if carrier != name and home.get(carrier, link) != link:
            text = f"the link {link} names {name}, but {carrier} carries {name} and is on the link {home[carrier]}"
            yield LINK_NOT_OWN.of(f"links.{link}", text, path=f"links.{link}.networks")


def _segments(link: str, nets: Sequence[Subnet], *, explicit: bool) -> Iterator[Found]:
    tags: dict[int | None, list[NetworkName]] = {}
    for net in nets:
        tags.setdefault(net.vlan, []).append(net.name)
    untagged = [name for name in tags.pop(None, []) if name != "external"]
    subject = f"links.{link}" if explicit else link
    for vlan, names in tags.items():
        if len(names) > 1:
            path = f"networks.{names[-1]}.vlan"
            yield VLAN_TWICE.of(subject, f"{' and '.join(names)} all have VLAN {vlan} on the link {link}", path=path)
    if len(untagged) > 1:
        path = f"networks.{untagged[-1]}.vlan"
        yield UNTAGGED_TWICE.of(subject, f"{' and '.join(untagged)} have no VLAN on the link {link}", path=path)
    bare = any(net.name == "external" and net.vlan is None for net in nets)
    others = [net.name for net in nets if net.name != "external"]
    if bare and others:
        text = f"external has no VLAN and is on the link {link} together with {', '.join(others)}"
        yield EXTERNAL_SHARES.of(subject, text, path="networks.external.vlan")
