#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_passwords
short_description: Make passwords of Kolla anew, with a way back
version_added: 0.1.0
description:
  - Gives passwords in C(passwords.yml) new values, by Kolla's own generator, and tells which services hold them. The old values are kept
    encrypted until the rotation ends, so that one which was cut off can go on, or back.
  - Only the file is changed. M(frontier.vitro.kolla_command) brings the values to services, by C(reconfigure) with RV(services) as tags.
  - Passwords that a reconfigure does not change in the running system are refused, each with the reason.
author:
  - Vitro contributors (@frontier)
options:
  config:
    description: Kolla's configuration directory, as the role C(kolla_topology) renders it.
    type: path
    required: true
  venv:
    description: The virtual environment that has kolla-ansible.
    type: path
    required: true
  state:
    description:
      - V(begun) makes new values. If a rotation is under way already, its values stay, and it goes on.
      - V(reverted) puts the old values back. V(ended) forgets them.
    type: str
    required: true
    choices: [begun, reverted, ended]
  kept:
    description: Where the old values are kept, encrypted.
    type: path
    required: true
  names:
    description: The passwords, or V(all) for all that can be rotated.
    type: list
    elements: str
    default: []
  chosen:
    description: Passwords that the operator chooses. They are not rotated, since rendering would bring the chosen values back.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Writes nothing, and tells names and services.
  diff_mode:
    support: full
    description: The diff shows which passwords change, and no value.
notes:
  - Runs on the controller always.
"""

EXAMPLES = r"""
- name: Make the password of RabbitMQ anew
  frontier.vitro.kolla_passwords:
    config: rendered/kolla
    venv: venv-kolla
    kept: state/kolla-passwords.old.yml
    names: [rabbitmq_password]
    state: begun
  register: rotation

- name: Forget the old one
  frontier.vitro.kolla_passwords:
    config: rendered/kolla
    venv: venv-kolla
    kept: state/kolla-passwords.old.yml
    state: ended
"""

RETURN = r"""
names:
  description: The passwords that the rotation is about.
  returned: success
  type: list
  elements: str
services:
  description: The services that hold them, as tags of Kolla's playbooks.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import PASSWORDS_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=PASSWORDS_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot work here: call it as frontier.vitro.kolla_passwords, so that it runs on the controller")


if __name__ == "__main__":
    main()
