#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_cluster_member
short_description: Let a host join a cluster of OVN's databases, leave it, or take a dead member out
version_added: 0.1.0
description:
  - V(present) makes the file of the database, for a new cluster or to join one. A member that has its file stays as it is; a file that
    is in the way and may be somebody's is refused.
  - V(gone) takes another member out of the cluster, asked at one that lives. V(left) lets this member leave by itself.
  - V(away) moves the file of a stopped member away, under another name beside its place. Nothing is ever deleted.
  - V(alone) makes the file of a stopped member a cluster with nobody else in it, for a cluster that has lost its majority for good.
  - Files are only touched while their daemon is stopped. The role C(ovn) stops and starts it.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  database:
    description: Which of the two.
    type: str
    required: true
    choices: [nb, sb]
  state:
    description: What the host shall be, or shall do.
    type: str
    default: present
    choices: [present, gone, left, away, alone]
  address:
    description: "The member's address in the cluster, such as V(ssl:192.0.2.11:6643). With O(state=gone), that of the member to take out."
    type: str
  founder:
    description: Whether this host makes the cluster. Only one may, and only if no other has a database.
    type: bool
    default: false
  remotes:
    description: Addresses of members to join.
    type: list
    elements: str
    default: []
  election_ms:
    description: The election timer of a new cluster.
    type: int
    default: 1000
  file:
    description: The file of the database.
    type: path
attributes:
  check_mode:
    support: full
    description: Says what would be done.
  diff_mode:
    support: full
    description: Shows what the host is in the cluster.
requirements:
  - ovsdb-tool on the host, to make files
"""

EXAMPLES = r"""
- name: Make the cluster
  frontier.vitro.ovn_cluster_member:
    database: nb
    address: ssl:192.0.2.11:6643
    founder: true
  become: true

- name: Join it
  frontier.vitro.ovn_cluster_member:
    database: nb
    address: ssl:192.0.2.12:6643
    remotes: ["ssl:192.0.2.11:6643"]
  become: true

- name: Take a dead member out
  frontier.vitro.ovn_cluster_member:
    database: nb
    state: gone
    address: ssl:192.0.2.13:6643
  become: true
"""

RETURN = r"""
done:
  description: What was done, or nothing.
  returned: success
  type: str
aside:
  description: Where an old file was moved to.
  returned: success
  type: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.leaving import ensure_gone, ensure_left
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.local import ensure_alone, ensure_away, ensure_file

ARGUMENTS = {
    "database": {"type": "str", "required": True, "choices": ["nb", "sb"]},
    "state": {"type": "str", "default": "present", "choices": ["present", "gone", "left", "away", "alone"]},
    "address": {"type": "str"},
    "founder": {"type": "bool", "default": False},
    "remotes": {"type": "list", "elements": "str", "default": []},
    "election_ms": {"type": "int", "default": 1000},
    "file": {"type": "path"},
    "timeout": {"type": "int", "default": 30},
}
NEEDED = [("state", state, ["address"]) for state in ("present", "gone", "alone")]


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, required_if=NEEDED, supports_check_mode=True)
    given, check = module.params, module.check_mode
    kind, path = given["database"], Path(given["file"] or f"/var/lib/ovn/ovn{given['database']}_db.db")
    try:
        match given["state"]:
            case "present":
                change = ensure_file(
                    kind, path, given["address"], given["remotes"], given["election_ms"], founder=given["founder"], check_mode=check
                )
            case "gone":
                change = ensure_gone(kind, given["address"], timeout=given["timeout"], check_mode=check)
            case "left":
                change = ensure_left(kind, timeout=given["timeout"], check_mode=check)
            case "away":
                change = ensure_away(kind, path, check_mode=check)
            case _:
                change = ensure_alone(kind, path, given["address"], given["election_ms"], check_mode=check)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    diff = {"before": f"{change.before}\n", "after": f"{change.after}\n"}
    module.exit_json(changed=bool(change.done), done=change.done, aside=change.aside, diff=diff)


if __name__ == "__main__":
    main()
