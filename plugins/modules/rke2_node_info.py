#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_node_info
short_description: Ask a host everything that RKE2's role wants to know of it, in one go
version_added: 0.1.0
description:
  - Says what is installed, which units run and with which files, which cluster it is in, which archives it has, who listens where, its
    addresses, clock, room, kernel settings, and what else is on it that could be in the way.
  - Archives are hashed once, and again only when they change.
author:
  - Vitro contributors (@frontier)
options:
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  role:
    description: What the host is to be.
    type: str
    choices: [server, agent]
    default: server
  documents:
    description: The folder of the site's documents on the controller; its token is then held against the one on the host.
    type: path
  ports:
    description: Of which ports to tell who listens.
    type: list
    elements: int
    default: []
  watched:
    description: Files that RKE2 reads when it starts.
    type: list
    elements: str
    default: []
  probe:
    description: An address to try whether somebody has it.
    type: str
    default: ""
  images:
    description: Whether to ask the container engine which images it has.
    type: bool
    default: false
  token:
    description: Set by the action plugin from O(documents).
    type: str
    default: ""
attributes:
  check_mode:
    support: full
    description: Reads only, and does not even keep what it hashed.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - To be run as root
"""

EXAMPLES = r"""
- name: Ask the host
  frontier.vitro.rke2_node_info:
    role: server
    watched: [/etc/rancher/rke2/config.yaml]
  register: node
  become: true
"""

RETURN = r"""
version:
  description: The installed version, or empty. C(program), C(method), C(mixed) and C(fips) say where it is, how it came and was built.
  returned: success
  type: str
units:
  description: "By unit: C(there) C(state) C(running) C(enabled) C(pid) C(since) C(restarts) C(reload)."
  returned: success
  type: dict
stale:
  description: Files that are newer than the running RKE2, and whether its program was replaced.
  returned: success
  type: list
  elements: str
ca:
  description: The hash of the CA of its cluster, or empty. C(server_data) and C(agent_data) say in which part it is there.
  returned: success
  type: str
token_fits:
  description: Whether the site's token is the cluster's; none where there is nothing to compare.
  returned: success
  type: bool
images:
  description: The images of the container engine, if they were asked for.
  returned: success
  type: list
  elements: str
archives:
  description: C(size) and C(digest) by name.
  returned: success
  type: dict
certificates:
  description: "When certificates end: C(file) C(ends) C(days) C(ca)."
  returned: success
  type: list
  elements: dict
ports:
  description: "Who listens: C(port) C(protocol) C(address) C(process)."
  returned: success
  type: list
  elements: dict
addresses:
  description: "Its addresses: C(address) C(prefix) C(interface)."
  returned: success
  type: list
  elements: dict
clock:
  description: C(off) says by how many seconds its clock is beyond the controller's.
  returned: by the action plugin
  type: dict
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.node import Question, read_node

ARGUMENTS = {
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "role": {"type": "str", "choices": ["server", "agent"], "default": "server"},
    "documents": {"type": "path"},
    "ports": {"type": "list", "elements": "int", "default": []},
    "watched": {"type": "list", "elements": "str", "default": []},
    "probe": {"type": "str", "default": ""},
    "images": {"type": "bool", "default": False},
    "token": {"type": "str", "default": "", "no_log": True},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = {key: value for key, value in module.params.items() if key not in ("data_dir", "documents")}
    asked = Question(Path(module.params["data_dir"]), write=not module.check_mode, **given)
    module.exit_json(changed=False, **read_node(asked))


if __name__ == "__main__":
    main()
