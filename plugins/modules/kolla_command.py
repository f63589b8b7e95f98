#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_command
short_description: Run one command of kolla-ansible
version_added: 0.1.0
description:
  - Runs the real kolla-ansible from its own virtual environment on the controller, and shows its plays and failures as they come.
  - Keeps its whole output in O(log) without secrets. No value of C(passwords.yml), no keyring and no private key appears in the log, in the
    result or on the terminal.
  - Files with a secret in the clear that kolla-ansible leaves in O(config), such as C(clouds.yaml), are encrypted when it ends.
  - A host on which something failed is an error, also where kolla-ansible went on without it and ended well.
  - The vault passwords of this run are handed on, so encrypted files in O(config) are read as they are.
author:
  - Vitro contributors (@frontier)
options:
  command:
    description: The command, such as V(prechecks), V(pull), V(deploy) or V(reconfigure).
    type: str
    required: true
  config:
    description: Kolla's configuration directory, as the role C(kolla_topology) renders it.
    type: path
    required: true
  venv:
    description: The virtual environment that has kolla-ansible.
    type: path
    required: true
  log:
    description: Where the output goes. A log of an earlier run there is replaced.
    type: path
    required: true
  state:
    description:
      - Where it is remembered what was done. With it, a command that ended well with the same files is not run again, and what does not
        fit the release that is deployed is refused.
      - Runs that O(limit), O(tags) or O(skip_tags) narrow are always done, and not remembered.
    type: path
  again:
    description: Run the command although O(state) says that it was done with the same files.
    type: bool
    default: false
  limit:
    description: The hosts to work on; all without it.
    type: list
    elements: str
    default: []
  tags:
    description: The tags of Kolla's own playbooks to run, which are names of services.
    type: list
    elements: str
    default: []
  skip_tags:
    description: The tags of Kolla's own playbooks to leave out.
    type: list
    elements: str
    default: []
  variables:
    description: Variables for this run alone. They win over every file, and stand in the process list, so no secret may be among them.
    type: dict
    default: {}
  arguments:
    description: Further arguments of this command, such as V(--yes-i-really-really-mean-it).
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: partial
    description: Changes nothing.
    details: Only commands that change nothing are run, such as V(prechecks). Of others it is said that they would be.
  diff_mode:
    support: none
    description: kolla-ansible shows no differences.
notes:
  - Runs on the controller always.
"""

EXAMPLES = r"""
- name: Let Kolla look at the hosts
  frontier.vitro.kolla_command:
    command: prechecks
    config: rendered/kolla
    venv: venv-kolla
    log: logs/prechecks.log
"""

RETURN = r"""
ran:
  description: Whether kolla-ansible was run.
  returned: always
  type: bool
seconds:
  description: How long it took.
  returned: when it ran
  type: float
tasks:
  description: How many tasks were started.
  returned: when it ran
  type: int
hosts:
  description: The recap of each host, as Ansible counts it.
  returned: when it ran
  type: dict
failures:
  description: What failed, with C(host), C(task) and C(message).
  returned: when it ran
  type: list
  elements: dict
log:
  description: Where the output is.
  returned: when it ran
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import COMMAND_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=COMMAND_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot run kolla-ansible here: call it as frontier.vitro.kolla_command, so that it runs on the controller")


if __name__ == "__main__":
    main()
