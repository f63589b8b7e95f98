#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_trial
short_description: Send packets between chassis of OVN, through a switch and a router of their own
version_added: 0.1.0
description:
  - V(made), at a member of the databases, makes two logical switches with a router between them, and a port for each chassis. V(plugged),
    at each chassis, gives it a small host of its own on that port, in a network namespace. V(asked) sends one packet as large as
    O(mtu) to others. V(unplugged) and V(removed) take all of it away again.
  - Their names begin with C(vitro-trial), and what an interrupted trial left is taken away before the next.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  state:
    description: The step.
    type: str
    required: true
    choices: [made, plugged, asked, unplugged, removed]
  chassis:
    description: The chassis that take part.
    type: list
    elements: str
    default: []
  name:
    description: This chassis.
    type: str
    default: ""
  mtu:
    description: The MTU of networks of tenants.
    type: int
    default: 1442
  patience:
    description: For how many seconds others may be silent.
    type: int
    default: 30
attributes:
  check_mode:
    support: full
    description: Does nothing.
  diff_mode:
    support: none
    description: Nothing of it stays.
requirements:
  - ip and ping on chassis
"""

EXAMPLES = r"""
- name: Make a switch, a router, and ports
  frontier.vitro.ovn_trial:
    state: made
    chassis: [cloud-01, cloud-02]
  become: true

- name: Plug the chassis in
  frontier.vitro.ovn_trial:
    state: plugged
    chassis: [cloud-01, cloud-02]
    name: cloud-01
  become: true
"""

RETURN = r"""
checks:
  description: Every packet, as records of evidence.
  returned: with O(state=asked)
  type: list
  elements: dict
wrong:
  description: Packets that were not answered, one sentence each.
  returned: with O(state=asked)
  type: list
  elements: str
"""

import subprocess
from collections.abc import Sequence

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.checks import evidence, wrong
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn import trial
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import northbound, switch

ARGUMENTS = {
    "state": {"type": "str", "required": True, "choices": ["made", "plugged", "asked", "unplugged", "removed"]},
    "chassis": {"type": "list", "elements": "str", "default": []},
    "name": {"type": "str", "default": ""},
    "mtu": {"type": "int", "default": 1442},
    "patience": {"type": "int", "default": 30},
    "timeout": {"type": "int", "default": 30},
}
NEEDED = [("state", "made", ["chassis"]), ("state", "plugged", ["chassis", "name"]), ("state", "asked", ["chassis", "name"])]


def run(command: Sequence[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)  # noqa: S603 - a list, no shell
    except (OSError, subprocess.TimeoutExpired) as exc:
        return 1, str(exc)
    return done.returncode, done.stdout + done.stderr


def unplug(timeout: int) -> None:
    database = switch(timeout=timeout)
    database.transact(trial.plan_unplugged(database.read(**trial.SWITCH)))
    for command in trial.unlink_commands():
        run(command)


def plug(place: trial.Place, mtu: int, timeout: int) -> str:
    """What went wrong, if anything did."""
    unplug(timeout)
    for command in trial.link_commands(place, mtu):
        code, said = run(command)
        if code:
            return f"{' '.join(command)}: {said.strip()}"
    database = switch(timeout=timeout)
    work = trial.plan_plugged(database.read(**trial.SWITCH), place)
    database.transact(work)
    return "" if work else f"there is no bridge {trial.BRIDGE}, so ovn-controller has not reached the Southbound database"


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, required_if=NEEDED, supports_check_mode=True)
    given, said, checks = module.params, "", []
    if module.check_mode:
        module.exit_json(changed=False, checks=[], wrong=[])
    places = trial.places(given["chassis"])
    try:
        match given["state"]:
            case "made" | "removed":
                north = northbound(timeout=given["timeout"], patience=given["timeout"])
                live = north.read(**trial.NORTH)
                north.transact(trial.plan_made(live, places) if given["state"] == "made" else trial.plan_removed(live))
            case "plugged":
                said = plug(next(one for one in places if one.chassis == given["name"]), given["mtu"], given["timeout"])
            case "asked":
                checks = [*trial.ask(given["name"], places, given["mtu"], given["patience"], run)]
            case _:
                unplug(given["timeout"])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    if said:
        module.fail_json(msg=f"Cannot plug {given['name']} in: {said}.")
    # Asking changes nothing, and what the other steps make goes again.
    module.exit_json(changed=given["state"] != "asked", checks=evidence(checks, "ovn"), wrong=wrong(checks))


if __name__ == "__main__":
    main()
