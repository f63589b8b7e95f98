#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_files
short_description: Bring all files of a node of RKE2 to what they are to be, and the host with them
version_added: 0.1.0
description:
  - Writes RKE2's configuration, tokens, registries, policies, manifests and settings of its host, each in one step and with no more
    rights than it is to have; removes what it once wrote and is no longer wanted.
  - Makes the user of etcd, sets kernel settings of its own file, and lets systemd, NetworkManager and the registration address know.
  - Does not restart RKE2; RV(restart) says whether that is due.
author:
  - Vitro contributors (@frontier)
options:
  node:
    description: The node, as M(frontier.vitro.rke2_render) takes it.
    type: dict
  documents:
    description: The folder of the site's documents on the controller, where its tokens are.
    type: path
  ca:
    description: The hash of the cluster's CA. Without it there is nothing to join yet, and files that join are left out.
    type: str
    default: ""
  found:
    description: What M(frontier.vitro.rke2_node_info) said of the host.
    type: dict
    default: {}
  files:
    description: Set by the action plugin.
    type: list
    elements: dict
    default: []
  secrets:
    description: Set by the action plugin; the secrets of the marks in O(files).
    type: dict
    default: {}
  address:
    description: Set by the action plugin.
    type: str
    default: ""
  etcd_user:
    description: Set by the action plugin.
    type: bool
    default: false
  keepalived:
    description: Set by the action plugin.
    type: bool
    default: false
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows files without their secrets.
requirements:
  - To be run as root
"""

EXAMPLES = r"""
- name: Write all files of the node
  frontier.vitro.rke2_files:
    node:
      name: "{{ inventory_hostname }}"
      role: server
      version: v1.35.7+rke2r1
      servers: ["{{ inventory_hostname }}"]
    documents: sites/example
  become: true
"""

RETURN = r"""
changes:
  description: The files that change, and what else does.
  returned: success
  type: list
  elements: str
then:
  description: "What the changes need: C(restart) C(units) C(kernel) C(networkmanager) C(address)."
  returned: success
  type: list
  elements: str
restart:
  description: Whether RKE2 runs with older files than it has.
  returned: by the action plugin
  type: bool
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.hosting import (
    ensure_etcd_user,
    ensure_kernel,
    ensure_services,
    host_words,
)
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.marks import fill
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.writing import ensure_files

ARGUMENTS = {
    "node": {"type": "dict"},
    "documents": {"type": "path"},
    "ca": {"type": "str", "default": ""},
    "found": {"type": "dict", "default": {}},
    "files": {"type": "list", "elements": "dict", "default": []},
    "secrets": {"type": "dict", "default": {}, "no_log": True},
    "address": {"type": "str", "default": ""},
    "etcd_user": {"type": "bool", "default": False},
    "keepalived": {"type": "bool", "default": False},
}


def ensure_host(given: dict[str, object], *, check_mode: bool) -> dict[str, object]:
    words = host_words(given["address"])
    files = [{**one, "content": fill(one["content"], words)[0]} for one in given["files"]]
    changes = ensure_etcd_user(check_mode=check_mode) if given["etcd_user"] else []
    written = ensure_files(files, given["secrets"], check_mode=check_mode)
    changes += [*written.changed, *ensure_kernel(files, written.then, check_mode=check_mode)]
    changes += ensure_services(written.then, address=given["keepalived"], check_mode=check_mode)
    diff = {"before": "".join(written.before), "after": "".join(written.after)}
    return {"changed": bool(changes), "changes": changes, "then": sorted(written.then), "diff": diff}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    try:
        result = ensure_host(module.params, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
