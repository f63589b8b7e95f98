#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_health
short_description: Ask the services that Kolla runs on a host how they are
version_added: 0.1.0
description:
  - Asks the running system, not the files. Containers (running, healthy, restarted by their unit), the forwarding of logs, and as far as
    they run on the host Galera, RabbitMQ, the databases of OVN and HAProxy.
  - Each question gives one check with what is wanted and what was seen. The module changes nothing, and fails only if it cannot ask.
author:
  - Vitro contributors (@frontier)
options:
  host:
    description: The name of the host, for the records.
    type: str
    required: true
  engine:
    description: What runs the containers.
    type: str
    required: true
    choices: [docker, podman]
  control:
    description: The hosts that run the control services, so the members of Galera and RabbitMQ.
    type: list
    elements: str
    required: true
  ovn:
    description: The hosts that run the databases of OVN.
    type: list
    elements: str
    default: []
  address:
    description: The host's address in the API network, where MariaDB and HAProxy listen.
    type: str
    required: true
  database_password:
    description: The password of MariaDB's root. Without it, Galera is not asked.
    type: str
  haproxy_password:
    description: The password of HAProxy's statistics page. Without it, HAProxy is not asked.
    type: str
  haproxy_port:
    description: The port of HAProxy's statistics page.
    type: int
    default: 1984
  logs:
    description: Whether fluentd forwards logs, as it does unless the site has turned it off.
    type: bool
    default: true
  timeout:
    description: How many seconds one answer may take.
    type: int
    default: 30
attributes:
  check_mode:
    support: full
    description: Reads only.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - The command line of the engine on the host
"""

EXAMPLES = r"""
- name: Ask the services how they are
  frontier.vitro.kolla_health:
    host: cloud-01
    engine: docker
    control: [cloud-01, cloud-02, cloud-03]
    ovn: [cloud-01, cloud-02, cloud-03]
    address: 192.0.2.11
  register: health
  become: true
"""

RETURN = r"""
checks:
  description: Every question with its answer, as records of evidence.
  returned: success
  type: list
  elements: dict
  contains:
    stage: {description: Always C(openstack)., type: str}
    check: {description: What was asked., type: str}
    target: {description: "The host, and the container, service or backend on it.", type: str}
    wanted: {description: What the plan wants., type: str}
    seen: {description: What was seen., type: str}
    ok: {description: Whether that is good., type: bool}
    time: {description: "When, in UTC.", type: str}
wrong:
  description: What is not good, one sentence each.
  returned: success
  type: list
  elements: str
"""

from dataclasses import asdict
from datetime import datetime, timezone

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.asking import Host, Unanswered, ask_host

ARGUMENTS = {
    "host": {"type": "str", "required": True},
    "engine": {"type": "str", "required": True, "choices": ["docker", "podman"]},
    "control": {"type": "list", "elements": "str", "required": True},
    "ovn": {"type": "list", "elements": "str", "default": []},
    "address": {"type": "str", "required": True},
    "database_password": {"type": "str", "no_log": True},
    "haproxy_password": {"type": "str", "no_log": True},
    "haproxy_port": {"type": "int", "default": 1984},
    "logs": {"type": "bool", "default": True},
    "timeout": {"type": "int", "default": 30},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    name = module.params.pop("host")
    try:
        checks = ask_host(Host(**module.params))
    except Unanswered as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    # Python 3.9 and older, which some hosts have, know no datetime.UTC.
    shared = {"stage": "openstack", "time": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}  # noqa: UP017
    records = [{**asdict(check), **shared, "target": f"{name} {check.target}"} for check in checks]
    wrong = [f"{check.target}: {check.check}: {check.seen}, wanted {check.wanted}" for check in checks if not check.ok]
    module.exit_json(changed=False, checks=records, wrong=wrong)


if __name__ == "__main__":
    main()
