#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_cluster_info
short_description: Ask one server of an RKE2 cluster how all of it is, in one go
version_added: 0.1.0
description:
  - Says who is in etcd and votes, whether every server's supervisor and API and every agent's kubelet answer by themselves, what the nodes
    are, which jobs install charts, and when the server's certificates end.
  - All is asked with the cluster's own certificates, and verified by its own CA. No process is started.
  - A cluster that does not answer is an answer, not a failure.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.rke2]
options:
  servers:
    description: The names of the nodes that have to be members of etcd, and nobody else. Empty means that who is there counts.
    type: list
    elements: str
    default: []
  nodes:
    description: The names of more nodes that have to be there.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Wait until all is well
  frontier.vitro.rke2_cluster_info:
    servers: [cloud-01, cloud-02, cloud-03]
  register: cluster
  until: cluster.healthy
  retries: 60
  delay: 5
  become: true
"""

RETURN = r"""
healthy:
  description: >-
    Whether a node may be restarted now. Every wanted server votes in etcd, which has a leader and no alarm; every node is ready, and says
    so itself.
  returned: success
  type: bool
why:
  description: What speaks against it.
  returned: success
  type: list
  elements: str
members:
  description: "The members of etcd: C(name) C(id) C(address) C(voter) C(leader)."
  returned: success
  type: list
  elements: dict
nodes:
  description: "The nodes: C(name) C(address) C(ready) C(server) C(version) C(schedulable) C(labels) C(taints) C(annotations)."
  returned: success
  type: list
  elements: dict
readyz:
  description: C(ok), or why not, by node, asked from the node itself.
  returned: success
  type: dict
alarms:
  description: What etcd complains about, such as a full database.
  returned: when the cluster answers
  type: list
  elements: str
jobs:
  description: "The jobs that install charts: C(name) C(done)."
  returned: success
  type: list
  elements: dict
certificates:
  description: "Those of the server: C(file) C(ends) C(days) C(ca)."
  returned: when the cluster answers
  type: list
  elements: dict
ca:
  description: The hash of the cluster's CA, as a full token has it. Empty where there is no cluster.
  returned: success
  type: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.cluster import cluster_data

ARGUMENTS = {
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "servers": {"type": "list", "elements": "str", "default": []},
    "nodes": {"type": "list", "elements": "str", "default": []},
    "timeout": {"type": "int", "default": 10},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    found = cluster_data(Path(given["data_dir"]), given["servers"], given["nodes"], timeout=given["timeout"])
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
