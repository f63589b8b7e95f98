#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_bootstrap
short_description: Make the first monitor and manager of a Ceph cluster, once
version_added: 0.1.0
description:
  - Runs C(cephadm bootstrap) with an id that was chosen before, so that a second run finds the same cluster. A cluster that was cut off in
    the making is made anew under the same id, if it has no OSD yet; one that runs under that id is taken as it is.
  - Refuses a host that belongs to another cluster.
  - The monitoring stack and the dashboard of cephadm are left out, and no firewall is touched.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  address:
    description: The address of the first monitor, in the storage network.
    type: str
    required: true
  image:
    description: The container image with its registry.
    type: str
    required: true
  conf:
    description: The first configuration.
    type: str
    default: ""
  ssh_user:
    description: As whom cephadm logs in to hosts. One other than root needs sudo without a password.
    type: str
    default: root
  registry:
    description: The login at the registry, if it wants one.
    type: dict
    suboptions:
      url:
        description: The registry.
        type: str
        required: true
      username:
        description: The account.
        type: str
        required: true
      password:
        description: Its password. It goes to cephadm in a file that is removed at once.
        type: str
        required: true
  options:
    description: More options of C(cephadm bootstrap).
    type: list
    elements: str
    default: []
  log:
    description: Where the output of cephadm goes on the host.
    type: path
    default: /var/log/vitro/ceph.log
attributes:
  check_mode:
    support: full
    description: Says whether a cluster would be made.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Make the first monitor
  frontier.vitro.ceph_bootstrap:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    address: 192.0.2.11
    image: registry.example:5000/ceph/ceph:v20.2.1
    conf: |
      [global]
      public_network = 192.0.2.0/24
  become: true
"""

RETURN = r"""
stage:
  description: How far the cluster was before, V(absent), V(begun), V(unknown) (it runs, and was made by other means) or V(done).
  returned: success
  type: str
key:
  description: The public key with which cephadm logs in to hosts.
  returned: success, if there is a cluster
  type: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.bootstrap import Host, adopt, bootstrap_command, login_file, make_cluster
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

REGISTRY = {
    "url": {"type": "str", "required": True},
    "username": {"type": "str", "required": True},
    "password": {"type": "str", "required": True, "no_log": True},
}
ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "address": {"type": "str", "required": True},
    "image": {"type": "str", "required": True},
    "conf": {"type": "str", "default": ""},
    "ssh_user": {"type": "str", "default": "root"},
    "registry": {"type": "dict", "options": REGISTRY},
    "options": {"type": "list", "elements": "str", "default": []},
    "log": {"type": "path", "default": "/var/log/vitro/ceph.log"},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    host, session = Host(given["fsid"]), Session(given["fsid"], given["cephadm"], given["timeout"])
    try:
        host.refuse_foreign()
        stage = host.stage()
        if stage == "unknown":
            adopt(host, session, check_mode=module.check_mode)
        if stage in ("absent", "begun") and not module.check_mode:
            with login_file(given["registry"]) as login:
                make_cluster(host, bootstrap_command(given, login), given["cephadm"], Path(given["log"]))
        key = host.public_key(session)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=stage in ("absent", "begun"), stage=stage, key=key)


if __name__ == "__main__":
    main()
