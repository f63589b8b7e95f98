#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_ready
short_description: Look whether a host can take its first daemons of a Ceph cluster
version_added: 0.1.0
description:
  - Looks whether the program cephadm is of the planned release, whether other programs listen on ports that Ceph wants, and whether the
    registry gives the image to this host. Everything that is wrong is said at once.
  - A host that has daemons of the cluster is not asked again, so a running cluster does not need its registry.
author:
  - Vitro contributors (@frontier)
options:
  fsid:
    description: The id of the cluster.
    type: str
    required: true
  cephadm:
    description: The program cephadm on the host. One that is not there yet is not judged.
    type: str
    default: cephadm
  release:
    description: The name of the planned release.
    type: str
    required: true
  image:
    description: The container image with its registry.
    type: str
    required: true
  registry:
    description: The login at the registry, if it wants one.
    type: dict
    default: {}
  ports:
    description: The ports that Ceph wants, with C(port), C(service) and perhaps C(address).
    type: list
    elements: dict
    default: []
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - ss on the host
"""

EXAMPLES = r"""
- name: Look whether the host can take Ceph
  frontier.vitro.ceph_ready:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    release: tentacle
    image: registry.example.com/ceph/ceph:v20
    ports:
      - {port: 3300, service: mon, address: 192.0.2.11}
      - {port: 7600, service: object gateway}
  become: true
"""

RETURN = r"""
asked:
  description: Whether the host was asked, having no daemon of the cluster yet.
  returned: success
  type: bool
stage:
  description: As that of M(frontier.vitro.ceph_bootstrap), for the monitor of this host.
  returned: success
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.bootstrap import Host
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.ready import (
    HostNotReady,
    Port,
    read_listening,
    read_version,
    wrong_image,
    wrong_ports,
    wrong_release,
)

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "release": {"type": "str", "required": True},
    "image": {"type": "str", "required": True},
    "registry": {"type": "dict", "default": {}, "no_log": True},
    "ports": {"type": "list", "elements": "dict", "default": []},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    host = Host(given["fsid"])
    if host.daemons():
        module.exit_json(changed=False, asked=False, stage=host.stage())
    problems = [
        *wrong_release(given["cephadm"], given["release"], read_version(given["cephadm"])),
        *wrong_ports([Port(**one) for one in given["ports"]], read_listening()),
        *wrong_image(given["image"], given["registry"]),
    ]
    if problems:
        module.fail_json(msg=str(HostNotReady(problems)), code=HostNotReady.code)
    module.exit_json(changed=False, asked=True, stage=host.stage())


if __name__ == "__main__":
    main()
