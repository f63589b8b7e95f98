#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cloud_health
short_description: Ask an OpenStack cloud from outside how it is
version_added: 0.1.0
description:
  - Logs in as a client does, and asks. Every endpoint of the catalogue answers; every service of Nova and Cinder and every agent of Neutron
    is up and enabled; the hypervisors are exactly the compute hosts of the plan; and, where O(boot) says with what, a guest boots.
  - The guest is removed again always, also when the run is interrupted. What a run that was killed left behind is removed by the next one.
  - Each question gives one check with what is wanted and what was seen. The module fails only if it cannot log in.
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
  compute:
    description: The names of the compute hosts that the plan has.
    type: list
    elements: str
    required: true
  interfaces:
    description: Which endpoints are asked. Leave V(internal) out where the controller has no way to the API network.
    type: list
    elements: str
    choices: [public, internal, admin]
    default: [public, internal]
  boot:
    description: What to boot a guest from, by name or id. Without it, and in check mode, none is booted.
    type: dict
    suboptions:
      image:
        description: The image.
        type: str
        required: true
      flavor:
        description: The flavor.
        type: str
        required: true
      network:
        description: The network.
        type: str
        required: true
      timeout:
        description: How many seconds it may take until the guest is C(ACTIVE).
        type: int
        default: 300
attributes:
  check_mode:
    support: full
    description: Asks all the same, and boots nothing.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - openstacksdk on the controller
notes:
  - Runs on the controller always.
"""

EXAMPLES = r"""
- name: Ask the cloud how it is
  frontier.vitro.cloud_health:
    clouds: rendered/kolla/clouds.yaml
    compute: [cloud-01, cloud-02, cloud-03]
    boot:
      image: cirros
      flavor: m1.tiny
      network: internal
  register: health
"""

RETURN = r"""
checks:
  description: Every question with its answer, as records of evidence.
  returned: success
  type: list
  elements: dict
  contains:
    stage: {description: Always C(openstack)., type: str}
    check: {description: What was asked., type: str}
    target: {description: "The endpoint, service, agent, host or guest.", type: str}
    wanted: {description: What the plan wants., type: str}
    seen: {description: What was seen., type: str}
    ok: {description: Whether that is good., type: bool}
    time: {description: "When, in UTC.", type: str}
wrong:
  description: What is not good, one sentence each.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.arguments import HEALTH_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=HEALTH_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot ask here: call it as frontier.vitro.cloud_health, so that it runs on the controller")


if __name__ == "__main__":
    main()
