# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who holds the registration address. keepalived has its own unit and files, so that another keepalived of the host stays what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .kube_vip import kube_vip
from .layout import ADDRESS_FOLDER as FOLDER
from .layout import ADDRESS_UNIT as UNIT
from .marks import INTERFACE
from .wanted import Wish
from .written import File

# Asks both ports of this very server. Python, as every host of Ansible has it; the first line is set on the host.
ALIVE: Final = '''#!<vitro-host-python>
"""Whether this server lets nodes register and answers for the API. Written by frontier.vitro.rke2. Changes here are lost."""
import http.client
import ssl
import sys

TLS = ssl.create_default_context(cafile="DATA/agent/server-ca.crt")
TLS.load_cert_chain("DATA/agent/client-kubelet.crt", "DATA/agent/client-kubelet.key")
for port, path in ((9345, "/v1-rke2/readyz"), (6443, "/readyz")):
    connection = http.client.HTTPSConnection("localhost", port, timeout=6, context=TLS)
    connection.request("GET", path)
    if connection.getresponse().status != 200:
        sys.exit(1)
'''
KEEPALIVED: Final = """# Written by frontier.vitro.rke2. Changes here are lost.
global_defs {{
    router_id {name}
    enable_script_security
    script_user root
    vrrp_garp_master_refresh 60
}}

vrrp_script rke2 {{
    script "{folder}/alive"
    interval 5
    timeout 15
    rise 2
    fall 2
    init_fail
}}

vrrp_instance rke2 {{
    interface {interface}
    virtual_router_id {vrid}
    state BACKUP
    nopreempt
    priority 100
    advert_int 1
    unicast_src_ip {address}
    unicast_peer {{
{peers}    }}
    virtual_ipaddress {{
        {vip}/{prefix}
    }}
    track_script {{
        rke2
    }}
}}
"""
SERVICE: Final = """# Written by frontier.vitro.rke2. Changes here are lost.
[Unit]
Description=Registration address of RKE2
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=/usr/sbin/keepalived --dont-fork --log-console --use-file={folder}/keepalived.conf \\
    --pid=/run/{unit}.pid --vrrp_pid=/run/{unit}-vrrp.pid
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target
"""


def address_files(wish: Wish) -> Iterator[File]:
    registration = wish.registration
    if registration.mode == "keepalived":
        others = [of_family(address, registration.address) for name, address in wish.peers.items() if name != wish.name]
        peers = "".join(f"        {address}\n" for address in others)
        prefix = registration.prefix or (128 if ":" in registration.address else 32)
        content = KEEPALIVED.format(
            name=wish.name, folder=FOLDER, interface=registration.interface or INTERFACE, vrid=registration.vrid,
            address=of_family(wish.address, registration.address), peers=peers, vip=registration.address, prefix=prefix,
        )  # fmt: skip
        yield File(f"{FOLDER}/keepalived.conf", content, 0o644, "address")
        yield File(f"{FOLDER}/alive", ALIVE.replace("DATA", wish.data_dir), 0o755)
        yield File(f"/etc/systemd/system/{UNIT}.service", SERVICE.format(folder=FOLDER, unit=UNIT), 0o644, "address")
    elif registration.mode == "kube-vip":
        yield File(f"{wish.data_dir}/server/manifests/vitro-kube-vip.yaml", kube_vip(wish))


def of_family(addresses: str, like: str) -> str:
    """Of a node's addresses the one of another's family; empty if it has none."""
    return next((one for one in addresses.split(",") if one and (":" in one) == (":" in like)), "")
