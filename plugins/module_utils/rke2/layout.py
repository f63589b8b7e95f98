# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where RKE2 keeps what it needs to speak to itself, and how it is spoken to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .https import SERVER_NAME, Endpoint, Identity

SUPERVISOR: Final = 9345
API: Final = 6443
ETCD_HTTP: Final = 2382
KUBELET: Final = 10250
# The role's own: who holds the registration address.
ADDRESS_FOLDER: Final = "/etc/vitro/rke2"
ADDRESS_UNIT: Final = "vitro-rke2-address"


def api(data: Path, timeout: float = 10.0, host: str = "127.0.0.1") -> Endpoint:
    """The API of a server, as its administrator."""
    tls = data / "server/tls"
    return Endpoint(host, API, Identity(tls / "server-ca.crt", tls / "client-admin.crt", tls / "client-admin.key", SERVER_NAME), timeout)


def etcd(data: Path, timeout: float = 10.0) -> Endpoint:
    """etcd's gateway for HTTP, which RKE2 has on the loopback of every server."""
    tls = data / "server/tls/etcd"
    return Endpoint("127.0.0.1", ETCD_HTTP, Identity(tls / "server-ca.crt", tls / "client.crt", tls / "client.key"), timeout)


def supervisor(data: Path, host: str, timeout: float = 10.0) -> Endpoint:
    """The port on which nodes register. It answers whom it knows as a node."""
    agent = data / "agent"
    identity = Identity(agent / "server-ca.crt", agent / "client-kubelet.crt", agent / "client-kubelet.key", SERVER_NAME)
    return Endpoint(host, SUPERVISOR, identity, timeout)


def kubelet(data: Path, host: str, name: str, timeout: float = 10.0) -> Endpoint:
    tls = data / "server/tls"
    return Endpoint(host, KUBELET, Identity(tls / "server-ca.crt", tls / "client-admin.crt", tls / "client-admin.key", name), timeout)
