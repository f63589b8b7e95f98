#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cloud_networks
short_description: Prove that Neutron and OVN have the same networks
version_added: 0.1.0
description:
  - Compares networks, ports, routers and floating addresses that Neutron has with those of Neutron's that OVN has, and names what one side
    has and the other lacks.
  - OVN is asked before and after Neutron, so that what is made or removed meanwhile does not count. Each side is asked for all of a kind at
    once, whatever its size. What Neutron does not keep in OVN, and what in OVN is not Neutron's, does not count either.
  - Nothing is changed. The module fails only if it cannot ask.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.cloud]
options:
  clouds:
    description:
      - A C(clouds.yaml), such as C(kolla-ansible post-deploy) writes.
      - If it is encrypted by Ansible Vault, it is decrypted in memory only.
    type: path
    required: true
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - openstacksdk on the controller
notes:
  - The cloud is asked from the controller, and OVN on the host of the task, which must be a member of its databases.
seealso:
  - module: frontier.vitro.ovn_networks_info
    description: Asks OVN.
"""

EXAMPLES = r"""
- name: Hold Neutron against OVN
  frontier.vitro.cloud_networks:
    clouds: rendered/kolla/clouds.yaml
  register: same
  become: true
"""

RETURN = r"""
checks:
  description: "Two for each kind, as records of evidence: what Neutron has is in OVN, and what OVN has is in Neutron."
  returned: success
  type: list
  elements: dict
wrong:
  description: What is not good, one sentence each, with what to do.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.arguments import LOGIN


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=LOGIN, supports_check_mode=True)
    module.fail_json(msg="Cannot ask here: call it as frontier.vitro.cloud_networks, so that it runs on the controller")


if __name__ == "__main__":
    main()
