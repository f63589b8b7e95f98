#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_node_labels
short_description: Keep labels and taints of nodes that live
version_added: 0.1.0
description:
  - RKE2 sets labels and taints of its configuration only when a node registers for the first time. This sets them at any time, by the API.
  - What it once set and is no longer wanted, is taken away. Labels and taints of others are left alone.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.rke2]
options:
  nodes:
    description: C(labels) and C(taints) by the name of the node.
    type: dict
    required: true
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows each label and the taints.
"""

EXAMPLES = r"""
- name: Keep labels and taints
  frontier.vitro.rke2_node_labels:
    nodes:
      cloud-01: {labels: {rack: R1}, taints: ["dedicated=fmc:NoSchedule"]}
  become: true
"""

RETURN = r"""
changes:
  description: What changes, one sentence each.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.labels import ensure_nodes

ARGUMENTS = {
    "nodes": {"type": "dict", "required": True},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "timeout": {"type": "int", "default": 10},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    try:
        changes = ensure_nodes(Path(given["data_dir"]), given["nodes"], timeout=given["timeout"], check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    said = [line for one in changes for line in one.lines()]
    # A note of whose a label is changes nothing that anybody asked for.
    module.exit_json(changed=bool(said), changes=said, diff={"before": "", "after": "".join(f"{line}\n" for line in said)})


if __name__ == "__main__":
    main()
