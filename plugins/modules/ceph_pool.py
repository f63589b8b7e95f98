#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_pool
short_description: Keep the pools of a Ceph cluster, their rules, erasure codes and the file system
version_added: 0.1.0
description:
  - Compares all pools with the running cluster in one call, makes what is missing and sets what differs.
  - What cannot be changed, and what would lower what a pool survives, is refused, all of it at once, and then nothing is changed.
  - Pools that are not given are named and stay.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  pools:
    description: The pools, each copied or erasure-coded.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: Its name.
        type: str
        required: true
      application:
        description: Who uses it.
        type: str
        required: true
        choices: [rbd, rgw, cephfs]
      copies:
        description: How many copies it keeps. Without it, it is erasure-coded.
        type: int
      minimum:
        description: With how many it still takes writes.
        type: int
      data_chunks:
        description: In how many chunks an object is cut.
        type: int
      coding_chunks:
        description: How many chunks may be lost.
        type: int
      placement_groups:
        description: With how many a new pool begins. Ceph's autoscaler goes on from there.
        type: int
        default: 8
      share:
        description: What share of the cluster it is expected to use, in percent.
        type: int
        default: 0
      quota_bytes:
        description: How much it may hold; V(0) is no limit. Without it, what is set stays.
        type: int
  domain:
    description: Over what copies are spread.
    type: str
    default: host
    choices: [host, rack]
  filesystem:
    description: The name of a CephFS on the two pools of that application, of which the one for metadata has a name that ends so.
    type: str
  fewer_copies:
    description: Pools that may get fewer copies than they have.
    type: list
    elements: str
    default: []
  deleted:
    description: Pools to delete with all their data.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Says from the running cluster what would change.
  diff_mode:
    support: full
    description: Shows each change.
"""

EXAMPLES = r"""
- name: Keep the pools
  frontier.vitro.ceph_pool:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    pools:
      - {name: images, application: rbd, copies: 3, minimum: 2, share: 10}
      - {name: volumes, application: rbd, copies: 3, minimum: 2, share: 40}
    domain: rack
  become: true
"""

RETURN = r"""
changes:
  description: What was changed, a sentence each.
  returned: success
  type: list
  elements: str
unplanned:
  description: Pools that are there and were not given.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.pools import EMPTY, QUESTIONS, plan_pools, wanted_of
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

POOL = {
    "name": {"type": "str", "required": True},
    "application": {"type": "str", "required": True, "choices": ["rbd", "rgw", "cephfs"]},
    "copies": {"type": "int"},
    "minimum": {"type": "int"},
    "data_chunks": {"type": "int"},
    "coding_chunks": {"type": "int"},
    "placement_groups": {"type": "int", "default": 8},
    "share": {"type": "int", "default": 0},
    "quota_bytes": {"type": "int"},
}
ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "pools": {
        "type": "list",
        "elements": "dict",
        "required": True,
        "options": POOL,
        "mutually_exclusive": [("copies", "data_chunks")],
        "required_one_of": [("copies", "data_chunks")],
        "required_together": [("data_chunks", "coding_chunks")],
    },
    "domain": {"type": "str", "default": "host", "choices": ["host", "rack"]},
    "filesystem": {"type": "str"},
    "fewer_copies": {"type": "list", "elements": "str", "default": []},
    "deleted": {"type": "list", "elements": "str", "default": []},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        plan = plan_pools(
            wanted_of(given, given["fewer_copies"], given["deleted"]), session.read_if_there(QUESTIONS, EMPTY, check_mode=module.check_mode)
        )
        if not module.check_mode:
            session.ask([command for step in plan.steps for command in step.commands])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    changes = [step.what for step in plan.steps]
    diff = {"before": "", "after": "".join(f"{line}\n" for line in changes)}
    module.exit_json(changed=bool(changes), changes=changes, unplanned=plan.unplanned, diff=diff)


if __name__ == "__main__":
    main()
