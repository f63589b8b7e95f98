#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_osd
short_description: Take the OSDs on a disk out of service, or start those on disks that came back
version_added: 0.1.0
description:
  - Finds the OSDs by the serial number of the disk, also when they do not run any more. A disk with databases of several OSDs has them all.
  - Moves their data to the others, waits for that and shows how far it is. Their numbers and places in the CRUSH tree stay, for the
    next disk. A run that was cut off goes on when it is repeated.
  - With V(present) it starts the OSDs on disks that outlived the system of their host, under the numbers that they had. Waits until all of
    the host are up.
  - Refuses what would leave too little room, or might cost the last copy of some data; then nothing is changed.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph, frontier.vitro.waiting]
options:
  host:
    description: The host of the disk, as the cluster calls it.
    type: str
    required: true
  serial:
    description: The serial number of the disk to be replaced.
    type: str
  state:
    description: V(absent) takes the OSDs on the disk out of service, V(present) starts all that are on disks of the host.
    type: str
    required: true
    choices: [absent, present]
  lost:
    description:
      - Whether nothing can be read from the disk any more, so that its OSDs are given up at once. Refused while they run, and while
        placement groups are not active.
    type: bool
    default: false
  method:
    description:
      - How OSDs use their disks. With V(lvm) the number and the place in the CRUSH tree wait for the next disk.
      - With V(raw) the OSD is removed whole, since C(ceph-volume raw) cannot give a disk a number. The next one gets the lowest free
        number.
    type: str
    default: lvm
    choices: [lvm, raw]
  begun:
    description: Whether this run has begun with it, so that an OSD that is gone is what was wanted. The action sets it.
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
- name: Take the OSD on a worn disk out of service
  frontier.vitro.ceph_osd:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    host: cloud-02
    serial: S3EVNX0K123456
    state: absent
  become: true

- name: Take back the disks of a server whose system was installed anew
  frontier.vitro.ceph_osd:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    host: cloud-02
    state: present
  become: true
"""

RETURN = r"""
osds:
  description: The numbers of the OSDs on the disk, or on the host.
  returned: success
  type: list
  elements: int
changes:
  description: What was done, a sentence each.
  returned: success
  type: list
  elements: str
awaited:
  description: The OSDs that still have data, or are not up yet.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.osds import (
    ARGUMENTS,
    QUESTIONS,
    look_again,
    plan_removal,
    plan_return,
    progress,
)
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True, required_if=[("state", "absent", ["serial"])])
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        if given["state"] == "present":
            session.ask(look_again(given["host"]))
            plan = plan_return(given["host"], session.read(**QUESTIONS))
            shown = f"{', '.join(plan.awaited)} of {given['host']} not up yet"
        else:
            live = session.read(**QUESTIONS)
            plan = plan_removal(
                given["host"], given["serial"], live, lost=given["lost"], keep=given["method"] == "lvm", begun=given["begun"]
            )
            shown = progress(plan, live)
        if not module.check_mode:
            session.ask([step.command for step in plan.steps])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    changes = [step.what for step in plan.steps]
    module.exit_json(changed=bool(changes), osds=plan.osds, changes=changes, awaited=plan.awaited, progress=shown)


if __name__ == "__main__":
    main()
