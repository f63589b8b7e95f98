# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every port that a service of the site listens on, as data.

Kolla's numbers and bind addresses are those of kolla-ansible 22.2.0 (group_vars/all and the templates of its roles) for the profile that
Vitro deploys; cephadm's of Ceph Squid; RKE2's from its requirements page and pkg/podtemplate/spec.go. VRRP has no port.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from .servers import Role

OPENSTACK: Final[tuple[Role, ...]] = ("control", "network", "compute", "storage", "monitoring")
EVERY: Final[tuple[Role, ...]] = (*OPENSTACK, "fmc", "arbiter", "spare")
VIPS: Final = ("vip:internal", "vip:external")


@dataclass(frozen=True, slots=True)
class Row:
    """`when` is a condition that ports.py knows. `key` is what the operator changes to move or stop the service.

    A service with `gives_way` takes any port of its range that is free, so it is in nobody's way.
    """

    service: str
    engine: Literal["kolla", "ceph", "rke2", "ovn", "host"]
    port: int
    binds: tuple[str, ...]
    roles: tuple[Role, ...]
    protocol: Literal["tcp", "udp"] = "tcp"
    when: str = "always"
    last: int | None = None
    gives_way: bool = False
    key: str | None = None


def _kolla(service: str, port: int, *roles: Role, bind: str = "api", when: str = "always", udp: bool = False) -> Row:
    return Row(service, "kolla", port, (bind,), roles, "udp" if udp else "tcp", when, key=KOLLA_KEYS.get(when))


def _haproxy(service: str, port: int, *, inside_only: bool = False, when: str = "always") -> Row:
    """The frontend of a service on the VIPs, which HAProxy and ProxySQL hold on the network servers."""
    return Row(f"haproxy {service}", "kolla", port, VIPS[:1] if inside_only else VIPS, ("network",), when=when, key=KOLLA_KEYS.get(when))


KOLLA_KEYS: Final = {
    "etcd": "openstack.coordination",
    "valkey": "openstack.coordination",
    "valkey_monitoring": "openstack.coordination",
    "monitoring": "openstack.monitoring",
    "logging": "openstack.logging",
    "logging_monitoring": "openstack.logging",
    "octavia": "openstack.octavia",
    "masakari": "openstack.masakari",
}

# Services behind HAProxy that listen with the same number on their own address: name, port, condition.
APIS: Final = (
    ("keystone", 5000, "always"),
    ("glance-api", 9292, "always"),
    ("cinder-api", 8776, "always"),
    ("nova-api", 8774, "always"),
    ("nova-metadata", 8775, "always"),
    ("nova-novncproxy", 6080, "always"),
    ("neutron-server", 9696, "always"),
    ("placement-api", 8780, "always"),
    ("heat-api", 8004, "always"),
    ("heat-api-cfn", 8000, "always"),
    ("octavia-api", 9876, "octavia"),
    ("masakari-api", 15868, "masakari"),
    ("opensearch-dashboards", 5601, "logging"),
)

HOST: Final = (
    Row("sshd", "host", 22, ("all",), EVERY),
    Row("chrony", "host", 323, ("loopback",), EVERY, "udp"),
)

