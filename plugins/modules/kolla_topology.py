#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_topology
short_description: Render Kolla's configuration directory from the site plan
version_added: 0.1.0
description:
  - Writes everything that kolla-ansible reads from the plan. The inventory has the plan's servers in Kolla's host groups, and the services
    on them as the installed kolla-ansible builds them; C(host_vars) have the interfaces, C(globals.yml) the rest, C(config/) the settings
    that Kolla has no key for.
  - Passwords are made by Kolla's own tools where they are missing. Those that are there stay.
  - Every file with a secret is encrypted with Ansible Vault, by the first vault password of the run. Kolla decrypts them itself.
  - Files below C(certificates), C(config), C(globals.d) and C(inventory) that nothing asks for any more are removed, since Kolla merges
    every override that it finds.
  - Runs on the controller only, and asks no server.
author:
  - Vitro contributors (@frontier)
options:
  plan:
    description: The site plan, as M(frontier.vitro.site_plan) writes it.
    type: path
    required: true
  venv:
    description: The virtual environment that has kolla-ansible, in the version that the plan names.
    type: path
    required: true
  dest:
    description: Kolla's configuration directory. It must be empty, not there yet, or written by this module before.
    type: path
    required: true
  files:
    description:
      - A folder with the operator's own files in C(certificates/) and C(config/), as they shall lie in O(dest). It need not be there.
      - A file of settings (C(.conf), C(.ini)) that is rendered too is merged with it, and the operator's settings win.
    type: path
  ceph:
    description: A folder with C(ceph.conf) and the keyrings of the clients C(glance), C(cinder) and C(cinder-backup). It need not be there.
    type: path
  globals:
    description: The operator's own keys for Kolla. They go to C(globals.d/50-site.yml), and win over C(globals.yml).
    type: dict
    default: {}
  connection:
    description: How Kolla reaches the servers, as variables of Ansible, such as C(ansible_user).
    type: dict
    default: {}
  passwords:
    description: Passwords that the operator chooses, such as C(docker_registry_password). All others are made.
    type: dict
    default: {}
attributes:
  check_mode:
    support: full
    description: Renders all the same, and writes nothing. Passwords that are missing are not made.
  diff_mode:
    support: full
    description: The diff shows every file that changes; of secrets only that they change.
"""

EXAMPLES = r"""
- name: Render Kolla's configuration
  frontier.vitro.kolla_topology:
    plan: plan.json
    venv: venv-kolla
    dest: rendered/kolla
    globals:
      openstack_region_name: north
    connection:
      ansible_user: vitro
      ansible_become: true
  register: rendered

- name: Say what the site must bring before it can be deployed
  ansible.builtin.debug:
    msg: "{{ rendered.wanted }}"
"""

RETURN = r"""
changes:
  description: What changes in O(dest), one sentence for each file.
  returned: success
  type: list
  elements: str
wanted:
  description: What must come from outside and is not there yet, one sentence each. C(needs.yml) in O(dest) has all of it.
  returned: success
  type: list
  elements: str
dest:
  description: Where it was rendered to.
  returned: success
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot render here: call it as frontier.vitro.kolla_topology, so that it runs on the controller")


if __name__ == "__main__":
    main()
