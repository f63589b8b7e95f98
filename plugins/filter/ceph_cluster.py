# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: ceph_cluster
short_description: The Ceph cluster that a plan wants
version_added: 0.1.0
description:
  - Hosts, services, settings, pools and clients as the modules of this collection take them, and the first configuration. Disks stand by
    their serial numbers.
author:
  - Vitro contributors (@frontier)
positional: method
options:
  _input:
    description: The path of the plan.
    type: path
    required: true
  method:
    description: How OSDs use their disks.
    type: str
    default: lvm
    choices: [lvm, raw]
"""

EXAMPLES = r"""
cluster: "{{ 'sites/example/plan.json' | frontier.vitro.ceph_cluster }}"
"""

RETURN = r"""
_value:
  description: The wanted cluster.
  type: dict
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils.ceph.wanted import Method, wanted_cluster
from ..module_utils.errors import VitroError
from ..module_utils.plan.document import read_plan


def ceph_cluster(plan: str, method: Method = "lvm") -> dict[str, Any]:
    try:
        return wanted_cluster(read_plan(Path(plan)), method)
    except VitroError as exc:
        raise AnsibleFilterError(str(exc)) from None


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"ceph_cluster": ceph_cluster}
