#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_host
short_description: Let a host of a Ceph cluster rest, empty it, or remove it
version_added: 0.1.0
description:
  - Asks first whether the cluster can do without the host. Monitors must keep a quorum, data its copies and its room; what speaks against
    it is said all at once, and then nothing is changed.
  - V(drained) waits until the host has no daemon any more, and shows how far it is. A run that was cut off goes on when it is repeated.
  - Run it on a monitor other than the host.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph, frontier.vitro.waiting]
options:
  name:
    description: The host.
    type: str
    required: true
  state:
    description:
      - V(maintenance) stops its daemons for a while, V(active) starts them again.
      - V(drained) moves its data and daemons to the others, V(absent) removes a host that is drained.
    type: str
    required: true
    choices: [active, maintenance, drained, absent]
  lost:
    description: Whether the host is gone for good, so that V(absent) forgets it with its OSDs. Refused while cephadm reaches it.
    type: bool
    default: false
attributes:
  check_mode:
    support: full
    description: Says what would be done, and does not wait.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Let a host rest
  frontier.vitro.ceph_host:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    name: cloud-02
    state: maintenance
  delegate_to: cloud-01
  become: true
"""

RETURN = r"""
changes:
  description: What was done, a sentence each.
  returned: success
  type: list
  elements: str
awaited:
  description: What is still on the host.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.hosts import ARGUMENTS, QUESTIONS, look_at, plan_host, progress
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        if given["lost"]:
            session.ask([look_at(given["name"])])
        live = session.read(**QUESTIONS)
        plan = plan_host(given["name"], given["state"], live, lost=given["lost"])
        if not module.check_mode:
            session.ask([step.command for step in plan.steps])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    changes = [step.what for step in plan.steps]
    module.exit_json(changed=bool(changes), changes=changes, awaited=plan.awaited, progress=progress(given["name"], plan, live))


if __name__ == "__main__":
    main()
