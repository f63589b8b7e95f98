#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: site_evidence
short_description: Write what a stage has checked
version_added: 0.1.0
description:
  - Writes the records of the checks of one stage as one document, in one step. It replaces the last one of that stage.
author:
  - Vitro contributors (@frontier)
options:
  checks:
    description: The records, as modules such as M(frontier.vitro.host_reach) give them.
    type: list
    elements: dict
    required: true
  dest:
    description: The document.
    type: path
    required: true
attributes:
  check_mode:
    support: full
    description: Writes nothing.
  diff_mode:
    support: none
    description: Every run has other times in it.
"""

EXAMPLES = r"""
- name: Keep what was checked
  frontier.vitro.site_evidence:
    checks:
      - {stage: hosts, check: time, target: edge-01, wanted: in step, seen: in step, ok: true, time: "2026-01-31T12:00:00Z"}
    dest: evidence/hosts.json
"""

RETURN = r"""
dest:
  description: Where the document is.
  returned: success
  type: str
"""

import json
import traceback
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

MISSING = None
try:
    from ansible_collections.frontier.vitro.plugins.module_utils.documents import ensure_text
    from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
    from ansible_collections.frontier.vitro.plugins.module_utils.evidence import DOCUMENT, SCHEMA
except ImportError as exc:
    MISSING = (exc.name, traceback.format_exc())

ARGUMENTS = {"checks": {"type": "list", "elements": "dict", "required": True}, "dest": {"type": "path", "required": True}}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    if MISSING:
        module.fail_json(msg=missing_required_lib(MISSING[0]), exception=MISSING[1])
    try:
        given = json.dumps({"schema": SCHEMA, "checks": module.params["checks"]}).encode()
        text = DOCUMENT.checked_text(DOCUMENT.parse(given, "to write"))
        changed = ensure_text(text, Path(module.params["dest"]), DOCUMENT.name, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=changed, dest=module.params["dest"])


if __name__ == "__main__":
    main()
