#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: host_reach
short_description: Ask from a host whether others are reached at full size, names lead where they should, and the time is right
version_added: 0.1.0
description:
  - Sends to every other server of the plan, in every network that both have, one packet as large as the network's MTU that may not be
    cut in pieces; looks up every planned name; and asks chrony whether the host is in step. It changes nothing.
  - Each question gives one record. What was not as wanted is not a failure of the task.
author:
  - Vitro contributors (@frontier)
options:
  server:
    description: This server as the plan has it.
    type: dict
    required: true
  servers:
    description: All servers that are asked for, this one included.
    type: list
    elements: dict
    required: true
  plan:
    description: The plan without its servers; the inventory P(frontier.vitro.site#inventory) gives it as C(vitro_plan).
    type: dict
    required: true
attributes:
  check_mode:
    support: full
    description: It never changes anything.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Ask for every other host
  frontier.vitro.host_reach:
    server: "{{ vitro_server }}"
    servers: "{{ groups.site | map('extract', hostvars, 'vitro_server') }}"
    plan: "{{ vitro_plan }}"
  register: asked
"""

RETURN = r"""
checks:
  description: One record for each question.
  returned: success
  type: list
  elements: dict
  contains:
    stage: {description: Always V(hosts)., type: str}
    check: {description: "V(reach), V(name) or V(time).", type: str}
    target: {description: "Who was asked for, from where, and over which network.", type: str}
    wanted: {description: What should be., type: str}
    seen: {description: What is., type: str}
    ok: {description: Whether that is as wanted., type: bool}
    time: {description: "When it was asked, in UTC.", type: str}
wrong:
  description: What is not as wanted, one sentence each.
  returned: success
  type: list
  elements: str
"""

import subprocess

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.host.names import name_targets, reach_targets
from ansible_collections.frontier.vitro.plugins.module_utils.host.reach import check_names, check_reach, check_time

ARGUMENTS = {
    "server": {"type": "dict", "required": True},
    "servers": {"type": "list", "elements": "dict", "required": True},
    "plan": {"type": "dict", "required": True},
}


def run(command: list[str]) -> tuple[int, str]:
    """AnsibleModule.run_command is not made for threads."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=20)  # noqa: S603 - a list, no shell
    except (OSError, subprocess.SubprocessError) as exc:
        return 1, str(exc)
    return done.returncode, done.stdout + done.stderr


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    server, servers, plan = (module.params[key] for key in ("server", "servers", "plan"))
    host = server["name"]
    checks = check_reach(host, reach_targets(server, servers, plan), run)
    checks += check_names(host, name_targets(servers, plan))
    checks.append(check_time(host, run(["chronyc", "-c", "-n", "tracking"])[1]))
    wrong = [f"{one['check']}: {one['target']}: wanted {one['wanted']}; seen {one['seen']}" for one in checks if not one["ok"]]
    module.exit_json(changed=False, checks=checks, wrong=wrong)


if __name__ == "__main__":
    main()
