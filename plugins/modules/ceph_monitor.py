#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_monitor
short_description: Let the monitor of this host go on alone, because the quorum is lost for good
version_added: 0.1.0
description:
  - For a cluster of which more than half of the monitors are gone for good. The others are taken out of this monitor's map, as Ceph's own
    guide says. A copy of its store is kept below C(/var/lib/vitro).
  - It is refused as long as the cluster has a quorum. A run that was cut off can be run again.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  name:
    description: The name of the monitor, which is that of its host.
    type: str
    required: true
  patience:
    description: For how many seconds the monitor, and then a manager, may be silent afterwards.
    type: int
    default: 600
attributes:
  check_mode:
    support: full
    description: Says whether it would be done.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Let the last monitor go on alone
  frontier.vitro.ceph_monitor:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    name: cloud-03
  become: true
"""

RETURN = r"""
copy:
  description: Where the copy of the old store is.
  returned: changed
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.monitor import Monitor, ensure_alone
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "name": {"type": "str", "required": True},
    "patience": {"type": "int", "default": 600},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    monitor = Monitor(Session(given["fsid"], given["cephadm"], given["timeout"]), given["name"])
    try:
        changed, copy = ensure_alone(monitor, patience=given["patience"], check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=changed, copy=str(copy) if copy else None)


if __name__ == "__main__":
    main()
