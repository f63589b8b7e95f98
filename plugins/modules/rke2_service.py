#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_service
short_description: Start, restart or stop RKE2 on a host, and wait until it is up
version_added: 0.1.0
description:
  - Waits until RKE2 says that it is up. A start that fails again and again ends the wait, and the end of its journal says why.
  - Pods run on while RKE2 itself is stopped or started anew.
author:
  - Vitro contributors (@frontier)
options:
  name:
    description: Which of both.
    type: str
    required: true
    choices: [server, agent]
  state:
    description: V(restarted) always restarts it, the others only change what is not so.
    type: str
    choices: [started, restarted, stopped]
    default: started
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  patience:
    description: For how many seconds to wait.
    type: int
    default: 900
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows the unit's state.
requirements:
  - To be run as root
"""

EXAMPLES = r"""
- name: Start the server
  frontier.vitro.rke2_service:
    name: server
  become: true
"""

RETURN = r"""
ca:
  description: The hash of the CA of its cluster.
  returned: success
  type: str
seconds:
  description: How long it took.
  returned: success
  type: float
"""

import time
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.certificates import ca_hash
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.unit import ensure_started, ensure_stopped, read_units

ARGUMENTS = {
    "name": {"type": "str", "required": True, "choices": ["server", "agent"]},
    "state": {"type": "str", "default": "started", "choices": ["started", "restarted", "stopped"]},
    "data_dir": {"type": "path", "default": "/var/lib/rancher/rke2"},
    "patience": {"type": "int", "default": 900},
}


def ensure_service(name: str, state: str, patience: int, *, check_mode: bool) -> dict[str, object]:
    unit = read_units([name])[name]
    before, after = unit["state"], {"stopped": "inactive"}.get(state, "active")
    done = unit["state"] in ("inactive", "failed", "unknown") if state == "stopped" else unit["running"] and unit["enabled"]
    changed = state == "restarted" or not done
    if changed and not check_mode:
        if state == "stopped":
            ensure_stopped(name)
        else:
            ensure_started(name, restart=state == "restarted", patience=patience)
    shown = f"{after} anew" if state == "restarted" else after
    return {"changed": changed, "diff": {"before": f"{name}: {before}\n", "after": f"{name}: {shown}\n"}}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given, began = module.params, time.monotonic()
    try:
        result = ensure_service(f"rke2-{given['name']}", given["state"], given["patience"], check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(**result, ca=ca_hash(Path(given["data_dir"])), seconds=round(time.monotonic() - began, 1))


if __name__ == "__main__":
    main()
