# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: host_lines
short_description: Lines of /etc/hosts for all servers and VIPs of a plan
version_added: 0.1.0
description:
  - Every server has its names at its address in the network that carries the APIs, since Kolla wants a name to lead there and nowhere
    else; every VIP has its FQDN.
author:
  - Vitro contributors (@frontier)
positional: plan
options:
  _input:
    description: The servers as the plan has them.
    type: list
    elements: dict
    required: true
  plan:
    description: The plan without its servers.
    type: dict
    required: true
"""

EXAMPLES = r"""
lines: "{{ groups.site | map('extract', hostvars, 'vitro_server') | frontier.vitro.host_lines(vitro_plan) }}"
"""

RETURN = r"""
_value:
  description: The lines.
  type: list
  elements: str
"""

from collections.abc import Callable
from typing import Any

from ..module_utils.host.names import hosts_lines


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"host_lines": hosts_lines}
