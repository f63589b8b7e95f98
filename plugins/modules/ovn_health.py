#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_health
short_description: Prove that OVN is the planned one, and well
version_added: 0.1.0
description:
  - Compares members, leaders, logs and timers of both databases, chassis and the spread of gateways with what is wanted, and sees that
    northd translates. Run it at a member.
  - The module changes nothing but a counter that exists for this question, and fails only if it cannot ask.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  wanted:
    description: The wanted OVN, as P(frontier.vitro.ovn_wanted#filter) gives it.
    type: dict
    required: true
  found:
    description: What M(frontier.vitro.ovn_cluster_info) said of each member.
    type: dict
    required: true
  spread:
    description: Whether gateways must be spread as planned.
    type: bool
    default: true
  patience:
    description: For how many seconds northd may take to translate.
    type: int
    default: 30
attributes:
  check_mode:
    support: full
    description: Does not count up, and leaves northd out.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Ask the member how it is
  frontier.vitro.ovn_cluster_info:
  register: ovn
  become: true

- name: Prove OVN
  frontier.vitro.ovn_health:
    wanted: "{{ 'sites/example/plan.json' | frontier.vitro.ovn_wanted }}"
    found:
      cloud-01: "{{ ovn.databases }}"
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
from ansible_collections.frontier.vitro.plugins.module_utils.checks import evidence, wrong
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn import health
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import northbound, southbound
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.syncing import synced

ARGUMENTS = {
    "wanted": {"type": "dict", "required": True},
    "found": {"type": "dict", "required": True},
    "spread": {"type": "bool", "default": True},
    "patience": {"type": "int", "default": 30},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    wanted, options = given["wanted"], {"timeout": given["timeout"], "patience": given["timeout"]}
    checks = [*health.judge_members(wanted, given["found"]), *health.judge_timers(wanted, given["found"])]
    try:
        north = northbound(**options)
        checks += health.judge_chassis(wanted, southbound(**options).read(**health.SOUTHBOUND))
        checks += health.judge_gateways(wanted, north.read(**health.NORTHBOUND)) if given["spread"] else []
        checks += [] if module.check_mode else [health.judge_translation(synced(north, given["patience"]))]
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=False, checks=evidence(checks, "ovn"), wrong=wrong(checks))


if __name__ == "__main__":
    main()
