#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_chassis_records
short_description: Remove records of chassis that stand in the way of a planned one
version_added: 0.1.0
description:
  - A host that was renamed, or made anew, leaves its old record in the Southbound database, with the same host name or encapsulation
    address. Its new one is then refused. Such records are removed, in one transaction.
  - Records that are in nobody's way stay, even if nobody planned them. To remove one of those, name it in O(gone).
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  planned:
    description: The encapsulation address of each planned chassis, by its name.
    type: dict
    required: true
  gone:
    description: Names of chassis that are gone for good.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Says what would be removed.
  diff_mode:
    support: full
    description: Shows each record.
"""

EXAMPLES = r"""
- name: Let planned chassis in
  frontier.vitro.ovn_chassis_records:
    planned: {cloud-01: 198.51.100.11, cloud-02: 198.51.100.12}
  become: true
"""

RETURN = r"""
removed:
  description: The reason by the name of the chassis.
  returned: success
  type: dict
unplanned:
  description: Chassis that nobody planned, and that stay.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.chassis import RECORDS, registered, remove_records, stale
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import southbound

ARGUMENTS = {
    "planned": {"type": "dict", "required": True},
    "gone": {"type": "list", "elements": "str", "default": []},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    database = southbound(timeout=given["timeout"], patience=given["timeout"])
    try:
        live = database.read(**RECORDS)
        records = registered(live)
        removed = stale(records, given["planned"]) | {one.name: "it was named" for one in records if one.name in given["gone"]}
        if not module.check_mode:
            database.transact(remove_records(live, list(removed)))
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    unplanned = [one.name for one in records if one.name not in {*given["planned"], *removed}]
    diff = {"before": "".join(f"{name}\n" for name in removed), "after": ""}
    module.exit_json(changed=bool(removed), removed=removed, unplanned=unplanned, diff=diff)


if __name__ == "__main__":
    main()
