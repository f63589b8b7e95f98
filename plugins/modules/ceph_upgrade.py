#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_upgrade
short_description: Bring a Ceph cluster to another image, watched
version_added: 0.1.0
description:
  - By cephadm, which takes managers, monitors, OSDs and the rest in this order, and restarts a daemon only when the cluster can do without.
  - It begins only when the cluster is well. A daemon that does not run with the image, an error of health, and whatever cephadm stops for,
    pause it and fail. Run it again to go on where it stopped, also when the run was cut off.
  - An older version, and one more than two releases away, are refused by cephadm.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph, frontier.vitro.waiting]
options:
  image:
    description: The container image.
    type: str
    required: true
  ignored:
    description: Complaints of Ceph's that do not count, by their codes.
    type: list
    elements: str
    default: []
  begun:
    description: Whether this run has begun the upgrade, so that what cephadm stopped meanwhile stays so. The action sets it.
    type: bool
    default: false
attributes:
  check_mode:
    support: full
    description: Says which daemons would be restarted, by their kinds.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Bring the cluster to the next release
  frontier.vitro.ceph_upgrade:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    image: registry.example.com/ceph/ceph:v20.2.5
  become: true
"""

RETURN = r"""
changes:
  description: What was done, a sentence each.
  returned: success
  type: list
  elements: str
awaited:
  description: The daemons that are still to come.
  returned: success
  type: list
  elements: str
version:
  description: The version in the image.
  returned: success
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.upgrade import (
    ARGUMENTS,
    UpgradePaused,
    changes,
    look,
    progress,
)
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        live, plan = look(session, given["image"], given["ignored"], begun=given["begun"])
        if not module.check_mode:
            session.ask([step.command for step in plan.steps])
        if plan.failure:
            raise UpgradePaused(plan.failure)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    done = changes(plan, all_of_it=module.check_mode)
    module.exit_json(
        changed=bool(done),
        changes=done,
        awaited=plan.awaited,
        progress=progress(plan, live),
        version=live["check"]["target_version"],
    )


if __name__ == "__main__":
    main()
