# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: rke2_address
short_description: The address by which the servers of RKE2 know one of them
version_added: 0.1.0
description:
  - Of a host's variables C(rke2_node_ip), or its address in the plan's network of the FMC, or C(ansible_host) if that is an address.
author:
  - Vitro contributors (@frontier)
options:
  _input:
    description: The variables of the host.
    type: dict
    required: true
"""

EXAMPLES = r"""
address: "{{ {'ansible_host': '192.0.2.21'} | frontier.vitro.rke2_address }}"
"""

RETURN = r"""
_value:
  description: The address, or nothing.
  type: str
"""

from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any


def rke2_address(variables: Mapping[str, Any]) -> str:
    given = variables.get("rke2_node_ip") or (variables.get("vitro_addresses") or {}).get("fmc")
    if given:
        return str(given)
    host = str(variables.get("ansible_host", ""))
    try:
        return str(ip_address(host))
    except ValueError:
        return ""


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"rke2_address": rke2_address}
