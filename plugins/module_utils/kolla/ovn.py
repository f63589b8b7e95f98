# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How Kolla's services reach an OVN that the role ovn made. Kolla has keys for where it is and for more folders in containers; TLS stands
in the overrides. The role ovn lays the certificate of the hand-over into the folder on every host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..plan.types import Plan
from .hosts import address, in_url, named

FOLDER: Final = "/var/lib/vitro/neutron"
FILES: Final = {"private_key": "key.pem", "certificate": "cert.pem", "ca_cert": "ca.pem"}


def outside(plan: Plan) -> bool:
    return plan.ovn.manager == "packages"


def outside_globals(plan: Plan) -> dict[str, Any]:
    """Agents on chassis ask the relays, if there are any, as the chassis do."""
    north, south = (_remotes(plan, _port(plan, service)) for service in ("ovn-nb", "ovn-sb"))
    relays = [_remotes(plan, _port(plan, "ovn-sb-relay") + number) for number in range(plan.ovn.relays)]
    mounted = f"{{{{ default_extra_volumes + ['{FOLDER}:{FOLDER}:ro'] }}}}"
    return {
        "ovn_nb_connection": north,
        "ovn_sb_connection": ",".join(relays) or south,
        "ovn_sb_connection_no_relay": south,
        "neutron_extra_volumes": mounted,
        **({"octavia_extra_volumes": mounted} if plan.openstack.octavia else {}),
    }


def outside_files(plan: Plan) -> dict[str, Mapping[str, str]]:
    """The section C(ovn) of the overrides, by their paths below config/."""
    if not outside(plan):
        return {}
    tls = {f"ovn_{side}_{key}": f"{FOLDER}/{file}" for side in ("nb", "sb") for key, file in FILES.items()}
    paths = ["config/neutron/ml2_conf.ini", "config/neutron/neutron_ovn_metadata_agent.ini"]
    return dict.fromkeys([*paths, *(["config/octavia.conf"] if plan.openstack.octavia else [])], tls)


def _port(plan: Plan, service: str) -> int:
    return next(one.port for one in plan.ports if one.service == service)


def _remotes(plan: Plan, port: int) -> str:
    return ",".join(f"ssl:{in_url(address(plan, one, 'api'))}:{port}" for one in named(plan, plan.ovn.databases))
