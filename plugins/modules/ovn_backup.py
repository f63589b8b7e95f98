#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_backup
short_description: Back up both databases of OVN
version_added: 0.1.0
description:
  - Takes a consistent copy of the Northbound and the Southbound database at a member, checks every record of it, and brings both to the
    controller, dated and with their sums. The oldest beyond O(kept) are removed.
  - The Northbound copy is what is restored. The Southbound one is to look into afterwards; northd and the chassis make it anew.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  dest:
    description: The folder of the backups on the controller.
    type: path
  site:
    description: The site, for the manifest.
    type: str
  kept:
    description: How many backups are kept.
    type: int
    default: 14
  engine:
    description: What runs Kolla's containers, where Kolla made OVN. Empty, the programs are the host's.
    type: str
    default: ""
    choices: ["", docker, podman]
attributes:
  check_mode:
    support: full
    description: Makes nothing.
  diff_mode:
    support: none
    description: A backup is always new.
requirements:
  - ovsdb-client on the host
"""

EXAMPLES = r"""
- name: Back up both databases
  frontier.vitro.ovn_backup:
    dest: sites/example/backups/ovn
    site: example
  become: true
"""

RETURN = r"""
path:
  description: The folder of the backup.
  returned: success
  type: str
bytes:
  description: How large it is.
  returned: success
  type: int
removed:
  description: The names of old backups that were removed.
  returned: success
  type: list
  elements: str
"""

import base64
import zlib

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.copying import take
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.raft import DATABASES

ARGUMENTS = {
    "dest": {"type": "path"},
    "site": {"type": "str"},
    "kept": {"type": "int", "default": 14},
    "engine": {"type": "str", "default": "", "choices": ["", "docker", "podman"]},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    """The host's part: the copies, packed, for the controller's part to check and keep."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    try:
        taken = {kind: take(kind, module.params["engine"], module.params["timeout"]) for kind in DATABASES}
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    packed = {kind: base64.b64encode(zlib.compress(content)).decode() for kind, (content, _) in taken.items()}
    module.exit_json(changed=True, packed=packed, clusters={kind: cluster for kind, (_, cluster) in taken.items()})


if __name__ == "__main__":
    main()
