# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: bmc
short_description: Servers as their BMCs describe them
version_added: 0.1.0
description:
  - Makes one host of each server that stands behind the given BMCs, with its hardware record in the variable C(vitro_hardware).
  - The record is the one of the hardware document, described in docs/hardware-document.md.
  - The servers come from the hardware document where O(document) names one, else from the BMCs themselves.
  - Relative paths in the configuration file are taken from its folder.
  - The name of the configuration file must end in C(bmc.yml) or C(bmc.yaml).
  - Values may be templates with lookups. Variables of the inventory, such as those of a vault file, are not known here.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment:
  - frontier.vitro.bmc
  - ansible.builtin.constructed
  - ansible.builtin.inventory_cache
options:
  plugin:
    description: The name of this plugin.
    type: str
    required: true
    choices: [frontier.vitro.bmc]
  targets:
    description:
      - The BMCs to read, as in M(frontier.vitro.bmc_info).
    type: list
    elements: raw
    required: false
    default: []
  username:
    description: The account on the BMCs.
    type: str
    env:
      - name: VITRO_BMC_USERNAME
  password:
    description: Its password.
    type: str
    env:
      - name: VITRO_BMC_PASSWORD
  document:
    description:
      - A hardware document, as the playbook C(frontier.vitro.discover) writes it. The hosts come from it and no BMC is asked.
      - As long as there is none, the inventory is empty, and says so.
      - A relative path is taken from the folder of the configuration file.
    type: str
  hostname:
    description:
      - A template for the name of a host, in which the parts of its record are variables.
      - Without it, a host is named after the C(id) of its record, in lower case.
    type: str
  group:
    description: The group that has all hosts.
    type: str
    default: bmc
notes:
  - A BMC that cannot be read is a warning and stops no other. If none can be read, the inventory source fails.
  - O(compose), O(groups) and O(keyed_groups) see the record as C(vitro_hardware).
"""

EXAMPLES = r"""
# inventories/example/bmc.yml: live, and cached for an hour
plugin: frontier.vitro.bmc
targets:
  - 192.0.2.11-192.0.2.18
  - address: 192.0.2.32/28
    credentials: hpe
credentials:
  - name: hpe
    username: Administrator
    password: "{{ lookup('ansible.builtin.env', 'HPE_BMC_PASSWORD') }}"
ca_path: /etc/ssl/site-ca.pem
hostname: "{{ bmc.vendor | lower }}-{{ id | lower }}"
keyed_groups:
  - key: vitro_hardware.bmc.vendor
    prefix: vendor
groups:
  bare: vitro_hardware.disks | default([], true) | length == 0
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: ~/.cache/vitro/bmc
cache_timeout: 3600
---
# bmc.yml: from the hardware document
plugin: frontier.vitro.bmc
document: ../../sites/example/hardware.json
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ..module_utils.bmc.arguments import ARGUMENTS
from ..module_utils.bmc.discovery import read_hardware, site_options, spoken
from ..module_utils.bmc.document import DOCUMENT
from ..module_utils.bmc.hardware import Hardware
from ..module_utils.bmc.hosts import check_names, host_name
from ..module_utils.errors import VitroError
from ..plugin_utils.progress import Reporter


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    NAME = "frontier.vitro.bmc"

    def verify_file(self, path: str) -> bool:
        return bool(super().verify_file(path)) and path.endswith(("bmc.yml", "bmc.yaml"))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:  # noqa: FBT001, FBT002 - Ansible calls it so
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            self._add_hosts(self._servers(path, cache=cache))
        except VitroError as exc:
            raise AnsibleParserError(str(exc)) from None

    def _servers(self, path: str, *, cache: bool) -> list[dict[str, Any]]:
        """The records, from the first of: document, cache, BMCs."""
        named = self.templar.template(self.get_option("document"))
        document = (Path(path).parent / Path(named).expanduser()).resolve() if named else None
        if document and not document.exists():
            said = f"There is no hardware document {document} yet, so there are no hosts. Run frontier.vitro.discover to write it."
            self.display.display(said, stderr=True)
            return []
        if document:
            return DOCUMENT.to_data(DOCUMENT.read(document))["servers"]  # type: ignore[no-any-return]
        key = self.get_cache_key(path)
        caching = self.get_option("cache")
        if caching and cache and key in self._cache:
            return self._cache[key]  # type: ignore[no-any-return]
        hardware = self._read(Path(path).parent)
        servers: list[dict[str, Any]] = DOCUMENT.to_data(hardware)["servers"]
        # A cache with a hole would hide a server long after its BMC is back.
        if caching and not hardware.unread:
            self._cache[key] = servers
        return servers

    def _read(self, base: Path) -> Hardware:
        given = {key: self.templar.template(self.get_option(key)) for key in (*ARGUMENTS, "username", "password")}
        report = Reporter(to_stderr=True)
        hardware = read_hardware({**given, **site_options(given, base)}, report)
        report.flush()
        said = spoken(hardware)
        if hardware.unread and not hardware.servers:
            raise AnsibleParserError("Cannot read any BMC. " + " ".join(said))
        for warning in said:
            self.display.warning(warning)
        return hardware

    def _add_hosts(self, servers: list[dict[str, Any]]) -> None:
        template = self.get_option("hostname")
        named = [(self._templated(template, server) if template else host_name(server["id"]), server) for server in servers]
        check_names(named)
        group = self.inventory.add_group(self.get_option("group"))
        strict = self.get_option("strict")
        for name, server in named:
            self.inventory.add_host(name, group)
            variables = {"vitro_hardware": server}
            self.inventory.set_variable(name, "vitro_hardware", server)
            self._set_composite_vars(self.get_option("compose"), variables, name, strict=strict)
            self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict=strict)
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, name, strict=strict)

    def _templated(self, template: str, server: Mapping[str, Any]) -> str:
        self.templar.available_variables = server
        return str(self.templar.template(template))
