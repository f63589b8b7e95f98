# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab is made of."""

from __future__ import annotations

HOST = "127.0.0.1"
REGION = "RegionOne"
PHYSNET = "physnet1"

# Programs and the Debian packages that bring them.
DEBIAN = {
    "mariadbd": "mariadb-server-core",
    "mariadb-install-db": "mariadb-server-core",
    "my_print_defaults": "mariadb-client-core",
    "rabbitmqctl": "rabbitmq-server",
    "ovn-northd": "ovn-central",
    "ovn-controller": "ovn-host",
    "ovs-vswitchd": "openvswitch-switch",
    "haproxy": "haproxy",
}
# pyuwsgi is uwsgi ready built; fixtures is what Nova's fake hypervisor imports.
PYTHON = ("keystone", "glance", "openstack-placement", "nova", "neutron", "cinder", "pymysql", "pyuwsgi", "fixtures")
SERVICES = ("keystone", "glance", "placement", "nova", "neutron", "cinder")
PORTS = {
    "mariadb": 13306, "rabbit": 15673, "rabbit-dist": 15674, "epmd": 14369, "ovn-nb": 16641, "ovn-sb": 16642,
    "keystone": 5000, "glance": 9292, "placement": 8778, "nova": 8774, "neutron": 9696, "cinder": 8776,
}  # fmt: skip
# HAProxy listens for TLS so far above each API.
TLS_ABOVE = 100
DATABASES = {
    "keystone": ("keystone",), "glance": ("glance",), "placement": ("placement",), "neutron": ("neutron",), "cinder": ("cinder",),
    "nova": ("nova_api", "nova_cell0", "nova"),
}  # fmt: skip
# Type in the catalogue, and the path behind the port.
CATALOGUE = {
    "glance": ("image", ""),
    "placement": ("placement", ""),
    "nova": ("compute", "/v2.1"),
    "neutron": ("network", ""),
    "cinder": ("block-storage", "/v3"),
}
