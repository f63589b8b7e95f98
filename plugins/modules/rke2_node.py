#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_node
short_description: Empty a node of an RKE2 cluster, let pods back, or take it out
version_added: 0.1.0
description:
  - Speaks to the API of the server on which it runs, with the cluster's own certificates.
  - Pods leave by evictions, so disruption budgets are kept. What is still there in the end is told by name, with the budget that holds it.
  - A server is taken out only if a majority of the others is there before and after. Its member of etcd and its password go with it.
author:
  - Vitro contributors (@frontier)
options:
  name:
    description: The name of the node.
    type: str
    required: true
  state:
    description:
      - V(cordoned) lets no more pods come.
      - V(drained) also evicts those that are there, and waits until they are gone. Pods of DaemonSets and static ones stay.
      - V(schedulable) lets pods come again, if it was this module that kept them away; what an administrator cordoned stays so.
      - V(absent) takes the node out.
    type: str
    required: true
    choices: [cordoned, drained, schedulable, absent]
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  patience:
    description: For how many seconds pods, or the member of etcd, may be awaited.
    type: int
    default: 300
attributes:
  check_mode:
    support: full
    description: Changes nothing, and refuses what would be refused.
  diff_mode:
    support: none
    description: C(changes) says what was done.
requirements:
  - To be run on a server of the cluster, as root
"""

EXAMPLES = r"""
- name: Empty a node
  frontier.vitro.rke2_node:
    name: cloud-02
    state: drained
    patience: 600
  become: true
"""

RETURN = r"""
changes:
  description: What was done, or would be.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.cluster import read_cluster
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.draining import cordon, drain, plan_evictions, read_pods, uncordon
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import NodeRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.layout import api
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.nodes import plan_removal, remove_node

ARGUMENTS = {
    "name": {"type": "str", "required": True},
    "state": {"type": "str", "required": True, "choices": ["cordoned", "drained", "schedulable", "absent"]},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "patience": {"type": "int", "default": 300},
}


def ensure_node(data: Path, name: str, state: str, patience: int, *, check_mode: bool) -> list[str]:
    cluster, server = read_cluster(data), api(data)
    there = name in {one.name for one in cluster.nodes}
    if state == "absent":
        if refused := plan_removal(cluster, name):
            raise NodeRefused(f"Cannot take {name} out: {refused}. Nothing was changed")
        if check_mode:
            return [f"node {name}"] if there else []
        return remove_node(data, name, patience=patience)
    if not there:
        raise NodeRefused(f"Cannot bring {name} to {state}: there is no such node", cure=", ".join(one.name for one in cluster.nodes))
    if state == "schedulable":
        return [state] if uncordon(server, name, check_mode=check_mode) else []
    changes = ["cordoned"] if cordon(server, name, check_mode=check_mode) else []
    if state == "drained":
        left = [str(one) for one in plan_evictions(read_pods(server, name))] if check_mode else drain(server, name, patience)
        changes += [f"{one} evicted" for one in left]
    return changes


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    try:
        changes = ensure_node(Path(given["data_dir"]), given["name"], given["state"], given["patience"], check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=bool(changes), changes=changes)


if __name__ == "__main__":
    main()
