#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives a host the facts that tests/lab/kolla/facts.py made of its plan. `set_fact` would refuse names with a dot, such as `main.110`."""

import json
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec={"facts": {"type": "path", "required": True}, "host": {"type": "str", "required": True}})
everything = json.loads(Path(module.params["facts"]).read_text())
module.exit_json(ansible_facts=everything[module.params["host"]])
