#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_settings
short_description: Keep where OVN's databases listen, and how patient everybody is with them
version_added: 0.1.0
description:
  - The connection on which a database listens, its inactivity probe, and options in its one global row. All that differs is changed in
    one transaction. Connections and options that are not named stay.
  - The election timer is the leader's to change. On a member that does not lead nothing happens to it, so ask all of them. Raft lets it
    at most double, so it grows in steps.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  database:
    description: Which of the two.
    type: str
    required: true
    choices: [nb, sb]
  listen:
    description: The connection to listen on, such as V(pssl:6641). Without it, connections stay as they are.
    type: str
    default: ""
  probe_ms:
    description: After how many milliseconds of silence clients on O(listen) are probed.
    type: int
    default: 5000
  options:
    description: Options of C(NB_Global) or C(SB_Global).
    type: dict
    default: {}
  election_ms:
    description: The election timer in milliseconds. Without it, it stays.
    type: int
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows each setting.
"""

EXAMPLES = r"""
- name: Listen with TLS, and be patient with 100 chassis
  frontier.vitro.ovn_settings:
    database: nb
    listen: pssl:6641
    probe_ms: 60000
    options: {northd_probe_interval: "60000"}
    election_ms: 8000
  become: true
"""

RETURN = r"""
changes:
  description: What was set, a line each.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.settings import ensure_settings, ensure_timer

ARGUMENTS = {
    "database": {"type": "str", "required": True, "choices": ["nb", "sb"]},
    "listen": {"type": "str", "default": ""},
    "probe_ms": {"type": "int", "default": 5000},
    "options": {"type": "dict", "default": {}},
    "election_ms": {"type": "int"},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given, check = module.params, module.check_mode
    kind, timeout = given["database"], given["timeout"]
    options = {key: str(value) for key, value in given["options"].items()}
    try:
        lines = ensure_settings(kind, given["listen"], given["probe_ms"], options, timeout=timeout, check_mode=check)
        lines += ensure_timer(kind, given["election_ms"], timeout=timeout, check_mode=check) if given["election_ms"] else []
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    diff = {"before": "", "after": "".join(f"{line}\n" for line in lines)}
    module.exit_json(changed=bool(lines), changes=lines, diff=diff)


if __name__ == "__main__":
    main()
