# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What speaks against the hosts together: names, addresses, values that must be equal, versions, and which cluster they are in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from ipaddress import ip_address, ip_network

from .keys import CRITICAL
from .kinds import Objection, object_to
from .site import Host, Site
from .versions import step, version_of

STEPS = {"up": "version_differs", "back": "version_back", "skipped": "version_skipped", "door": "etcd_door"}


def check_site(site: Site) -> Iterator[Objection]:
    yield from _counts(site)
    yield from _twice("name_twice", site.hosts, lambda host: [str(host.config["node-name"])])
    yield from _twice("address_twice", site.hosts, lambda host: host.addresses)
    yield from _unequal(site)
    yield from _outside(site)
    yield from _versions(site)
    yield from _clusters(site)
    yield from _nodes(site)


def _counts(site: Site) -> Iterator[Objection]:
    if not site.servers:
        yield object_to("servers_none", "", "the group of servers is empty")
    elif len(site.servers) % 2 == 0:
        yield object_to("servers_even", "", f"{len(site.servers)} servers are planned ({', '.join(site.servers)})")


def _twice(code: str, hosts: Iterable[Host], keys: Callable[[Host], list[str]]) -> Iterator[Objection]:
    seen: dict[str, str] = {}
    for host in hosts:
        for key in keys(host):
            if (other := seen.setdefault(key, host.name)) != host.name:
                yield object_to(code, host.name, f"`{key}` is {other}'s as well")


def _unequal(site: Site) -> Iterator[Objection]:
    servers = [host for host in site.hosts if host.server]
    for key in (*CRITICAL, "cni", "ingress-controller"):
        values = {json.dumps(host.config.get(key)): host.name for host in reversed(servers)}
        if len(values) > 1:
            said = ", ".join(f"{json.loads(value)} on {name}" for value, name in sorted(values.items(), key=lambda item: item[1]))
            yield object_to("value_unequal", "", f"{key} is {said}")


def _outside(site: Site) -> Iterator[Objection]:
    """A held address has to be in a network of the servers."""
    one = site.registration
    if one.mode not in ("keepalived", "kube-vip") or not one.address:
        return
    try:
        address = ip_address(one.address)
    except ValueError:
        return
    for host in (host for host in site.hosts if host.server):
        mine = [at for at in host.found["addresses"] if not host.addresses or at["address"] in host.addresses]
        networks = [ip_network(f"{at['address']}/{at['prefix']}", strict=False) for at in mine]
        if networks and not any(address in network for network in networks):
            yield object_to("registration_outside", host.name, f"{address} is not in {', '.join(map(str, networks))}")


def _versions(site: Site) -> Iterator[Objection]:
    newest = max(
        (version_of(host.found["version"]) or (0, 0, 0) for host in site.hosts if host.joined and not host.server), default=(0, 0, 0)
    )
    for host in (host for host in site.hosts if host.joined and host.found["version"]):
        way = step(host.found["version"], site.version)
        if way in STEPS and not (way == "up" and site.upgrade):
            cure = f"Run frontier.vitro.rke2_upgrade -e rke2_version={site.version}" if way == "up" else ""
            yield object_to(STEPS[way], host.name, f"it has {host.found['version']}, and {site.version} is wanted", cure)
        if host.server and (own := version_of(host.found["version"])) and own < newest and not site.upgrade:
            yield object_to("kubelet_newer", host.name, f"it has {host.found['version']}, and an agent has a newer one")


def _clusters(site: Site) -> Iterator[Objection]:
    parts: dict[str, list[str]] = {}
    for host in site.hosts:
        if host.found["ca"] and (host.found["server_data"] or host.found["agent_data"]):
            parts.setdefault(host.found["ca"], []).append(host.name)
    home = site.home
    if not home and len(parts) > 1:
        said = "; ".join(f"{ca[:8]} on {', '.join(names)}" for ca, names in sorted(parts.items()))
        yield object_to("clusters_several", "", f"there are {len(parts)} clusters: {said}")
    for ca, names in sorted(parts.items()):
        if home and ca != home:
            yield from (object_to("cluster_other", name, f"it is in the cluster {ca[:8]}, and the site's is {home[:8]}") for name in names)
    servers = [host for host in site.hosts if host.server]
    unseen = [name for name in site.servers if name not in {host.name for host in servers}]
    if not any(host.joined for host in servers):
        if unseen:
            yield object_to("server_unreached", "", f"nobody has a cluster yet, and {', '.join(unseen)} was not asked")
        elif home:
            yield object_to("cluster_lost", "", f"the site had the cluster {home[:8]}, and none of {', '.join(site.servers)} has it")
    if home and not site.secrets:
        yield object_to("secrets_missing", "", f"there is the cluster {home[:8]}, and the site has no rke2/secrets.yml")


def _nodes(site: Site) -> Iterator[Objection]:
    nodes = site.known.get("nodes") or {}
    # Where nobody has the cluster any more there is nobody to let a node in again.
    lives = any(host.server and host.joined for host in site.hosts)
    for host in site.hosts:
        units = host.found["units"]
        if host.found["token_fits"] is False:
            yield object_to("token_wrong", host.name, "its cluster was made with another token than the site has")
        was = nodes.get(host.name)
        if host.server and not host.joined and (units["rke2-agent"]["running"] or units["rke2-agent"]["enabled"]):
            yield object_to("role_changed", host.name, "it is an agent, and a server is wanted")
        elif not host.server and host.found["server_data"]:
            yield object_to("role_changed", host.name, "it is a server, and an agent is wanted")
        elif lives and site.home and was == host.wanted["role"] and not host.joined:
            yield object_to(
                "node_emptied", host.name, f"it was a{'n' if was == 'agent' else ''} {was} of the cluster, and has no data any more"
            )
