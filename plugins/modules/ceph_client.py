#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_client
short_description: Keep the clients of a Ceph cluster and what each may do
version_added: 0.1.0
description:
  - Compares the capabilities of all given clients with the running cluster in one call, makes those that are missing and corrects those
    that differ. Keys are made by the cluster and shown nowhere; M(frontier.vitro.ceph_handover) brings them to who needs them.
  - Clients that are not given stay.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  clients:
    description: The capabilities of each client, by its name without C(client.).
    type: dict
    required: true
attributes:
  check_mode:
    support: full
    description: Says from the running cluster what would change.
  diff_mode:
    support: full
    description: Shows capabilities. Keys are never shown.
"""

EXAMPLES = r"""
- name: Keep the clients
  frontier.vitro.ceph_client:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    clients:
      glance:
        mon: profile rbd
        osd: profile rbd pool=images
        mgr: profile rbd pool=images
  become: true
"""

RETURN = r"""
changes:
  description: Clients that were made or changed.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.clients import EMPTY, QUESTIONS, plan_clients
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "clients": {"type": "dict", "required": True},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    clients = module.params.pop("clients")
    session = Session(**module.params)
    try:
        changes = plan_clients(clients, session.read_if_there(QUESTIONS, EMPTY, check_mode=module.check_mode))
        if not module.check_mode:
            session.ask([one.command for one in changes])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    diff = [
        {"before_header": one.name, "after_header": one.name, "before": _lines(one.before or {}), "after": _lines(one.after)}
        for one in changes
    ]
    words = [f"client.{one.name} {'may do other things' if one.before is not None else 'made'}" for one in changes]
    module.exit_json(changed=bool(changes), changes=words, diff=diff)


def _lines(capabilities: dict[str, str]) -> str:
    return "".join(f"{who}: {what}\n" for who, what in sorted(capabilities.items()))


if __name__ == "__main__":
    main()