KOLLA: Final = (
    *(_kolla(service, port, "control", when=when) for service, port, when in APIS),
    *(_haproxy(service, port, when=when) for service, port, when in APIS),
    _kolla("horizon", 8080, "control"),
    _kolla("keystone-ssh", 8023, "control"),
    _kolla("mariadb", 3306, "control"),
    _kolla("mariadb-wsrep", 4567, "control"),
    _kolla("mariadb-ist", 4568, "control"),
    _kolla("mariadb-sst", 4444, "control"),
    _kolla("rabbitmq", 5672, "control"),
    _kolla("rabbitmq-management", 15672, "control"),
    _kolla("rabbitmq-cluster", 25672, "control", bind="all"),
    _kolla("rabbitmq-epmd", 4369, "control", bind="all"),
    _kolla("rabbitmq-prometheus", 15692, "control", bind="all", when="monitoring"),
    _kolla("memcached", 11211, "control"),
    _kolla("valkey-server", 6379, "control", when="valkey"),
    _kolla("valkey-sentinel", 26379, "control", when="valkey"),
    _kolla("etcd", 2379, "control", when="etcd"),
    _kolla("etcd-peer", 2380, "control", when="etcd"),
    _kolla("opensearch", 9200, "control", when="logging"),
    _kolla("opensearch-transport", 9300, "control", when="logging"),
    _kolla("corosync", 5405, "control", when="masakari", udp=True),
    _kolla("pacemaker-remote", 3121, "compute", bind="all", when="masakari"),
    _haproxy("horizon", 443),
    _haproxy("horizon-redirect", 80),
    _haproxy("ceph-rgw", 6780, when="object_gateway"),
    _haproxy("opensearch", 9200, inside_only=True, when="logging"),
    _haproxy("rabbitmq-management", 15672, inside_only=True),
    _haproxy("proxysql", 3306, inside_only=True),
    _haproxy("etcd", 2379, inside_only=True, when="etcd"),
    _haproxy("grafana", 3000, when="monitoring"),
    _haproxy("prometheus", 9091, when="monitoring"),
    _haproxy("alertmanager", 9093, when="monitoring"),
    _haproxy("openstack-exporter", 9198, inside_only=True, when="monitoring"),
    _haproxy("monitor", 61313, inside_only=True),
    _kolla("haproxy-monitor", 61313, "network"),
    _kolla("haproxy-stats", 1984, "network"),
    _kolla("haproxy-exporter", 9101, "network", when="monitoring"),
    _kolla("proxysql-admin", 6032, "network"),
    _kolla("proxysql-exporter", 6070, "network", when="monitoring"),
    _kolla("libvirt", 16509, "compute", bind="migration"),
    Row("nova-ssh", "kolla", 8022, ("api", "migration"), ("compute",)),
    Row("guest consoles", "kolla", 5900, ("api",), ("compute",), last=6899, gives_way=True),
    Row("live migration", "kolla", 49152, ("migration",), ("compute",), last=49215, gives_way=True),
    _kolla("libvirt-exporter", 9177, "compute", when="monitoring"),
    _kolla("network-exporter", 1981, "compute", "network", when="monitoring"),
    _kolla("grafana", 3000, "monitoring", when="monitoring"),
    _kolla("prometheus", 9091, "monitoring", when="monitoring"),
    _kolla("alertmanager", 9093, "monitoring", when="monitoring"),
    _kolla("alertmanager-cluster", 9094, "monitoring", when="monitoring"),
    _kolla("alertmanager-cluster", 9094, "monitoring", when="monitoring", udp=True),
    _kolla("openstack-exporter", 9198, "monitoring", when="monitoring"),
    _kolla("blackbox-exporter", 9115, "monitoring", when="monitoring"),
    _kolla("mysqld-exporter", 9104, "control", when="monitoring"),
    _kolla("memcached-exporter", 9150, "control", when="monitoring"),
    _kolla("valkey-exporter", 9121, "control", when="valkey_monitoring"),
    _kolla("elasticsearch-exporter", 9108, "control", when="logging_monitoring"),
    _kolla("node-exporter", 9100, *OPENSTACK, when="monitoring"),
    _kolla("cadvisor", 18080, *OPENSTACK, when="monitoring"),
    _kolla("fluentd-exporter", 24231, *OPENSTACK, when="monitoring"),
    _kolla("fluentd-syslog", 5140, *OPENSTACK, udp=True),
)

OVN: Final = (
    Row("ovn-nb", "ovn", 6641, ("all",), ("control",)),
    Row("ovn-sb", "ovn", 6642, ("all",), ("control",)),
    Row("ovn-nb-raft", "ovn", 6643, ("api",), ("control",)),
    Row("ovn-sb-raft", "ovn", 6644, ("api",), ("control",)),
    # One relay for each 50 chassis, numbered from 1: this is room for 1,000.
    Row("ovn-sb-relay", "ovn", 16641, ("api",), ("control",), last=16660),
    Row("ovsdb", "ovn", 6640, ("loopback",), ("compute", "network")),
    Row("geneve", "ovn", 6081, ("all",), ("compute", "network"), "udp"),
)

