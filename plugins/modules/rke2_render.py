#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_render
short_description: Say what a node of RKE2 is to have, and write it for review
version_added: 0.1.0
description:
  - Makes every file of a node from what the role was given, and writes them below O(dest) on the controller, each under its own path.
    Where a secret will be stands a mark.
  - Asks no host.
author:
  - Vitro contributors (@frontier)
options:
  node:
    description:
      - The node, as the role's variables have it - C(name), C(role), C(version), C(servers), C(peers), C(data_dir), C(address), C(config),
        C(labels), C(taints), C(registration), C(planned), C(registries), C(manifests), C(kubelet), C(audit_rules), C(exempt_namespaces),
        C(fips).
    type: dict
    required: true
  dest:
    description: The folder of the node.
    type: path
    required: true
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows the files, with marks for secrets.
"""

EXAMPLES = r"""
- name: Say what the node is to have
  frontier.vitro.rke2_render:
    node:
      name: "{{ inventory_hostname }}"
      role: server
      version: v1.35.7+rke2r1
      servers: ["{{ inventory_hostname }}"]
    dest: /tmp/vitro-examples/rke2
"""

RETURN = r"""
config:
  description: config.yaml, with marks for secrets. C(role), C(address), C(labels), C(taints), C(ports) and C(watched) are beside it.
  returned: success
  type: dict
objections:
  description: What is wrong with it by itself, for M(frontier.vitro.rke2_preflight).
  returned: success
  type: list
  elements: dict
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.arguments import RENDER


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=RENDER, supports_check_mode=True)
    module.fail_json(msg="Cannot render here: call it as frontier.vitro.rke2_render, so that it runs on the controller")


if __name__ == "__main__":
    main()
