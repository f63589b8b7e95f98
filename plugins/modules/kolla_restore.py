#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_restore
short_description: Check a backup of MariaDB on the controller, and bring it to a host
version_added: 0.1.0
description:
  - Without O(engine) it reads the whole backup, opens its seal, and holds its manifest against the site. What speaks against a restore is
    told at once, and no host is touched.
  - With O(engine) it sends the backup to the host of the task in pieces, into a folder that only root can read. If a run before has
    brought it, nothing is sent. What runs there is not touched; M(frontier.vitro.kolla_database) does the rest.
author:
  - Vitro contributors (@frontier)
options:
  folder:
    description: The folder on the controller that has the backups.
    type: path
    required: true
  backup:
    description: The name of the backup, its path, or V(latest).
    type: str
    required: true
  site:
    description: The name of the site that it must be of.
    type: str
    required: true
  release:
    description: The release that runs, which must be that of the backup.
    type: str
    required: true
  confirm:
    description: The name of the site once more, because a restore throws away what was written since the backup.
    type: str
    default: ""
  engine:
    description: What runs the containers of the host that it is brought to.
    type: str
    choices: [docker, podman]
attributes:
  check_mode:
    support: full
    description: Checks, and sends nothing.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: See whether the newest backup could be restored
  frontier.vitro.kolla_restore:
    folder: backups/mariadb
    backup: latest
    site: cloud
    release: "2026.1"
    confirm: cloud
"""

RETURN = r"""
path:
  description: The folder of the backup.
  returned: success
  type: str
name:
  description: The name of the backup.
  returned: when it was checked
  type: str
at:
  description: When it was made, in UTC.
  returned: when it was checked
  type: str
host:
  description: Where it was made.
  returned: when it was checked
  type: str
mariadb:
  description: The version that it was made with.
  returned: when it was checked
  type: str
plain_sha256:
  description: The sum of what it holds.
  returned: when it was checked
  type: str
data_bytes:
  description: What the database took on its host.
  returned: when it was checked
  type: int
needed_bytes:
  description: The room that a host needs for a restore.
  returned: when it was checked
  type: int
brought:
  description: The file on the host.
  returned: when it was brought
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import RESTORE_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=RESTORE_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot restore here: call it as frontier.vitro.kolla_restore, so that it runs on the controller")


if __name__ == "__main__":
    main()
