#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rke2_site
short_description: Keep what a site knows of its RKE2 - tokens, and which cluster it has
version_added: 0.1.0
description:
  - Makes C(rke2/secrets.yml) with C(token) and C(agent_token) if there is none, locked with the run's vault password.
  - Notes in C(state/rke2.json) the hash of the cluster's CA and its nodes, so that an emptied site is not taken for a new one.
author:
  - Vitro contributors (@frontier)
options:
  documents:
    description: The folder of the site's documents, on the controller.
    type: path
    required: true
  ca:
    description: The hash of the cluster's CA. Without it nothing is noted.
    type: str
    default: ""
  nodes:
    description: Nodes of the cluster with their roles; they are added to those that are known.
    type: dict
    default: {}
  gone:
    description: Nodes that are not in the cluster any more.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    support: full
    description: Says what would change.
  diff_mode:
    support: full
    description: Shows what is made or noted, never a token.
"""

EXAMPLES = r"""
- name: Keep the site's tokens
  frontier.vitro.rke2_site:
    documents: sites/example
"""

RETURN = r"""
changes:
  description: What was made or noted.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.arguments import SITE


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=SITE, supports_check_mode=True)
    module.fail_json(msg="Cannot keep it here: call it as frontier.vitro.rke2_site, so that it runs on the controller")


if __name__ == "__main__":
    main()
