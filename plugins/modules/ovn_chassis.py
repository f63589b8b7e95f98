#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_chassis
short_description: Make a host a chassis of OVN
version_added: 0.1.0
description:
  - Writes into the host's own Open vSwitch what ovn-controller reads there - its name, where the Southbound database is, the encapsulation,
    bridge mappings, whether it is a gateway - and makes the bridges of the mappings. All that differs is changed in one transaction; what
    is not ours stays.
  - An encapsulation address that is outside the tunnel's network, or that the host does not have, is refused.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ovn]
options:
  name:
    description: The name of the chassis. It is kept in C(/etc/openvswitch/system-id.conf) too, from where it comes at the next start.
    type: str
    required: true
  hostname:
    description: The name by which Nova knows the host. Without it O(name).
    type: str
    default: ""
  remotes:
    description: The addresses of the Southbound database, or of its relays.
    type: list
    elements: str
    required: true
  encap_ip:
    description: The host's address in the tunnel's network.
    type: str
    required: true
  encap_type:
    description: How packets between chassis are wrapped.
    type: str
    default: geneve
    choices: [geneve, vxlan]
  network:
    description: The tunnel's network. The address must be in it.
    type: str
    default: ""
  mappings:
    description: Physical networks, and the bridges that lead there.
    type: list
    elements: dict
    default: []
    suboptions:
      network:
        description: The name of the physical network.
        type: str
        required: true
      bridge:
        description: The bridge.
        type: str
        required: true
      interface:
        description: The interface under it. Without it the bridge gets none.
        type: str
        default: ""
      mtu:
        description: The MTU of the bridge.
        type: int
  gateway:
    description: Whether routers may have their gateways here.
    type: bool
    default: false
  options:
    description: More options for whom manages the cloud, such as V(availability-zones=az1).
    type: list
    elements: str
    default: []
  probe_ms:
    description: After how many milliseconds of silence the Southbound database is probed.
    type: int
    default: 5000
  datapath:
    description: V(system) is the kernel's, V(netdev) that of userspace.
    type: str
    default: system
    choices: [system, netdev]
  listen:
    description: Where Open vSwitch listens besides its socket, such as V(ptcp:6640:127.0.0.1), as Nova and agents of Neutron ask it.
    type: str
    default: ""
  monitor_all:
    description: Whether the chassis takes the whole Southbound database, and not only what concerns it.
    type: bool
    default: false
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows each key, and each bridge.
"""

EXAMPLES = r"""
- name: Make the host a chassis
  frontier.vitro.ovn_chassis:
    name: cloud-01
    remotes: ["ssl:192.0.2.11:6642", "ssl:192.0.2.12:6642", "ssl:192.0.2.13:6642"]
    encap_ip: 198.51.100.11
    network: 198.51.100.0/24
    mappings: [{network: physnet1, bridge: br-ex, interface: provider0, mtu: 1500}]
    gateway: true
    probe_ms: 60000
    listen: ptcp:6640:127.0.0.1
  become: true
"""

RETURN = r"""
changes:
  description: What was set, by its key.
  returned: success
  type: dict
"""

import json
import subprocess
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.chassis import TABLES, Mapped, check_encap, plan_switch, wanted_ids
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import switch

SYSTEM_ID = Path("/etc/openvswitch/system-id.conf")
MAPPING = {
    "network": {"type": "str", "required": True},
    "bridge": {"type": "str", "required": True},
    "interface": {"type": "str", "default": ""},
    "mtu": {"type": "int"},
}
ARGUMENTS = {
    "name": {"type": "str", "required": True},
    "hostname": {"type": "str", "default": ""},
    "remotes": {"type": "list", "elements": "str", "required": True},
    "encap_ip": {"type": "str", "required": True},
    "encap_type": {"type": "str", "default": "geneve", "choices": ["geneve", "vxlan"]},
    "network": {"type": "str", "default": ""},
    "mappings": {"type": "list", "elements": "dict", "default": [], "options": MAPPING},
    "gateway": {"type": "bool", "default": False},
    "options": {"type": "list", "elements": "str", "default": []},
    "probe_ms": {"type": "int", "default": 5000},
    "datapath": {"type": "str", "default": "system", "choices": ["system", "netdev"]},
    "listen": {"type": "str", "default": ""},
    "monitor_all": {"type": "bool", "default": False},
    "timeout": {"type": "int", "default": 30},
}


def addresses() -> list[str]:
    done = subprocess.run(["ip", "-json", "address"], check=True, capture_output=True, text=True, timeout=20)  # noqa: S607 - the host's own
    return [f"{one['local']}/{one['prefixlen']}" for link in json.loads(done.stdout) for one in link.get("addr_info", ())]


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    try:
        check_encap(given["encap_ip"], given["network"], addresses())
        database = switch(timeout=given["timeout"])
        mappings = [Mapped(**one) for one in given["mappings"]]
        before, after, work = plan_switch(database.read(**TABLES), wanted_ids(given), mappings, given["datapath"], given["listen"])
        kept = SYSTEM_ID.read_text().strip() if SYSTEM_ID.is_file() else ""
        if kept != given["name"]:
            before["system-id.conf"], after["system-id.conf"] = kept, given["name"]
        if not module.check_mode:
            # The file first: the key in the database comes from it at each start.
            if kept != given["name"]:
                SYSTEM_ID.write_text(f"{given['name']}\n")
            database.transact(work)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=bool(before or after), changes=after, diff={"before": before, "after": after})


if __name__ == "__main__":
    main()
