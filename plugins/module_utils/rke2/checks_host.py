# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What speaks against a host as it was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from .kinds import Objection, object_to
from .site import Host, Site

GIB: Final = 2**30
ROOM: Final = 20 * GIB
# docs.rke2.io, requirements, less what firmware and kernel take of it.
MEMORY: Final = {"server": 3.5 * GIB, "agent": 1.5 * GIB}
CLOCK_SECONDS: Final = 2.0
ETCD: Final = (2379, 2380)
# As the kernel has them: 15 letters at most, and the program itself with its command.
OWN: Final = ("rke2", "containerd", "kubelet", "kube-", "etcd", "cloud-controlle", "calico", "cilium", "flannel")
# docs.rke2.io, requirements; k3s: pkg/etcd/etcd.go; rke2: pkg/podtemplate/spec.go.
NODE_PORTS: Final = (6444, 10010, 10248, 10250, 10256)
SERVER_PORTS: Final = (2379, 2380, 2381, 2382, 6443, 9345, 10257, 10258, 10259)
CNI_PORTS: Final[dict[str, dict[str, tuple[int, ...]]]] = {
    "canal": {"udp": (8472,), "tcp": (9099,)},
    "calico": {"udp": (4789,), "tcp": (179, 5473, 9098, 9099)},
    "cilium": {"udp": (8472,), "tcp": (4240,)},
    "flannel": {"udp": (4789,), "tcp": ()},
}
WEB_PORTS: Final = (80, 443)


def ports_of(role: str, cnis: list[str], web: tuple[int, ...]) -> set[tuple[str, int]]:
    """What a node listens on, by protocol and port; `web` are its ingress's."""
    tcp = [*NODE_PORTS, *web, *(SERVER_PORTS if role == "server" else ())]
    found = {("tcp", port) for port in tcp}
    for cni in cnis:
        for protocol, ports in CNI_PORTS.get(cni, {}).items():
            found |= {(protocol, port) for port in ports}
    return found


def check_host(site: Site, host: Host) -> Iterator[Objection]:
    yield from _ports(host)
    yield from _addresses(site, host)
    yield from _others(site, host)
    yield from _machine(site, host)
    if not host.joined:
        yield from _room(host)


def _ports(host: Host) -> Iterator[Objection]:
    if host.running:
        return
    wanted = {(str(protocol), int(port)) for protocol, port in host.wanted["ports"]}
    for one in host.found["ports"]:
        # Containers go on when the unit stops, and a server that starts again and again takes ports and lets them go while one looks.
        own = host.found["agent_data"] and (not one["process"] or one["process"].startswith(OWN))
        if own or (one["protocol"], one["port"]) not in wanted:
            continue
        where = f"{one['process'] or 'somebody'} listens on {one['address']}:{one['port']}/{one['protocol']}"
        beside = one["port"] in ETCD and one["process"] == "etcd"
        yield object_to("etcd_beside" if beside else "port_busy", host.name, where)


def _addresses(site: Site, host: Host) -> Iterator[Objection]:
    own = [one for one in host.found["addresses"] if one["interface"] != "lo"]
    has = {one["address"] for one in own}
    for address in host.addresses:
        if address not in has:
            yield object_to("address_absent", host.name, f"it does not have {address}; it has {', '.join(sorted(has)) or 'none'}")
    faces = {one["interface"] for one in own if ":" not in one["address"]}
    if not host.addresses and len(faces) > 1 and not host.joined:
        yield object_to(
            "address_missing", host.name, f"it has several interfaces with addresses ({', '.join(sorted(faces))}), and no rke2_node_ip"
        )
    if not host.found["default_route"]:
        yield object_to("route_missing", host.name, "it has no default route")
    if site.registration.mode == "keepalived" and host.server:
        mine = {one["interface"] for one in own if one["address"] in host.addresses}
        for one in host.found["vrids"]:
            if one["vrid"] == site.registration.vrid and one["interface"] in mine:
                yield object_to("vrid_twice", host.name, f"another keepalived has the number {one['vrid']} on {one['interface']}")
    if host.found["answers"] and not site.home:
        yield object_to("registration_answers", host.name, f"somebody answers at {site.registration.address}, and there is no cluster yet")


def _others(site: Site, host: Host) -> Iterator[Objection]:
    found, units = host.found, host.found["units"]
    if found["mixed"] or (found["method"] and found["method"] != site.method):
        yield object_to("install_mixed", host.name, f"{found['program']} came by {found['method']}, and rke2_method is {site.method}")
    others = [name for name in ("k3s", "k3s-agent", "kubelet") if units[name]["running"] or units[name]["enabled"]]
    if others or found["kubeadm"]:
        yield object_to("cluster_beside", host.name, f"it has {', '.join(others) or 'manifests in /etc/kubernetes/manifests'}")
    if units["firewalld"]["running"] and "canal" in site.cnis:
        yield object_to("firewall_on", host.name, "firewalld runs")
    if units["nm-cloud-setup.timer"]["enabled"] or units["nm-cloud-setup.timer"]["running"]:
        yield object_to("cloud_setup_on", host.name, "nm-cloud-setup.timer is on")


def _machine(site: Site, host: Host) -> Iterator[Objection]:
    found = host.found
    if found["cgroup"] == 1 and site.minor >= 35 and not host.wanted["old_cgroups"]:
        yield object_to("cgroup_old", host.name, f"it has cgroups of version 1, and {site.version} is wanted")
    if found["architecture"] not in ("amd64", "arm64"):
        yield object_to("architecture_other", host.name, f"it is {found['architecture']}")
    if found["selinux"] and site.method == "tarball" and str(host.config.get("selinux", "")).lower() != "true":
        yield object_to("selinux_off", host.name, "SELinux enforces")
    if site.fips and found["kernel"].get("crypto.fips_enabled") != "1":
        yield object_to("fips_kernel_off", host.name, "rke2_fips is on, and its kernel is not in FIPS mode")
    clock: dict[str, Any] = found.get("clock") or {"off": 0.0}
    if abs(clock["off"]) > CLOCK_SECONDS:
        yield object_to(
            "clock_off",
            host.name,
            f"its clock is {abs(clock['off']):.0f} s {'ahead of' if clock['off'] > 0 else 'behind'} the controller's",
        )


def _room(host: Host) -> Iterator[Objection]:
    found = host.found
    if found["free_bytes"] < ROOM:
        yield object_to(
            "space_low", host.name, f"{found['free_bytes'] / GIB:.1f} GiB are free where its data will be, and {ROOM // GIB} are wanted"
        )
    if found["memory_bytes"] < (wanted := MEMORY[host.wanted["role"]]):
        yield object_to(
            "memory_low", host.name, f"it has {found['memory_bytes'] / GIB:.1f} GiB, and a {host.wanted['role']} wants {wanted / GIB:.1f}"
        )
