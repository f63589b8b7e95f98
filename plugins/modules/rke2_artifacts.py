#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_artifacts
short_description: Bring the files of a release of RKE2 that a host lacks
version_added: 0.1.0
description:
  - Copies archives that the host does not have by their digest, and the programs if it has another version. What it has is not touched,
    so that RKE2 does not take it in again.
  - Each file is held against its digest on the host before it is put into its place in one step. Programs are replaced while the old
    ones run on.
  - Programs go to C(/usr/local), or to C(/opt/rke2) where that cannot be written or is a disk of its own.
author:
  - Vitro contributors (@frontier)
options:
  release:
    description: The files, as M(frontier.vitro.rke2_preflight) gives them.
    type: list
    elements: dict
    default: []
  version:
    description: Their version.
    type: str
    required: true
  found:
    description: What M(frontier.vitro.rke2_node_info) said of the host.
    type: dict
    default: {}
  programs:
    description: Whether to bring programs, or archives only.
    type: bool
    default: true
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  source:
    description: Set by the action plugin.
    type: path
  digest:
    description: Set by the action plugin.
    type: str
  kind:
    description: Set by the action plugin.
    type: str
    choices: [images, programs]
  name:
    description: Set by the action plugin.
    type: str
attributes:
  check_mode:
    support: full
    description: Says what would be brought.
  diff_mode:
    support: full
    description: Shows names and sizes.
requirements:
  - To be run as root
"""

EXAMPLES = r"""
- name: Bring what the host lacks
  frontier.vitro.rke2_artifacts:
    release: "{{ decided.release.amd64 }}"
    version: v1.35.7+rke2r1
    found: "{{ node }}"
  become: true
"""

RETURN = r"""
brought:
  description: The names of the files.
  returned: by the action plugin
  type: list
  elements: str
bytes:
  description: How many bytes that are.
  returned: by the action plugin
  type: int
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.installing import install, place

ARGUMENTS = {
    "release": {"type": "list", "elements": "dict", "default": []},
    "version": {"type": "str", "required": True},
    "found": {"type": "dict", "default": {}},
    "programs": {"type": "bool", "default": True},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "source": {"type": "path"},
    "digest": {"type": "str"},
    "kind": {"type": "str", "choices": ["images", "programs"]},
    "name": {"type": "str"},
}


def main() -> None:
    """The host's part: one file that was copied, into its place."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    if not given["source"]:
        module.fail_json(msg="Call it as frontier.vitro.rke2_artifacts, so that its action plugin runs on the controller")
    source = Path(given["source"])
    try:
        if given["kind"] == "images":
            place(source, Path(given["data_dir"]) / "agent/images" / given["name"], given["digest"])
        else:
            install(source, given["version"], given["digest"])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=True)


if __name__ == "__main__":
    main()
