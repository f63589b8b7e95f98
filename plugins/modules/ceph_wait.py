#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_wait
short_description: Wait until a Ceph cluster is as far as it shall be
version_added: 0.1.0
description:
  - Asks the cluster again and again, and shows each step of it. Fails when nothing moves any more, and says what is still missing.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  monitors:
    description: The monitors that shall be in the quorum.
    type: list
    elements: str
    default: []
  osds:
    description: How many OSDs shall be up and in.
    type: int
  services:
    description: The specifications of services of which every daemon shall run, with C(service_type) and perhaps C(service_id).
    type: list
    elements: dict
    default: []
  clean:
    description: Whether all placement groups shall be active and clean.
    type: bool
    default: false
  pause:
    description: How many seconds lie between two questions. Each starts a container.
    type: int
    default: 10
  patience:
    description: For how many seconds nothing may move.
    type: int
    default: 900
attributes:
  check_mode:
    support: full
    description: Does not wait.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Wait for the disks
  frontier.vitro.ceph_wait:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    monitors: [cloud-01, cloud-02, cloud-03]
    osds: 6
    services:
      - {service_type: mds, service_id: cephfs}
    clean: true
  become: true
"""

RETURN = r"""
cluster:
  description: What the cluster said last, as M(frontier.vitro.ceph_info) returns it.
  returned: success
  type: dict
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.waiting import ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot wait here: call it as frontier.vitro.ceph_wait, so that the controller asks")


if __name__ == "__main__":
    main()
