#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_health
short_description: Prove that a Ceph cluster is the planned one, and well
version_added: 0.1.0
description:
  - Compares health, quorum, OSDs by serial number, pools, clients and settings with what is wanted, by one call.
  - Then tries. With each client's own key an image is written, kept in a snapshot and read back in each pool it may write, and pools it
    must not touch are tried and must refuse; an object goes through the gateways by S3, and a file through CephFS. All of it is removed
    again.
  - The module changes nothing that stays, and fails only if it cannot ask.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  cluster:
    description: The wanted cluster, as the role C(ceph) renders it.
    type: dict
    required: true
  disks:
    description: The kernel's name of each serial number, by host, as M(frontier.vitro.ceph_disks) finds them.
    type: dict
    required: true
  gateways:
    description: Address and port of each object gateway.
    type: list
    elements: str
    default: []
  ignored:
    description: Codes of Ceph's complaints that do not count.
    type: list
    elements: str
    default: []
  trial:
    description: Whether to write and read. In check mode nothing is written.
    type: bool
    default: true
attributes:
  check_mode:
    support: full
    description: Asks and writes nothing.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Prove the cluster
  frontier.vitro.ceph_health:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    cluster: "{{ lookup('ansible.builtin.file', 'sites/example/rendered/ceph/cluster.yml') | from_yaml }}"
    disks:
      cloud-01: {S1: sdb, S2: sdc}
    gateways: ["192.0.2.11:7600"]
  register: health
  become: true
"""

RETURN = r"""
checks:
  description: Every question with its answer, as records of evidence.
  returned: success
  type: list
  elements: dict
wrong:
  description: What is not good, one sentence each.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.health import judge, read_calm, trial_of
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.inside import trial
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.checks import Check, evidence, wrong
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "cluster": {"type": "dict", "required": True},
    "disks": {"type": "dict", "required": True},
    "gateways": {"type": "list", "elements": "str", "default": []},
    "ignored": {"type": "list", "elements": "str", "default": []},
    "trial": {"type": "bool", "default": True},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        live = read_calm(session, given["ignored"])
        checks = judge(given["cluster"], given["disks"], live, given["ignored"])
        if given["trial"] and not module.check_mode:
            checks += [Check(**one) for one in session.run(trial, trial_of(given, live))["outcomes"]]
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=False, checks=evidence(checks, "ceph"), wrong=wrong(checks))


if __name__ == "__main__":
    main()
