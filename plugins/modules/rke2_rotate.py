#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_rotate
short_description: Change a key of an RKE2 cluster for a new one
version_added: 0.1.0
description:
  - Does what one server, or one node, has to do. The role rke2 walks through all of them behind its gate, with
    F(playbooks/rke2_rotate.yml).
  - A new token is noted in the site's secrets before the cluster is told, so that a run that was cut off is finished by the next one.
  - No token is among the arguments of a process.
author:
  - Vitro contributors (@frontier)
options:
  what:
    description:
      - V(token) gives the cluster a new token for servers, and notes it in the site's secrets.
      - V(agent_token) notes a new token for agents in the site's secrets; servers take it from their files when they start again.
      - V(secrets_key) encrypts all secrets with a new key.
      - V(agreed) only sees whether all servers have the same key of secrets.
      - V(certificates) stops a node, lets its certificates be made anew, and starts it.
    type: str
    required: true
    choices: [token, agent_token, secrets_key, agreed, certificates]
  documents:
    description: Where the documents of the site are.
    type: path
  role:
    description: What the node is, for V(what=certificates).
    type: str
    default: server
    choices: [server, agent]
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  patience:
    description: For how many seconds something may be awaited.
    type: int
    default: 900
  old:
    description: The token that the cluster has. The controller's part of this module gives it.
    type: str
  new:
    description: The token that it is to have. The controller's part of this module gives it.
    type: str
attributes:
  check_mode:
    support: full
    description: Changes nothing, and refuses what would be refused.
  diff_mode:
    support: none
    description: Nobody may see keys.
requirements:
  - To be run on a server of the cluster, for V(what=certificates) on the node itself, as root
"""

EXAMPLES = r"""
- name: Let the certificates of a server be made anew
  frontier.vitro.rke2_rotate:
    what: certificates
    documents: sites/example
  become: true
"""

RETURN = r"""
stage:
  description: What the supervisor says of the encryption of secrets.
  returned: for secrets_key
  type: str
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import RotationRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.rotating import (
    agreed,
    rotate_certificates,
    rotate_secrets_key,
    rotate_token,
)

ARGUMENTS = {
    "what": {"type": "str", "required": True, "choices": ["token", "agent_token", "secrets_key", "agreed", "certificates"]},
    "documents": {"type": "path"},
    "role": {"type": "str", "default": "server", "choices": ["server", "agent"]},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "patience": {"type": "int", "default": 900},
    "old": {"type": "str", "no_log": True},
    "new": {"type": "str", "no_log": True},
}


def rotate(given: dict[str, Any], *, check_mode: bool) -> dict[str, Any]:
    data, what = Path(given["data_dir"]), given["what"]
    if what == "token":
        return {"changed": rotate_token(data, given["old"], given["new"], check_mode=check_mode)}
    if what == "agreed":
        if said := agreed(data, given["old"]):
            raise RotationRefused(f"The servers do not agree on the key of secrets: {said}")
        return {"changed": False}
    if what == "secrets_key":
        return {"changed": True, "stage": rotate_secrets_key(data, given["old"], given["patience"], check_mode=check_mode)["stage"]}
    if not check_mode:
        rotate_certificates(f"rke2-{given['role']}", given["patience"])
    return {"changed": True}


def main() -> None:
    """The host's part."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    try:
        result = rotate(module.params, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
