# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: site
short_description: Servers as the site plan has them
version_added: 0.1.0
description:
  - Makes one host of each server in the site plan, with its part of the plan in the variable C(vitro_server), its address for the traffic
    of each network in C(vitro_addresses), and the one in the management network in C(ansible_host). The group O(group) has the rest of
    the plan in C(vitro_plan).
  - Each role of the plan is a group (C(control), C(network), C(compute), C(storage), C(monitoring), C(fmc), C(arbiter), C(spare)), and
    so is each rack (C(rack_R1)). All of them are in the group O(group).
  - A server that is absent is only in the group C(absent), which no playbook of this collection works on.
  - The name of the configuration file must end in C(site.yml) or C(site.yaml). Relative paths in it are taken from its folder.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment:
  - ansible.builtin.constructed
options:
  plugin:
    description: The name of this plugin.
    type: str
    required: true
    choices: [frontier.vitro.site]
  plan:
    description:
      - The site plan, as the playbook C(frontier.vitro.plan) writes it.
      - As long as there is none, the inventory is empty, and says so.
    type: str
    required: true
  group:
    description: The group that has all hosts but the absent ones.
    type: str
    default: site
notes:
  - O(compose), O(groups) and O(keyed_groups) see the server as C(vitro_server).
"""

EXAMPLES = r"""
# inventories/example/site.yml
plugin: frontier.vitro.site
plan: ../../sites/example/plan.json
keyed_groups:
  - key: vitro_server.model
    prefix: model
"""

from pathlib import Path
from typing import Any

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable

from ..module_utils.errors import VitroError
from ..module_utils.plan.document import DOCUMENT, read_plan
from ..module_utils.plan.hosts import addresses_of, groups_of


class InventoryModule(BaseInventoryPlugin, Constructable):
    NAME = "frontier.vitro.site"

    def verify_file(self, path: str) -> bool:
        return bool(super().verify_file(path)) and path.endswith(("site.yml", "site.yaml"))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:  # noqa: FBT001, FBT002 - Ansible calls it so
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        named = str(self.templar.template(self.get_option("plan")))
        plan = (Path(path).parent / Path(named).expanduser()).resolve()
        if not plan.exists():
            said = f"There is no site plan {plan} yet, so there are no hosts. Run frontier.vitro.plan to write it."
            self.display.display(said, stderr=True)
            return
        try:
            content = DOCUMENT.to_data(read_plan(plan))
        except VitroError as exc:
            raise AnsibleParserError(str(exc)) from None
        servers = content.pop("servers")
        top = self.inventory.add_group(self.get_option("group"))
        self.inventory.set_variable(top, "vitro_plan", content)
        self._add_hosts(servers, content, top)

    def _add_hosts(self, servers: list[dict[str, Any]], plan: dict[str, Any], top: str) -> None:
        strict = self.get_option("strict")
        for server in servers:
            name = self.inventory.add_host(server["name"])
            for group in groups_of(server, plan["ceph"]):
                self.inventory.add_child(self.inventory.add_group(group), name)
            addresses = addresses_of(server, plan["networks"])
            self.inventory.set_variable(name, "ansible_host", addresses.get("management", name))
            self.inventory.set_variable(name, "vitro_addresses", addresses)
            self.inventory.set_variable(name, "vitro_server", server)
            if server["state"] != "present":
                continue
            self.inventory.add_child(top, name)
            variables = {"vitro_server": server}
            self._set_composite_vars(self.get_option("compose"), variables, name, strict=strict)
            self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict=strict)
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, name, strict=strict)
