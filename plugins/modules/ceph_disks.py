#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_disks
short_description: Find the planned disks of a host, by serial number, and what is on them
version_added: 0.1.0
description:
  - Resolves serial numbers (or WWNs) to names in C(/dev/disk/by-id), and looks whether each disk is empty or an OSD of the cluster already.
  - Fails for a disk that is not there, is there twice, has another size, or holds something, with all of them in one message; also on a
    host that belongs to another cluster. Then nothing is changed.
  - Disks that the plan allows to wipe are cleared, unless they are mounted or part of LVM.
author:
  - Vitro contributors (@frontier)
options:
  fsid:
    description: The id of the cluster.
    type: str
    required: true
  disks:
    description: The planned disks.
    type: list
    elements: dict
    required: true
    suboptions:
      serial:
        description: The serial number.
        type: str
        required: true
      wwn:
        description: The World Wide Name, for a disk whose serial number the kernel tells otherwise.
        type: str
      bytes:
        description: The planned size.
        type: int
      wipe:
        description: Whether what is on it may be lost.
        type: bool
        default: false
attributes:
  check_mode:
    support: full
    description: Looks and wipes nothing.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - lsblk, wipefs and, for LVM, lvs on the host
"""

EXAMPLES = r"""
- name: Find the planned disks
  frontier.vitro.ceph_disks:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    disks:
      - {serial: S1, wwn: 5000c500a0000001, bytes: 960197124096}
  register: disks
  become: true
"""

RETURN = r"""
paths:
  description: The stable path of each serial number.
  returned: success
  type: dict
kernel_names:
  description: The kernel's name of each serial number, which holds until the next restart.
  returned: success
  type: dict
orphaned:
  description: Whether disks hold OSDs of the cluster and the host has no daemon for any, as after its system was installed anew.
  returned: success
  type: bool
wiped:
  description: Devices that were cleared.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.bootstrap import Host
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.disks import (
    DisksWrong,
    Wanted,
    clear_disk,
    find_disks,
    read_disks,
    read_links,
)
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

DISK = {
    "serial": {"type": "str", "required": True},
    "wwn": {"type": "str"},
    "bytes": {"type": "int"},
    "wipe": {"type": "bool", "default": False},
}
ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "disks": {"type": "list", "elements": "dict", "required": True, "options": DISK},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    fsid = module.params["fsid"]
    try:
        host = Host(fsid)
        host.refuse_foreign()
        found = find_disks([Wanted(**one) for one in module.params["disks"]], read_disks(), fsid, read_links())
        if found.problems:
            raise DisksWrong(found.problems)
        for path in found.wipe if not module.check_mode else ():
            clear_disk(path)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(
        changed=bool(found.wipe),
        paths=found.paths,
        kernel_names=found.kernel_names,
        orphaned=found.in_use and not any(name.startswith("osd.") for name in host.daemons()),
        wiped=found.wipe,
    )


if __name__ == "__main__":
    main()
