#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_spec
short_description: Keep the hosts and services of a Ceph cluster
version_added: 0.1.0
description:
  - Compares cephadm's specifications with the running cluster in one call and applies those that differ; says what cephadm will do.
  - Disks of OSDs stand in the specifications by their serial numbers (C(serials)), and are resolved to stable paths. cephadm has no filter
    by serial number.
  - Services and hosts that are not given are named and stay.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  hosts:
    description: Specifications of hosts, with C(hostname) C(addr) C(labels) and perhaps C(location).
    type: list
    elements: dict
    required: true
  services:
    description: Specifications of services.
    type: list
    elements: dict
    required: true
  disks:
    description: The path of each serial number, by host, as M(frontier.vitro.ceph_disks) finds them.
    type: dict
    default: {}
attributes:
  check_mode:
    support: full
    description: Says from the running cluster what would change.
  diff_mode:
    support: full
    description: Shows each specification.
"""

EXAMPLES = r"""
- name: Apply the specifications
  frontier.vitro.ceph_spec:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    hosts:
      - {service_type: host, hostname: cloud-01, addr: 192.0.2.11, labels: [_admin, mon, mgr, osd]}
    services:
      - {service_type: mon, placement: {label: mon}}
      - service_type: osd
        service_id: cloud-01-ssd
        placement: {hosts: [cloud-01]}
        spec: {data_devices: {serials: [S1, S2]}}
    disks:
      cloud-01: {S1: /dev/disk/by-id/wwn-0x5000c500a0000001, S2: /dev/disk/by-id/wwn-0x5000c500a0000002}
  become: true
"""

RETURN = r"""
changes:
  description: What cephadm was told, a sentence each.
  returned: success
  type: list
  elements: str
unplanned:
  description: Services that run and were not given.
  returned: success
  type: list
  elements: str
"""

import json

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.spec import EMPTY, QUESTIONS, plan_specs, resolve_disks
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "hosts": {"type": "list", "elements": "dict", "required": True},
    "services": {"type": "list", "elements": "dict", "required": True},
    "disks": {"type": "dict", "default": {}},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        services = resolve_disks(given["services"], given["disks"])
        plan = plan_specs(given["hosts"], services, session.read_if_there(QUESTIONS, EMPTY, check_mode=module.check_mode))
        if not module.check_mode:
            session.ask(plan.commands)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    diff = [
        {
            "before_header": one.name,
            "after_header": one.name,
            "before": json.dumps(one.before, indent=2, sort_keys=True) + "\n" if one.before else "",
            "after": json.dumps(one.after, indent=2, sort_keys=True) + "\n",
        }
        for one in plan.changes
    ]
    changes = [f"{one.name}: {'changed' if one.before else 'added'}" for one in plan.changes]
    changes += [f"host {host}: without {label}" for host, label in plan.labels]
    module.exit_json(changed=bool(changes), changes=changes, unplanned=plan.unplanned, diff=diff)


if __name__ == "__main__":
    main()
