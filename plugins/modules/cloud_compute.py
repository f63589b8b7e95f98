#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cloud_compute
short_description: Take a compute host into use, out of use, empty it, or make the cloud forget it
version_added: 0.1.0
description:
  - Works by the APIs of Nova, Placement and Neutron, and not on the host itself.
  - V(drained) is refused before anything is touched when Placement has no room for the guests on the other hosts, or there is no other.
    Else the service is disabled, and the guests are moved, a few at a time. A guest that cannot be moved hinders no other; at the end each
    is named with the reason, the module fails, and the host stays disabled.
  - V(absent) is for a host that is empty and whose services are stopped. Its Nova service, its provider in Placement and its agents in
    Neutron are deleted.
  - Nothing is remembered between runs. After an interruption, run it again, and it goes on.
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
  host:
    description: The compute host, by the name that its Nova service has.
    type: str
    required: true
  state:
    description:
      - V(enabled) takes new guests, V(disabled) takes none, V(drained) has none and takes none.
      - With V(absent), the cloud knows nothing of it.
    type: str
    required: true
    choices: [enabled, disabled, drained, absent]
  reason:
    description: What Nova shows as the reason while the service is disabled. The reason of a service that is disabled already is kept.
    type: str
    default: drained by frontier.vitro
  stopped:
    description: What happens to guests that are stopped. With V(migrate) they are moved cold and stay stopped, with V(refuse) they stay.
    type: str
    choices: [migrate, refuse]
    default: migrate
  local_disks:
    description:
      - What happens to running guests with disks on the host itself. With V(copy), Nova copies the disks while the guest runs.
      - With V(refuse), such guests stay. Disks in Ceph and volumes are not copied in any case.
    type: str
    choices: [copy, refuse]
    default: copy
  parallel:
    description: How many guests are moved at once.
    type: int
    default: 2
  timeout:
    description: How many seconds all guests together may take.
    type: int
    default: 3600
attributes:
  check_mode:
    support: full
    description: Changes nothing, and tells which guests would be moved, a host that has room for each, and which would stay.
    details: Which host a guest is moved to is the scheduler's choice, so it may become another.
  diff_mode:
    support: full
    description: The state of the service and the guests, before and after.
requirements:
  - openstacksdk on the controller
notes:
  - Runs on the controller always.
  - Placement is asked for hosts without nested providers. Guests with devices or NUMA shares in such providers are placed by Nova alone.
"""

EXAMPLES = r"""
- name: Empty a compute host
  frontier.vitro.cloud_compute:
    clouds: rendered/kolla/clouds.yaml
    host: cloud-03
    state: drained
    reason: new memory on Tuesday

- name: Take it into use again
  frontier.vitro.cloud_compute:
    clouds: rendered/kolla/clouds.yaml
    host: cloud-03
    state: enabled
"""

RETURN = r"""
moves:
  description: The guests that were moved, with C(id), C(name) and C(to). In check mode those that would be.
  returned: when the cloud was asked
  type: list
  elements: dict
left:
  description: The guests that stay, with C(id), C(name) and C(why).
  returned: when the cloud was asked
  type: list
  elements: dict
removed:
  description: What the cloud knew of the host and was deleted, for O(state=absent).
  returned: when the cloud was asked
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.arguments import COMPUTE_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=COMPUTE_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot work here: call it as frontier.vitro.cloud_compute, so that it runs on the controller")


if __name__ == "__main__":
    main()