CEPH: Final = (
    Row("mon", "ceph", 3300, ("storage",), ("storage", "arbiter")),
    Row("mon-v1", "ceph", 6789, ("storage",), ("storage", "arbiter")),
    # ms_bind_port_min and _max: an OSD takes up to 8 free ones from below, and 64 OSDs are more than a server of ours has.
    Row("osd, mgr and mds", "ceph", 6800, ("storage", "cluster"), ("storage",), last=7568),
    Row("mgr-discovery", "ceph", 8765, ("all",), ("storage",)),
    Row("mgr-prometheus", "ceph", 9283, ("all",), ("storage",)),
    Row("dashboard", "ceph", 8443, ("all",), ("storage",), when="dashboard", key="ceph.dashboard"),
    Row("ceph grafana", "ceph", 3000, ("all",), ("storage",), when="ceph_monitoring", key="ceph.monitoring"),
    Row("ceph prometheus", "ceph", 9095, ("all",), ("storage",), when="ceph_monitoring", key="ceph.monitoring"),
    Row("ceph alertmanager", "ceph", 9093, ("all",), ("storage",), when="ceph_monitoring", key="ceph.monitoring"),
    Row("ceph alertmanager-cluster", "ceph", 9094, ("all",), ("storage",), when="ceph_monitoring", key="ceph.monitoring"),
    Row("ceph alertmanager-cluster", "ceph", 9094, ("all",), ("storage",), "udp", when="ceph_monitoring", key="ceph.monitoring"),
    Row("ceph node-exporter", "ceph", 9100, ("all",), ("storage", "arbiter"), when="ceph_monitoring", key="ceph.monitoring"),
    Row("ceph-exporter", "ceph", 9926, ("all",), ("storage",), when="ceph_monitoring", key="ceph.monitoring"),
)


def _rke2(service: str, port: int, *binds: str, when: str = "always", udp: bool = False) -> Row:
    return Row(service, "rke2", port, binds, ("fmc",), "udp" if udp else "tcp", when, key="fmc.cni" if when in CNIS else None)


CNIS: Final = ("canal", "calico", "cilium", "flannel")

RKE2: Final = (
    _rke2("rke2-supervisor", 9345, "all"),
    _rke2("kube-apiserver", 6443, "all"),
    _rke2("etcd", 2379, "fmc", "loopback"),
    _rke2("etcd-peer", 2380, "fmc", "loopback"),
    _rke2("etcd-metrics", 2381, "loopback"),
    _rke2("etcd-http", 2382, "loopback"),
    _rke2("kubelet", 10250, "all"),
    _rke2("kubelet-health", 10248, "loopback"),
    _rke2("kube-proxy-metrics", 10249, "loopback"),
    _rke2("kube-proxy-health", 10256, "all"),
    _rke2("kube-controller-manager", 10257, "loopback"),
    _rke2("cloud-controller-manager", 10258, "loopback"),
    _rke2("kube-scheduler", 10259, "loopback"),
    _rke2("api-balancer", 6444, "loopback"),
    _rke2("containerd-streaming", 10010, "loopback"),
    Row("node ports", "rke2", 30000, ("all",), ("fmc",), last=32767),
    _rke2("canal-vxlan", 8472, "all", when="canal", udp=True),
    _rke2("canal-health", 9099, "loopback", when="canal"),
    _rke2("calico-vxlan", 4789, "all", when="calico", udp=True),
    _rke2("calico-bgp", 179, "all", when="calico"),
    _rke2("calico-typha", 5473, "all", when="calico"),
    _rke2("calico-typha-health", 9098, "loopback", when="calico"),
    _rke2("calico-health", 9099, "loopback", when="calico"),
    _rke2("cilium-vxlan", 8472, "all", when="cilium", udp=True),
    _rke2("cilium-health", 4240, "all", when="cilium"),
    _rke2("cilium-hubble", 4244, "all", when="cilium"),
    _rke2("cilium-agent-health", 9879, "loopback", when="cilium"),
    _rke2("cilium-agent-gops", 9890, "loopback", when="cilium"),
    _rke2("flannel-vxlan", 4789, "all", when="flannel", udp=True),
)

ROWS: Final = (*HOST, *KOLLA, *OVN, *CEPH, *RKE2)
