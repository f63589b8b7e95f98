#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_preflight
short_description: Tell everything that speaks against bringing RKE2 to hosts, at once
version_added: 0.1.0
description:
  - Judges what hosts are to have, what they were found to have, and the files of the release, which are held against its checksums once.
    Fails with every objection, each with its code, its host and its cure.
  - Says who founds the cluster and who joins. A new one is made only if no planned server has one, all of them were asked, and the site
    never had one.
author:
  - Vitro contributors (@frontier)
options:
  version:
    description: The wanted version.
    type: str
    required: true
  servers:
    description: The names of all servers; the first one founds.
    type: list
    elements: str
    required: true
  agents:
    description: The names of all agents.
    type: list
    elements: str
    default: []
  wanted:
    description: By host what M(frontier.vitro.rke2_render) told of it.
    type: dict
    required: true
  found:
    description: By host what M(frontier.vitro.rke2_node_info) said of it.
    type: dict
    required: true
  registration:
    description: Where nodes register.
    type: dict
    default: {}
  documents:
    description: The folder of the site's documents, where its tokens and its state are.
    type: path
    required: true
  artifacts:
    description: The folder of the release.
    type: path
    required: true
  method:
    description: How RKE2 comes to the hosts.
    type: str
    choices: [tarball, rpm]
    default: tarball
  fips:
    description: Whether all of it has to be FIPS.
    type: bool
    default: false
  upgrade:
    description: Whether hosts may have an older version, if the step is allowed.
    type: bool
    default: false
  ignored:
    description: Codes that do not count.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
"""

EXAMPLES = r"""
- name: Tell everything that speaks against it
  frontier.vitro.rke2_preflight:
    version: v1.35.7+rke2r1
    servers: [cloud-01, cloud-02, cloud-03]
    wanted: "{{ wanted }}"
    found: "{{ found }}"
    documents: sites/example
    artifacts: sites/example/artifacts/rke2/v1.35.7+rke2r1
"""

RETURN = r"""
ca:
  description: The hash of the CA of the site's cluster, or empty.
  returned: success
  type: str
founder:
  description: Who makes the cluster; empty where there is one.
  returned: success
  type: str
servers:
  description: Servers that do not run, beside the founder.
  returned: success
  type: list
  elements: str
agents:
  description: Agents that do not run.
  returned: success
  type: list
  elements: str
nodes:
  description: Who is in the cluster, with its role.
  returned: success
  type: dict
release:
  description: "By processor the files: C(name) C(kind) C(path) C(size) C(digest)."
  returned: success
  type: dict
images:
  description: By processor the names of the images in them.
  returned: success
  type: dict
ignored:
  description: Objections that did not count.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.arguments import PREFLIGHT


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=PREFLIGHT, supports_check_mode=True)
    module.fail_json(msg="Cannot judge here: call it as frontier.vitro.rke2_preflight, so that it runs on the controller")


if __name__ == "__main__":
    main()
