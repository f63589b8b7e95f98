#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bmc_info
short_description: Read the hardware of servers from their BMCs
version_added: 0.1.0
description:
  - Reads one BMC or a thousand at once, by Redfish and where there is none by IPMI, and gives one record per server, with the same
    fields for every vendor.
  - A BMC that cannot be read stops no other. It is listed in RV(unread) with the reason and what to do.
  - An unknown value is V(null), never a guess. What could not be read is among the record's warnings.
  - On each BMC one session is made, and deleted also when the run fails or is interrupted. Wrong credentials are tried once.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment:
  - frontier.vitro.bmc
options:
  username:
    description: The account on the BMCs. If it is not set, the environment variable E(VITRO_BMC_USERNAME) is used.
    type: str
  password:
    description: Its password. If it is not set, the environment variable E(VITRO_BMC_PASSWORD) is used.
    type: str
  dest:
    description:
      - Where to write the hardware document, on the host that the task runs on. It is replaced in one step, and only if the hardware
        changed. With a local connection, a relative path is taken from the folder of the playbook.
      - The last record of a server whose BMC cannot be read now is kept, with a warning in it.
      - Without it, the document is returned in RV(hardware).
    type: path
  progress:
    description:
      - A file to which one line is appended for each BMC that is done. It need not be set to see the lines on the terminal, unless
        the task runs on another host.
    type: path
attributes:
  check_mode:
    support: full
    description: BMCs are read in check mode too; O(dest) is not written.
  diff_mode:
    support: full
    description: The diff says in sentences what changed in the hardware since O(dest) was written.
"""

EXAMPLES = r"""
- name: Read two racks into the hardware document
  frontier.vitro.bmc_info:
    targets:
      - 192.0.2.11-192.0.2.18
      - address: 192.0.2.32/28
        credentials: hpe
        rack: R2
    username: vitro
    password: "{{ vault_bmc_password }}"
    credentials:
      - name: hpe
        username: Administrator
        password: "{{ vault_hpe_password }}"
    ca_path: /etc/ssl/site-ca.pem
    dest: hardware.json

- name: Look at one server
  frontier.vitro.bmc_info:
    targets: [192.0.2.11]
    username: vitro
    password: "{{ vault_bmc_password }}"
    fingerprint: "{{ bmc_fingerprint }}"
  register: found
"""

RETURN = r"""
hardware:
  description: The hardware document, as described in docs/hardware-document.md.
  returned: when O(dest) is not given
  type: dict
servers:
  description: How many servers have a record.
  returned: success
  type: int
  sample: 8
unread:
  description: The BMCs that gave no record.
  returned: success
  type: list
  elements: dict
  contains:
    address: {description: The address., type: str}
    port: {description: The HTTPS port., type: int}
    code: {description: A short name for the reason; docs/messages.md explains each., type: str}
    text: {description: What happened., type: str}
    cure: {description: What to do., type: str}
changes:
  description: What changed since O(dest) was written, one sentence each.
  returned: when O(dest) is given
  type: list
  elements: str
first:
  description: Whether there was no document before.
  returned: when O(dest) is given
  type: bool
table:
  description: The servers as lines of a table for people.
  returned: success
  type: list
  elements: str
dest:
  description: The path of the document.
  returned: when O(dest) is given
  type: str
"""

import traceback

from ansible.module_utils.basic import AnsibleModule, env_fallback, missing_required_lib
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.arguments import ARGUMENTS

MISSING = None
try:
    from ansible_collections.frontier.vitro.plugins.module_utils.bmc.discovery import ensure_hardware
    from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
except ImportError as exc:
    MISSING = (exc.name, traceback.format_exc())

OWN_ARGUMENTS = {
    "username": {"type": "str", "fallback": (env_fallback, ["VITRO_BMC_USERNAME"])},
    "password": {"type": "str", "no_log": True, "fallback": (env_fallback, ["VITRO_BMC_PASSWORD"])},
    "dest": {"type": "path"},
    "progress": {"type": "path"},
}


def main() -> None:
    module = AnsibleModule(argument_spec={**ARGUMENTS, **OWN_ARGUMENTS}, supports_check_mode=True)
    if MISSING:
        module.fail_json(msg=missing_required_lib(MISSING[0]), exception=MISSING[1])
    try:
        result, warnings = ensure_hardware(module.params, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    for warning in warnings:
        module.warn(warning)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
