#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ceph_config
short_description: Keep settings in the configuration of a Ceph cluster
version_added: 0.1.0
description:
  - Compares all given settings with the running cluster in one call and sets those that differ. Settings that are not given stay.
author:
  - Vitro contributors (@frontier)
extends_documentation_fragment: [frontier.vitro.ceph]
options:
  settings:
    description: The settings.
    type: list
    elements: dict
    default: []
    suboptions:
      who:
        description: For whom, such as V(osd) or with a mask V(osd/host:cloud-01).
        type: str
        required: true
      name:
        description: The name of the option.
        type: str
        required: true
      value:
        description: Its value, as C(ceph config dump) shows it.
        type: str
        required: true
      secret:
        description: Whether the value must not be shown.
        type: bool
        default: false
  modules:
    description: Modules of the manager that shall be on.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Says from the running cluster what would change.
  diff_mode:
    support: full
    description: Shows each setting. Secret values are left out.
"""

EXAMPLES = r"""
- name: Give OSDs their share of the memory
  frontier.vitro.ceph_config:
    fsid: 0b1e9d6c-6a0e-4c4e-9a55-0a5d1a7c2f10
    settings:
      - {who: osd, name: osd_memory_target_autotune, value: "false"}
      - {who: "osd/host:cloud-01", name: osd_memory_target, value: "6442450944"}
    modules: [prometheus]
  become: true
"""

RETURN = r"""
changes:
  description: What was set, a sentence each.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.config import EMPTY, QUESTIONS, Setting, plan_modules, plan_settings
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Session
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError

ARGUMENTS = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "settings": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "who": {"type": "str", "required": True},
            "name": {"type": "str", "required": True},
            "value": {"type": "str", "required": True},
            "secret": {"type": "bool", "default": False},
        },
    },
    "modules": {"type": "list", "elements": "str", "default": []},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    settings, modules = module.params.pop("settings"), module.params.pop("modules")
    session = Session(**module.params)
    try:
        live = session.read_if_there(QUESTIONS, EMPTY, check_mode=module.check_mode)
        changes, enabled = plan_settings([Setting(**one) for one in settings], live), plan_modules(modules, live)
        if not module.check_mode:
            session.ask([*(one.command for one in changes), *enabled])
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    lines = [one.line for one in changes] + [f"module {one.arguments['module']} on" for one in enabled]
    before = [one.line_before for one in changes if one.line_before]
    diff = {"before": "".join(f"{line}\n" for line in before), "after": "".join(f"{line}\n" for line in lines)}
    module.exit_json(changed=bool(lines), changes=lines, diff=diff)


if __name__ == "__main__":
    main()
