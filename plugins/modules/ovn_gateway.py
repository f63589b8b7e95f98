#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_gateway
short_description: Spread the gateways of OVN's routers over chassis and racks
version_added: 0.1.0
description:
  - Gives each router port that has gateways a ranking of the planned chassis. First choices are as many on one chassis as on another,
    and who takes over stands in another rack where there is one. A first choice that fits stays where it is, for to move it interrupts.
  - Where Neutron keeps the chassis of a router in a group, the ports that share it have one ranking, and the group of a network that is
    linked to the router follows it.
  - All that differs is changed in one transaction.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  chassis:
    description: The rack of each planned gateway, by the name of its chassis. A rack may be unknown.
    type: dict
    required: true
  routers:
    description: Names of routers whose ports all get gateways. Without any, ports that have gateways are kept in order.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows the ranking of each port, and of each group that follows.
"""

EXAMPLES = r"""
- name: Spread the gateways
  frontier.vitro.ovn_gateway:
    chassis: {cloud-01: R1, cloud-02: R2, cloud-03: R3}
  become: true
"""

RETURN = r"""
ports:
  description: The chassis of each router port, by falling priority.
  returned: success
  type: dict
carried:
  description: For how many gateways each chassis is the first choice.
  returned: success
  type: dict
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import northbound
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.gateways import TABLES, plan_gateways, plan_rows, rankings, ring, summary

ARGUMENTS = {
    "chassis": {"type": "dict", "required": True},
    "routers": {"type": "list", "elements": "str", "default": []},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    database = northbound(timeout=given["timeout"], patience=given["timeout"])
    try:
        live = database.read(**TABLES)
        before, after = plan_gateways(live, ring(given["chassis"]), given["routers"])
        work = plan_rows(live, after)
        if not module.check_mode:
            database.transact(work)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    differ = {name for name in after if before[name] != after[name]}
    diff = {"before": {name: before[name] for name in sorted(differ)}, "after": {name: after[name] for name in sorted(differ)}}
    ports = {port: after[port] for port in rankings(live, given["routers"])}
    module.exit_json(changed=bool(work), ports=ports, carried=summary(ports), diff=diff)


if __name__ == "__main__":
    main()
