#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: host_network
short_description: Give a host the interfaces of the site plan, with a way back
version_added: 0.1.0
description:
  - Writes the files of systemd-networkd for a server of the plan, names its ports by their MACs, and makes bonds, VLANs, addresses,
    routes and MTUs at once, without a restart of the host.
  - The change runs as a unit of its own on the host. Unless the controller confirms it over a new connection to the planned management
    address within O(rollback_seconds), the old files, names, addresses and routes come back by themselves; also if the controller dies or
    the host restarts meanwhile. The task then fails and says what did not answer.
  - Nothing is written if a planned MAC is missing, if NetworkManager runs, or if a port belongs to a bridge.
  - Files of systemd-networkd that speak of planned interfaces, all of netplan's, and interfaces of ifupdown are moved away, with
    C(.vitro-old) at the end of their names; they come back with the old configuration. Cloud-init is told to leave the network alone.
author:
  - Vitro contributors (@frontier)
options:
  server:
    description: The server as the plan has it; the inventory P(frontier.vitro.site#inventory) gives it as C(vitro_server).
    type: dict
    required: true
  dns:
    description: Name servers.
    type: list
    elements: str
    default: []
  domain:
    description: The domain in which short names are looked for.
    type: str
    default: ""
  keep:
    description: Addresses that others may put on the interfaces, such as VIPs. They are left alone.
    type: list
    elements: str
    default: []
  rollback_seconds:
    description: How long the controller has to confirm.
    type: int
    default: 60
  stage:
    description:
      - What to do. The action plugin starts with V(apply) and does the others itself.
      - V(check) only refuses what O(stage=apply) would refuse.
    type: str
    choices: [check, apply, confirm, outcome]
    default: apply
  id:
    description: Which change to confirm.
    type: str
attributes:
  check_mode:
    support: full
    description: Refuses what it would refuse, says what would change, and writes nothing.
  diff_mode:
    support: full
    description: The files, and then in words what follows for the running interfaces.
"""

EXAMPLES = r"""
- name: Give the host its planned interfaces
  frontier.vitro.host_network:
    server: "{{ vitro_server }}"
    dns: "{{ vitro_plan.dns }}"
    domain: "{{ vitro_plan.domain }}"
    keep: "{{ vitro_plan.vips | map(attribute='address') }}"
"""

RETURN = r"""
live:
  description: What changes on the running interfaces, one sentence each.
  returned: with O(stage=apply)
  type: list
  elements: str
disabled:
  description: Files of others that are moved away.
  returned: with O(stage=apply)
  type: list
  elements: str
id:
  description: The change that waits for confirmation.
  returned: with O(stage=apply), if something changes and not in check mode
  type: str
outcome:
  description: How the last change ended.
  returned: with O(stage=outcome)
  type: dict
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.host import network
from ansible_collections.frontier.vitro.plugins.module_utils.host.errors import HostCommandFailed

ARGUMENTS = {
    "server": {"type": "dict", "required": True},
    "dns": {"type": "list", "elements": "str", "default": []},
    "domain": {"type": "str", "default": ""},
    "keep": {"type": "list", "elements": "str", "default": []},
    "rollback_seconds": {"type": "int", "default": 60},
    "stage": {"type": "str", "choices": ["check", "apply", "confirm", "outcome"], "default": "apply"},
    "id": {"type": "str"},
}
# Commands whose status is an answer.
ASKING = ("is-active", "list-unit-files")


def runner(module: AnsibleModule) -> network.Run:
    def run(command: list[str]) -> str:
        status, out, err = module.run_command(command, environ_update={"LC_ALL": "C"})
        if status and not set(ASKING) & set(command):
            raise HostCommandFailed(f"Cannot run {' '.join(command[:4])}: it gave {status}: {(err or out).strip()[-300:]}")
        return out

    return run


def ensure_network(module: AnsibleModule) -> dict[str, object]:
    """One stage of the change."""
    options, run = module.params, runner(module)
    if options["stage"] == "outcome":
        return {"changed": False, "outcome": network.outcome()}
    if options["stage"] == "confirm":
        network.confirm(run, options["id"], options["server"], options["keep"], options["rollback_seconds"])
        return {"changed": True}
    plan, found = network.read_plan(run, options)
    changed = network.changes(plan)
    result = {"changed": changed, "live": plan["live"], "disabled": plan["disable"]}
    if changed and not module.check_mode and options["stage"] == "apply":
        result["id"] = network.start(run, plan, options["rollback_seconds"])
    return {**result, "changed": changed and options["stage"] == "apply", "diff": network.diff(plan, found)}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    try:
        result = ensure_network(module)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
