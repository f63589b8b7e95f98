#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_backup
short_description: Back up an RKE2 cluster to the controller
version_added: 0.1.0
description:
  - Lets a server make a snapshot of etcd, looks into it, and keeps it on the controller with the tokens that it needs, the server's
    configuration and the site plan, in a folder of its own, sealed with the vault password of this run, beside a manifest.
  - A snapshot is trusted only if its sum, its heads and its trees are whole. It is sent in pieces, and never in the clear on the
    controller's disk.
  - If RKE2 is configured to bring snapshots to S3, this one goes there too, by RKE2's own settings.
  - A backup is whole or not there. Those that are too many are removed, the oldest first, and only after the new one was seen to be whole.
author:
  - Vitro contributors (@frontier)
options:
  dest:
    description: The folder on the controller in which each backup gets a folder named after its time.
    type: path
  site:
    description: The name of the site, for the manifest.
    type: str
  plan:
    description: The site plan on the controller, to keep with it; a path. Empty, there is none.
    type: str
    default: ""
  kept:
    description: How many backups to keep. The new one is kept always.
    type: int
    default: 14
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  stage:
    description: Which part of it the host does. The controller's part of this module gives it.
    type: str
    default: taken
    choices: [taken, swept]
  content:
    description: The site plan itself. The controller's part of this module gives it.
    type: str
    default: ""
attributes:
  check_mode:
    support: full
    description: Makes nothing.
  diff_mode:
    support: none
    description: A backup is always new.
requirements:
  - To be run on a server of the cluster, as root
"""

EXAMPLES = r"""
- name: Back up the cluster
  frontier.vitro.rke2_backup:
    dest: sites/example/backups/rke2
    site: example
  become: true
"""

RETURN = r"""
path:
  description: The folder of the backup on the controller.
  returned: when it was made
  type: str
bytes:
  description: The size of its sealed file.
  returned: when it was made
  type: int
revision:
  description: The newest revision of etcd in it.
  returned: when it was made
  type: int
removed:
  description: The names of the backups that were removed.
  returned: when it was made
  type: list
  elements: str
"""

import socket
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.certificates import ca_hash
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.cluster import read_cluster
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import Rke2Refused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.taking import sweep, take

ARGUMENTS = {
    "dest": {"type": "path"},
    "site": {"type": "str"},
    "plan": {"type": "str", "default": ""},
    "kept": {"type": "int", "default": 14},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "stage": {"type": "str", "default": "taken", "choices": ["taken", "swept"]},
    "content": {"type": "str", "default": ""},
}


def main() -> None:
    """The host's part: a file for the controller's part to fetch and keep, and its removal."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    data = Path(module.params["data_dir"])
    try:
        if module.params["stage"] == "swept":
            sweep(data)
            module.exit_json(changed=True)
        cluster = read_cluster(data)
        versions = {one.version for one in cluster.nodes if one.server}
        if not any(one.leader for one in cluster.members):
            raise Rke2Refused(f"Cannot back up RKE2 at {socket.gethostname()}: etcd has no leader", cure="Bring servers back first")
        taken = take(data, module.params["content"])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(
        changed=True,
        path=str(taken.path),
        bytes=taken.bytes,
        sha256=taken.sha256,
        snapshot={"snapshot_bytes": taken.snapshot.bytes, "snapshot_sha256": taken.snapshot.sha256, "revision": taken.snapshot.revision},
        servers=sorted(one.name for one in cluster.nodes if one.server),
        version=min(versions),
        ca=ca_hash(data),
    )


if __name__ == "__main__":
    main()
