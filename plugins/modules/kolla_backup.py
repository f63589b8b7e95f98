#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_backup
short_description: Bring a backup of MariaDB from its host to the controller
version_added: 0.1.0
description:
  - Takes the newest full backup that C(kolla-ansible mariadb-backup) left on the host, and keeps it on the controller in a folder of its
    own, sealed with the vault password of this run, beside a manifest.
  - It is sent in pieces, so its size does not matter to the memory of either side, and it is never in the clear on the controller's disk.
  - A backup is whole or not there. Those that are too many are removed, the oldest first, and only after the new one was seen to be whole.
author:
  - Vitro contributors (@frontier)
options:
  dest:
    description: The folder on the controller in which each backup gets a folder named after its time.
    type: path
    required: true
  site:
    description: The name of the site, for the manifest.
    type: str
    required: true
  release:
    description: The release of OpenStack that runs, for the manifest.
    type: str
    required: true
  engine:
    description: What runs the containers.
    type: str
    required: true
    choices: [docker, podman]
  since:
    description: Refuse a backup that was made before, in seconds since 1970.
    type: int
    default: 0
  kept:
    description: How many backups to keep. The new one is kept always.
    type: int
    default: 7
attributes:
  check_mode:
    support: full
    description: Changes nothing, and asks nothing.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Keep the newest backup
  frontier.vitro.kolla_backup:
    dest: backups/mariadb
    site: cloud
    release: "2026.1"
    engine: docker
  become: true
"""

RETURN = r"""
path:
  description: The folder of the backup on the controller.
  returned: when it was brought
  type: str
bytes:
  description: The size of its sealed file.
  returned: when it was brought
  type: int
brought:
  description: The file on the host.
  returned: when it was brought
  type: str
removed:
  description: The names of the backups that were removed.
  returned: when it was brought
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import BACKUP_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=BACKUP_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot keep a backup here: call it as frontier.vitro.kolla_backup, so that it runs on the controller")


if __name__ == "__main__":
    main()
