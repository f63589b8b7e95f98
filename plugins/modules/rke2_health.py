#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_health
short_description: Hold a running cluster of RKE2 against what was wanted
version_added: 0.1.0
description:
  - Asks etcd, every server, every node, the jobs that install charts, the encryption of secrets and the registration address, and judges
    what hosts said of themselves.
  - What is not well is an answer, not a failure.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.rke2]
options:
  version:
    description: The wanted version.
    type: str
    required: true
  wanted:
    description: By host what M(frontier.vitro.rke2_render) told of it.
    type: dict
    required: true
  found:
    description: By host what M(frontier.vitro.rke2_node_info) said of it.
    type: dict
    required: true
  registration:
    description: Where nodes register.
    type: dict
    default: {}
  fips:
    description: Whether all of it has to be FIPS.
    type: bool
    default: false
  images:
    description: By processor the images that have to be there.
    type: dict
    default: {}
  ignored:
    description: Names of checks that are made and do not count.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Hold the cluster against what was wanted
  frontier.vitro.rke2_health:
    version: v1.35.7+rke2r1
    wanted: "{{ wanted }}"
    found: "{{ found }}"
  become: true
"""

RETURN = r"""
checks:
  description: Records of evidence.
  returned: success
  type: list
  elements: dict
wrong:
  description: What is not well, one sentence each.
  returned: success
  type: list
  elements: str
awaited:
  description: Of those the ones that may yet come by themselves after a start.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.checks import evidence, wrong
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.health import PASSING, Wanted, check_health

ARGUMENTS = {
    "version": {"type": "str", "required": True},
    "wanted": {"type": "dict", "required": True},
    "found": {"type": "dict", "required": True},
    "registration": {"type": "dict", "default": {}},
    "fips": {"type": "bool", "default": False},
    "images": {"type": "dict", "default": {}},
    "ignored": {"type": "list", "elements": "str", "default": []},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "timeout": {"type": "int", "default": 10},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    nodes = {one["config"]["node-name"]: {**one, "found": given["found"][name]} for name, one in given["wanted"].items()}
    wanted = Wanted(given["version"], nodes, given["registration"], fips=given["fips"], images=given["images"])
    checks = [*check_health(Path(given["data_dir"]), wanted, timeout=given["timeout"])]
    counted = [one for one in checks if one.check not in given["ignored"]]
    awaited = [one for one in counted if not one.ok and one.check in PASSING]
    module.exit_json(changed=False, checks=evidence(checks, "rke2"), wrong=wrong(counted), awaited=wrong(awaited))


if __name__ == "__main__":
    main()
