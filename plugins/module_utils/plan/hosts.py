# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A planned server as a host of an inventory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

ABSENT = "absent"


def groups_of(server: Mapping[str, Any], ceph: Mapping[str, Any]) -> list[str]:
    """Its roles, whether it has a part in Ceph, and its rack; an absent server is in no group that a playbook works on."""
    if server["state"] == ABSENT:
        return [ABSENT]
    rack = server["location"]["rack"]
    daemons = {name for kind in ("monitors", "managers", "object_gateways", "metadata_servers") for name in ceph[kind]}
    stores = bool(server["osds"]) or server["name"] in daemons
    return [*server["roles"], *(["ceph"] if stores else []), *([f"rack_{re.sub(r'[^A-Za-z0-9]', '_', rack)}"] if rack else [])]


def addresses_of(server: Mapping[str, Any], networks: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The server's address for the traffic of each network, without the length of the prefix; networks without addresses are left out."""
    own = {str(one["network"]): str(one["cidr"]).partition("/")[0] for interface in server["interfaces"] for one in interface["addresses"]}
    return {str(one["name"]): own[one["carried_by"]] for one in networks if one["carried_by"] in own}
