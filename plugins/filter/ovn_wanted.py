# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: ovn_wanted
short_description: OVN as a plan has it
version_added: 0.1.0
description:
  - Members of the databases, chassis, gateways with their racks, where everybody connects to, and the timers, as the modules of this
    collection take them.
author:
  - Vitro contributors (@frontier)
positional: protocol
options:
  _input:
    description: The path of the plan.
    type: path
    required: true
  protocol:
    description: What members and clients speak.
    type: str
    default: ssl
    choices: [ssl, tcp]
"""

EXAMPLES = r"""
ovn: "{{ 'sites/example/plan.json' | frontier.vitro.ovn_wanted }}"
"""

RETURN = r"""
_value:
  description: The wanted OVN.
  type: dict
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils.errors import VitroError
from ..module_utils.ovn.wanted import wanted_ovn
from ..module_utils.plan.document import read_plan


def ovn_wanted(plan: str, protocol: str = "ssl") -> dict[str, Any]:
    try:
        return wanted_ovn(read_plan(Path(plan)), protocol)
    except VitroError as exc:
        raise AnsibleFilterError(str(exc)) from None


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"ovn_wanted": ovn_wanted}
