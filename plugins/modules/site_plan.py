#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: site_plan
short_description: Plan a whole site from its hardware and the operator's intent
version_added: 0.1.0
description:
  - Decides from the hardware document and the intent which server plays which roles, which ports carry which networks, which disks
    become OSDs, every address and VIP, the shares of memory and cores, and what the site survives; and gives a reason for each choice.
  - The plan in O(dest) binds the next one. Names, addresses, OSDs and monitor places that were given stay.
  - Everything that speaks against a plan is told at once, in RV(objections). A plan with objections is not written to O(dest) but beside
    it, with C(.refused) before the ending, for people to read; the plan in O(dest) stays as it was.
  - The same input gives the same bytes.
author:
  - Vitro contributors (@frontier)
options:
  hardware:
    description: The hardware document, as M(frontier.vitro.bmc_info) writes it.
    type: path
    required: true
  intent:
    description: What the operator wants of the site; docs/intent.md describes every key. Unknown keys are refused.
    type: dict
    required: true
  dest:
    description: The plan. It is read as the previous plan, and replaced in one step if the new one has no objections and differs.
    type: path
    required: true
  report:
    description: Where to write the plan as one HTML page for people, also if it has objections.
    type: path
attributes:
  check_mode:
    support: full
    description: Plans all the same, and writes nothing.
  diff_mode:
    support: full
    description: The diff says in sentences what changes against the plan in O(dest).
"""

EXAMPLES = r"""
- name: Plan the site
  frontier.vitro.site_plan:
    hardware: hardware.json
    intent: "{{ vitro_site }}"
    dest: plan.json
    report: report.html
  register: planned

- name: Stop if something speaks against it
  ansible.builtin.assert:
    that: planned.applicable
    fail_msg: "{{ planned.objections | map(attribute='text') }}"
"""

RETURN = r"""
applicable:
  description: Whether the plan may be applied, which is to say that there are no objections.
  returned: success
  type: bool
objections:
  description: Everything that speaks against the plan, the worst first.
  returned: success
  type: list
  elements: dict
  contains:
    code: {description: A short name of its kind; docs/objections.md explains each., type: str}
    subject: {description: "The server, port, disk or key of the intent that it is about.", type: str}
    text: {description: What is wrong., type: str}
    why: {description: Why it matters., type: str}
    cure: {description: What to do., type: str}
    path: {description: "The key of the intent, where one is to blame.", type: str}
warnings_found:
  description: What the operator should know and what hinders nothing, in the same form.
  returned: success
  type: list
  elements: dict
changes:
  description: What changes against the plan in O(dest), one sentence each.
  returned: success
  type: list
  elements: str
lines:
  description: The plan in a few lines for people, objections and warnings included. They are shown as the task runs.
  returned: success
  type: list
  elements: str
summary:
  description: Numbers of servers, OSDs, bytes, objections and warnings.
  returned: success
  type: dict
dest:
  description: Where the plan is, or the refused one.
  returned: success
  type: str
report:
  description: Where the report is.
  returned: when O(report) is given
  type: str
"""

import traceback
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

MISSING = None
try:
    from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT as HARDWARE
    from ansible_collections.frontier.vitro.plugins.module_utils.documents import ensure_text
    from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
    from ansible_collections.frontier.vitro.plugins.module_utils.plan.changes import changes, summary
    from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT as PLAN
    from ansible_collections.frontier.vitro.plugins.module_utils.plan.intent import parse_intent
    from ansible_collections.frontier.vitro.plugins.module_utils.plan.lines import lines
    from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
    from ansible_collections.frontier.vitro.plugins.module_utils.report.page import render
except ImportError as exc:
    MISSING = (exc.name, traceback.format_exc())

ARGUMENTS = {
    "hardware": {"type": "path", "required": True},
    "intent": {"type": "dict", "required": True},
    "dest": {"type": "path", "required": True},
    "report": {"type": "path"},
}


def ensure_plan(options: dict[str, object], *, check_mode: bool) -> dict[str, object]:
    """Plan the site, write what differs, and say what that changes."""
    dest = Path(options["dest"])
    refused = dest.with_suffix(f".refused{dest.suffix}")
    intent = parse_intent(options["intent"])
    hardware = HARDWARE.read(Path(options["hardware"]))
    before = PLAN.read(dest) if dest.exists() else None
    plan = plan_site(hardware, intent, before)
    sentences = changes(before, plan)
    target = dest if plan.applicable else refused
    changed = ensure_text(PLAN.checked_text(plan), target, PLAN.name, check_mode=check_mode)
    if plan.applicable and refused.exists():
        changed = True
        if not check_mode:
            refused.unlink()
    result = {"applicable": plan.applicable, "changes": sentences, "lines": lines(plan), "summary": summary(plan), "dest": str(target)}
    if options["report"]:
        changed |= ensure_text(render(plan), Path(options["report"]), "report", check_mode=check_mode)
        result["report"] = options["report"]
    data = PLAN.to_data(plan)
    result |= {"objections": data["objections"], "warnings_found": data["warnings"], "changed": changed}
    return {**result, "diff": {"prepared": "".join(f"{sentence}\n" for sentence in sentences)}}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    if MISSING:
        module.fail_json(msg=missing_required_lib(MISSING[0]), exception=MISSING[1])
    try:
        result = ensure_plan(module.params, check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
