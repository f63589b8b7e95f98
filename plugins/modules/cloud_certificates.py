#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cloud_certificates
short_description: Compare new certificates with those in force, and look at those that a cloud serves
version_added: 0.1.0
description:
  - With O(state=compared), tells which of the operator's files differ from the rendered ones, and which services must get them. One that
    ends no later than the certificate in force is refused. Names, chain and key are checked by M(frontier.vitro.kolla_check).
  - With O(state=served), asks every endpoint of the catalogue that has TLS, and all O(doors), for its certificate, verified by the CA. Each
    must serve the one in O(rendered), and it must last for more than O(days).
  - Nothing is changed.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.cloud]
options:
  clouds:
    description:
      - A C(clouds.yaml), such as C(kolla-ansible post-deploy) writes. Needed for O(state=served), unless there are O(doors).
      - If it is encrypted by Ansible Vault, it is decrypted in memory only.
    type: path
  state:
    description: What to look at.
    type: str
    required: true
    choices: [compared, served]
  rendered:
    description: The folder C(certificates) of Kolla's configuration directory. Files in it may be encrypted by Ansible Vault.
    type: path
    required: true
  brought:
    description: The operator's own folder of certificates. Needed for O(state=compared).
    type: path
  interfaces:
    description: Which endpoints are asked.
    type: list
    elements: str
    choices: [public, internal, admin]
    default: [public, internal]
  doors:
    description: What no catalogue has, such as Horizon.
    type: list
    elements: dict
    default: []
    suboptions:
      interface:
        description: Whose certificate is served there.
        type: str
        required: true
        choices: [public, internal]
      url:
        description: Its address, which begins with C(https://).
        type: str
        required: true
  days:
    description: A certificate that ends within so many days is not well.
    type: int
    default: 30
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - openstacksdk on the controller
notes:
  - Runs on the controller always.
"""

EXAMPLES = r"""
- name: Look at the certificates that the cloud serves
  frontier.vitro.cloud_certificates:
    clouds: rendered/kolla/clouds.yaml
    rendered: rendered/kolla/certificates
    state: served
    days: 60
  register: certificates
"""

RETURN = r"""
changes:
  description: The files that differ, by their path in the folder.
  returned: for O(state=compared)
  type: list
  elements: str
services:
  description: The tags of Kolla's playbooks that bring them to the services. None means all.
  returned: for O(state=compared)
  type: list
  elements: str
checks:
  description: Every question with its answer, as records of evidence.
  returned: for O(state=served)
  type: list
  elements: dict
wrong:
  description: What is not good, one sentence each.
  returned: for O(state=served)
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.arguments import CERTIFICATES_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=CERTIFICATES_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot look here: call it as frontier.vitro.cloud_certificates, so that it runs on the controller")


if __name__ == "__main__":
    main()
