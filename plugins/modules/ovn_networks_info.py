#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_networks_info
short_description: Ask OVN which of Neutron's networks it has
version_added: 0.1.0
description:
  - Networks, ports, routers and floating addresses of the Northbound database that Neutron made, by the ids that Neutron knows them by.
    What others made is left out, such as ports to a physical network, and the switches of a trial. Run it at a member.
  - The database is asked on its own socket, in one question.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
seealso:
  - module: frontier.vitro.cloud_networks
    description: Holds them against what Neutron has.
"""

EXAMPLES = r"""
- name: Ask the member what it has of Neutron's
  frontier.vitro.ovn_networks_info:
  register: ovn
  become: true
"""

RETURN = r"""
found:
  description: By C(networks), C(ports), C(routers) and C(floating addresses), the name or address of each by its id.
  returned: success
  type: dict
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import northbound
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.networks import TABLES, of_neutron

ARGUMENTS = {"timeout": {"type": "int", "default": 30}}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    timeout = module.params["timeout"]
    try:
        found = of_neutron(northbound(timeout=timeout, patience=timeout).read(**TABLES))
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=False, found=found)


if __name__ == "__main__":
    main()
