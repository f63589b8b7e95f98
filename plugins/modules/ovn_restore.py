#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_restore
short_description: Put the networks of a backup in the place of those that OVN has
version_added: 0.1.0
description:
  - Checks the backup on the controller - its sums, each record, the site - and brings its Northbound database to a member, which replaces
    all that it has in one transaction, on all members. northd and the chassis then make the Southbound database anew.
  - A backup that is damaged, of another site, of another version of the schema, or not confirmed is refused, and nothing is changed.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  folder:
    description: The folder of the backups on the controller.
    type: path
  backup:
    description: The name of a backup, or V(latest).
    type: str
    default: latest
  site:
    description: The site.
    type: str
  confirm:
    description: The site once more, to say that its networks shall be replaced.
    type: str
    default: ""
  check_only:
    description: Whether only to see if it could be restored.
    type: bool
    default: false
  engine:
    description: What runs Kolla's containers, where Kolla made OVN. Empty, the programs are the host's.
    type: str
    default: ""
    choices: ["", docker, podman]
  patience:
    description: For how many seconds northd may take to translate all of it.
    type: int
    default: 300
  packed:
    description: The database to restore. The controller's part of this module gives it.
    type: str
  version:
    description: The version of its schema. The controller's part of this module gives it.
    type: str
attributes:
  check_mode:
    support: full
    description: Checks the backup and replaces nothing.
  diff_mode:
    support: none
    description: All rows are replaced.
requirements:
  - ovsdb-client on the host
"""

EXAMPLES = r"""
- name: Restore the networks
  frontier.vitro.ovn_restore:
    folder: sites/example/backups/ovn
    backup: latest
    site: example
    confirm: example
  become: true
"""

RETURN = r"""
name:
  description: The name of the backup.
  returned: success
  type: str
at:
  description: When it was made, in UTC.
  returned: success
  type: str
rows:
  description: How many rows of each table it has.
  returned: success
  type: dict
"""

import base64
import os
import tempfile
import zlib
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.backup import plan_restore
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.copying import put
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import northbound
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.syncing import synced

ARGUMENTS = {
    "folder": {"type": "path"},
    "backup": {"type": "str", "default": "latest"},
    "site": {"type": "str"},
    "confirm": {"type": "str", "default": ""},
    "check_only": {"type": "bool", "default": False},
    "engine": {"type": "str", "default": "", "choices": ["", "docker", "podman"]},
    "patience": {"type": "int", "default": 300},
    "packed": {"type": "str"},
    "version": {"type": "str"},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    """The host's part."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    database = northbound(timeout=given["timeout"], patience=given["timeout"])
    try:
        plan_restore(database.schema()["version"], given["version"])
        if module.check_mode:
            module.exit_json(changed=True)
        handle, name = tempfile.mkstemp(prefix="vitro-ovn-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(zlib.decompress(base64.b64decode(given["packed"])))
            put("nb", Path(name), given["engine"], given["timeout"])
        finally:
            Path(name).unlink()
        wanted, seen = synced(database, given["patience"])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    if seen < wanted:
        module.fail_json(msg=f"The networks are restored, and northd has not translated them within {given['patience']} s. See its log.")
    module.exit_json(changed=True)


if __name__ == "__main__":
    main()
