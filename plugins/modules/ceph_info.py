#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_info
short_description: Ask a Ceph cluster how it is, in one call
version_added: 0.1.0
description:
  - Health, monitors and quorum, every OSD with its host and devices, capacity, placement groups and versions, all by one process and one
    connection.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Ask the cluster how it is
  frontier.vitro.ceph_info:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
  register: ceph
  become: true
"""

RETURN = r"""
cluster:
  description: What the cluster says.
  returned: success
  type: dict
  contains:
    fsid: {description: Its id., type: str}
    health: {description: C(HEALTH_OK) C(HEALTH_WARN) or C(HEALTH_ERR)., type: str}
    complaints: {description: "What is not well: C(code) C(severity) C(message).", type: list, elements: dict}
    monitors: {description: The monitors., type: list, elements: str}
    quorum: {description: Those that agree., type: list, elements: str}
    osds: {description: "Every OSD: C(id) C(up) C(in) C(class) C(places) C(devices).", type: list, elements: dict}
    capacity: {description: "C(total) C(used) C(free) in bytes.", type: dict}
    placement_groups: {description: How many are in which state., type: dict}
    misplaced: {description: The share of objects that are not where they shall be., type: float}
    degraded: {description: The share of objects with fewer copies than they shall have., type: float}
    versions: {description: How many daemons run which version., type: dict}
    services: {description: "How many daemons of each service are C(running) and C(wanted).", type: dict}
    errors: {description: What cephadm said last that it cannot do., type: list, elements: str}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.info import QUESTIONS, summary
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    try:
        cluster = summary(Session(**module.params).read(**QUESTIONS))
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=False, cluster=cluster)


if __name__ == "__main__":
    main()
