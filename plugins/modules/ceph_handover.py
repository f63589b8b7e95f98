#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_handover
short_description: Bring a Ceph cluster's address and its clients' keys to the controller
version_added: 0.1.0
description:
  - Writes C(ceph.conf) and a keyring for each client into a folder on the controller, in the form in which Kolla wants them. Keyrings
    are encrypted there with the vault password of the run.
  - The first control of the run's vault password comes before the cluster is asked.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  clients:
    description: The clients whose keys are wanted.
    type: list
    elements: str
    required: true
  dest:
    description: The folder on the controller.
    type: path
    required: true
attributes:
  check_mode:
    support: full
    description: Says which files would change.
  diff_mode:
    support: full
    description: Shows C(ceph.conf). Keyrings are shown as secret.
"""

EXAMPLES = r"""
- name: Hand over to Kolla
  frontier.vitro.ceph_handover:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    clients: [glance, cinder, cinder-backup]
    dest: sites/example/ceph
  become: true
"""

RETURN = r"""
changes:
  description: Files that were written.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.clients import EMPTY, QUESTIONS, client_conf, keyring, keys_of
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "clients": {"type": "list", "elements": "str", "required": True},
    "dest": {"type": "path", "required": True},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    session = Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        live = session.read_if_there(QUESTIONS, EMPTY, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    # The action plugin takes these out of the result before anybody sees it.
    keyrings = {f"ceph.client.{name}.keyring": keyring(name, key) for name, key in keys_of(given["clients"], live).items()}
    module.exit_json(changed=False, conf=client_conf(given["fsid"], live), keyrings=keyrings)


if __name__ == "__main__":
    main()
