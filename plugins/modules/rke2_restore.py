#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_restore
short_description: One step of restoring a whole RKE2 cluster
version_added: 0.1.0
description:
  - The role rke2 takes the steps in their order, with F(playbooks/rke2_restore.yml); they can be taken again.
  - A backup that is damaged, of another site, of another minor of Kubernetes or not confirmed is refused, and nothing is changed.
author:
  - Vitro contributors (@frontier)
options:
  step:
    description:
      - V(checked) opens the backup on the controller, and says whether it may be restored.
      - V(tokens) brings the tokens that belong to it into the site's secrets; they are needed to open the snapshot.
      - V(aside) moves away what a server knows of its cluster. Nothing is deleted.
      - V(reset) brings the snapshot to a server that does not run, and makes a cluster of one of it.
      - V(passwords) lets the API forget the passwords of O(nodes), so that hosts that were installed anew are let in.
      - V(nodes) takes out nodes that only the snapshot knows and that do not answer.
    type: str
    required: true
    choices: [checked, tokens, aside, reset, passwords, nodes]
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
  version:
    description: The version of RKE2 that is to run.
    type: str
  confirm:
    description: The site once more, to say that its cluster shall be replaced.
    type: str
    default: ""
  documents:
    description: Where the documents of the site are.
    type: path
  nodes:
    description: The names of all nodes that are wanted.
    type: list
    elements: str
    default: []
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  patience:
    description: For how many seconds the restored server's API may be awaited.
    type: int
    default: 300
  total:
    description: The sum of what was brought. The controller's part of this module gives it.
    type: str
    default: ""
attributes:
  check_mode:
    support: full
    description: Checks the backup, and changes nothing.
  diff_mode:
    support: none
    description: C(changes) says what was done.
requirements:
  - For all steps but V(checked) and V(tokens), to be run on a server, as root
"""

EXAMPLES = r"""
- name: See whether the newest backup may be restored
  frontier.vitro.rke2_restore:
    step: checked
    folder: sites/example/backups/rke2
    site: example
    version: v1.35.7+rke2r1
    confirm: example
"""

RETURN = r"""
name:
  description: The name of the backup.
  returned: for the steps on the controller
  type: str
at:
  description: When it was made, in UTC.
  returned: for the steps on the controller
  type: str
servers:
  description: The servers that the cluster had then.
  returned: for the steps on the controller
  type: list
  elements: str
ca:
  description: The hash of its CA, as tokens have it.
  returned: for the steps on the controller
  type: str
changes:
  description: What was done, or would be.
  returned: for the steps on a server
  type: list
  elements: str
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.restoring import (
    await_api,
    brought,
    forget_passwords,
    forget_stale,
    reset,
    set_aside,
)

ARGUMENTS = {
    "step": {"type": "str", "required": True, "choices": ["checked", "tokens", "aside", "reset", "passwords", "nodes"]},
    "folder": {"type": "path"},
    "backup": {"type": "str", "default": "latest"},
    "site": {"type": "str"},
    "version": {"type": "str"},
    "confirm": {"type": "str", "default": ""},
    "documents": {"type": "path"},
    "nodes": {"type": "list", "elements": "str", "default": []},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "patience": {"type": "int", "default": 300},
    "total": {"type": "str", "default": ""},
}


def take_step(given: dict[str, Any], *, check_mode: bool) -> list[str]:
    data, step = Path(given["data_dir"]), given["step"]
    if step == "aside":
        return set_aside(data, check_mode=check_mode)
    if check_mode:
        return [step]
    if step == "reset":
        reset(data, given["total"])
        return ["a cluster of one member was made of the snapshot"]
    await_api(data, given["patience"])
    if step == "passwords":
        return [f"the password of {one} was forgotten" for one in forget_passwords(data, given["nodes"])]
    return [f"{one} was taken out" for one in forget_stale(data, given["nodes"])]


def main() -> None:
    """The host's part. What is on the controller is the action plugin's."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    try:
        if given["step"] == "checked":
            path, there = brought(Path(given["data_dir"]), given["total"])
            module.exit_json(changed=False, path=str(path), there=there)
        changes = take_step(given, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=bool(changes), changes=changes)


if __name__ == "__main__":
    main()
