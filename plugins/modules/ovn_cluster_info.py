#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_cluster_info
short_description: Ask a member of OVN's clusters how both of them are, in one go
version_added: 0.1.0
description:
  - For the Northbound and the Southbound database, what the member's file says (which cluster, under which address), and what its running
    daemon says (members, leader, term, log, how far it is behind).
  - The daemons are asked on their own sockets, without any process beside the module's own. A member that does not run or has no
    database is an answer, not a failure.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  files:
    description: Where the files of the databases C(nb) and C(sb) are.
    type: dict
    default:
      nb: /var/lib/ovn/ovnnb_db.db
      sb: /var/lib/ovn/ovnsb_db.db
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Ask the member how it is
  frontier.vitro.ovn_cluster_info:
  register: ovn
  become: true
"""

RETURN = r"""
databases:
  description: By C(nb) and C(sb).
  returned: success
  type: dict
  contains:
    database: {description: Its name inside., type: str}
    file:
      description: "What the head of the file says: C(path) C(kind) C(server) C(cluster) C(address) C(content). None without a file."
      type: dict
    status:
      description: >-
        What the daemon says: C(server) C(cluster) C(address) C(status) C(role) C(leader) C(term) C(election_ms) C(entries) C(uncommitted)
        C(unapplied) C(members) C(disconnections). None if it does not run.
      type: dict
    silence: {description: Why the daemon said nothing., type: str}
seconds:
  description: How long both took.
  returned: success
  type: float
"""

import time
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.raft import DATABASES, read_database

FILES = {"nb": "/var/lib/ovn/ovnnb_db.db", "sb": "/var/lib/ovn/ovnsb_db.db"}
ARGUMENTS = {"files": {"type": "dict", "default": FILES}, "timeout": {"type": "int", "default": 30}}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    files, began = {**FILES, **module.params["files"]}, time.monotonic()
    found = {kind: read_database(kind, Path(files[kind]), timeout=module.params["timeout"]).to_data() for kind in DATABASES}
    module.exit_json(changed=False, databases=found, seconds=round(time.monotonic() - began, 3))


if __name__ == "__main__":
    main()
