# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: ovn_bootstrap
short_description: Who makes OVN's clusters and who joins them
version_added: 0.1.0
description:
  - Decides from what every member was found to have. Only if none of them has a database, and none had one before, does the first make
    a new cluster; everybody else joins. Whatever speaks against it is told at once.
author:
  - Vitro contributors (@frontier)
positional: found, known
options:
  _input:
    description: The wanted OVN, as P(frontier.vitro.ovn_wanted#filter) gives it.
    type: dict
    required: true
  found:
    description: What M(frontier.vitro.ovn_cluster_info) said of each host that was asked.
    type: dict
    required: true
  known:
    description: The ids of the clusters that the site had before.
    type: dict
    default: {}
"""

EXAMPLES = r"""
ovn: "{{ 'sites/example/plan.json' | frontier.vitro.ovn_wanted }}"
nothing: {nb: {file: null, status: null}, sb: {file: null, status: null}}
bootstrap: "{{ ovn | frontier.vitro.ovn_bootstrap(dict(ovn.members | zip([nothing] * ovn.members | length))) }}"
"""

RETURN = r"""
_value:
  description: >-
    By C(nb) and C(sb) the C(cluster), its C(founder) if it is to be made, who is C(joining), and whom they ask (C(remotes)); C(refused)
    has what speaks against it, and is empty if nothing does.
  type: dict
"""

from collections.abc import Callable
from typing import Any

from ..module_utils.ovn.errors import ClusterRefused
from ..module_utils.ovn.members import plan_bootstrap


def ovn_bootstrap(ovn: dict[str, Any], found: dict[str, Any], known: dict[str, str] | None = None) -> dict[str, Any]:
    try:
        return {"refused": "", **plan_bootstrap(ovn["planned_members"], ovn["raft"], found, known or {})}
    except ClusterRefused as exc:
        return {"refused": str(exc)}


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"ovn_bootstrap": ovn_bootstrap}
