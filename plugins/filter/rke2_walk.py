# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: rke2_walk
short_description: In which order nodes of RKE2 get another version
version_added: 0.1.0
description:
  - Servers come first, the leader of etcd last among them, then agents. Nodes that have the version already are left out.
  - The way back is refused where only a snapshot leads there.
author:
  - Vitro contributors (@frontier)
options:
  _input:
    description: What M(frontier.vitro.rke2_cluster_info) told.
    type: dict
    required: true
  names:
    description: The names of nodes by host.
    type: dict
    required: true
  version:
    description: The version that they are to get.
    type: str
    required: true
  back:
    description: Whether that is an older one.
    type: bool
    default: false
"""

EXAMPLES = r"""
walk: "{{ {'nodes': [], 'members': []} | frontier.vitro.rke2_walk({'cloud-01': 'cloud-01'}, 'v1.35.7+rke2r1') }}"
"""

RETURN = r"""
_value:
  description: The hosts that are C(due), and why it is C(refused).
  type: dict
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from ..module_utils.rke2.walking import plan_walk


def rke2_walk(cluster: Mapping[str, Any], names: Mapping[str, str], version: str, back: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - Jinja
    told = asdict(plan_walk(cluster, names, version, back=back))
    return {**told, "due": list(told["due"])}


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"rke2_walk": rke2_walk}
