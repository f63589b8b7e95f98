#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_check
short_description: Check Kolla's configuration against the site plan without asking any host
version_added: 0.1.0
description:
  - Looks through everything that kolla-ansible would read, as it lies on disk, and tells every problem at once, each with the file, the
    key, the value, the host and what to do. docs/kolla-checks.md lists all kinds, and what Kolla itself does about each.
  - Keys, groups, values and passwords are compared with those of the installed kolla-ansible; VIPs, interfaces, MTUs, ports, memory,
    registry and versions with the plan; certificates and the files of Ceph are read.
  - Values with templates are resolved as far as files can tell, and left alone otherwise.
  - With O(registry), the registry is asked whether it holds every image of the enabled services.
  - It changes nothing, contacts no host, and does not fail because of what it finds. Look at RV(problems).
  - Runs on the controller only. Secrets are read with the vault passwords of the run; no value of one is in the result.
author:
  - Vitro contributors (@frontier)
options:
  plan:
    description: The site plan, as M(frontier.vitro.site_plan) writes it.
    type: path
    required: true
  config:
    description: Kolla's configuration directory, as M(frontier.vitro.kolla_topology) writes it.
    type: path
    required: true
  venv:
    description: The virtual environment that has kolla-ansible.
    type: path
    required: true
  registry:
    description: Ask this registry for all images. Without it none is asked.
    type: dict
    suboptions:
      url:
        description: The registry, with C(https://). By default the one in the plan.
        type: str
      ca:
        description: A file with the CA that signed the registry's certificate. By default the CAs of the system are trusted.
        type: path
      username:
        description: An account that may pull. Without it the registry is asked as nobody.
        type: str
      password:
        description: Its password.
        type: str
      timeout:
        description: Seconds to wait for the registry to connect and to answer.
        type: float
        default: 30.0
attributes:
  check_mode:
    support: full
    description: It never changes anything.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Check Kolla's configuration
  frontier.vitro.kolla_check:
    plan: plan.json
    config: rendered/kolla
    venv: venv-kolla
  register: checked

- name: Stop if something is wrong with it
  ansible.builtin.assert:
    that: not checked.problems
    fail_msg: "{{ checked.problems | map(attribute='text') }}"
"""

RETURN = r"""
problems:
  description: What must be cured before Kolla runs, by kind.
  returned: success
  type: list
  elements: dict
  contains:
    code: {description: A short name of its kind; docs/kolla-checks.md explains each., type: str}
    weight: {description: "V(problem), V(awaited) or V(warning).", type: str}
    file: {description: "The file that it is about, from O(config) on.", type: str}
    key: {description: "The key in the file, or the group of the inventory.", type: str}
    value: {description: The value that it has. Never a secret., type: str}
    host: {description: "The host, if it is about one.", type: str}
    text: {description: What is wrong., type: str}
    cure: {description: What to do., type: str}
awaited:
  description: What is not there yet and comes from a later stage or from the operator, in the same form. It stops a deployment only.
  returned: success
  type: list
  elements: dict
warnings_found:
  description: What the operator should know and what hinders nothing, in the same form.
  returned: success
  type: list
  elements: dict
lines:
  description: All of it in lines for people. They are shown as the task runs.
  returned: success
  type: list
  elements: str
summary:
  description: How many problems, awaited things and warnings there are, and how many images the registry was asked for.
  returned: success
  type: dict
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import CHECK_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=CHECK_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot check here: call it as frontier.vitro.kolla_check, so that it runs on the controller")


if __name__ == "__main__":
    main()
