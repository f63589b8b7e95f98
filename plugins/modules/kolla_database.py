#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_database
short_description: One step of a restore on a host with Kolla's MariaDB
version_added: 0.1.0
description:
  - Does what a restore needs on the host, with the programs of the image that serves the database. Each step may be repeated, and a
    restore that was cut off goes on with the same steps.
  - The role C(kolla_deploy) calls the steps in their order. By hand it is of use to look.
author:
  - Vitro contributors (@frontier)
options:
  engine:
    description: What runs the containers.
    type: str
    required: true
    choices: [docker, podman]
  stage:
    description:
      - V(look) tells the newest full backup that Kolla made here, the version that runs, and the room there is. V(room) tells only the
        room.
      - V(begin) makes a folder for the file, V(prepare) unpacks it there and makes it a whole database; what runs is not touched.
      - V(aside) moves the data directory away. MariaDB must be stopped. V(copy) puts the prepared database in its place.
      - V(finish) removes the folder. What was moved away stays.
    type: str
    default: look
    choices: [look, room, begin, prepare, aside, copy, finish]
  sha256:
    description: The sum of the file that is prepared.
    type: str
  backup:
    description: The name of the backup, to be remembered while the restore goes on.
    type: str
    default: ""
  stamp:
    description: What the folder of the old data is named after.
    type: str
    default: ""
attributes:
  check_mode:
    support: full
    description: Only looks.
  diff_mode:
    support: none
    description: There is nothing to compare.
requirements:
  - The command line of the engine on the host
"""

EXAMPLES = r"""
- name: Look at the newest backup on the host
  frontier.vitro.kolla_database:
    engine: docker
  register: seen
  become: true
"""

RETURN = r"""
path:
  description: The file of the backup on the host; empty if there is none.
  returned: when O(stage) is V(look) or V(begin)
  type: str
bytes:
  description: Its size.
  returned: when O(stage) is V(look) or V(begin)
  type: int
sha256:
  description: Its sum.
  returned: when O(stage) is V(look) or V(begin)
  type: str
made:
  description: When it was made, in seconds since 1970.
  returned: when O(stage) is V(look)
  type: int
mariadb:
  description: The version that runs.
  returned: when O(stage) is V(look)
  type: str
data_bytes:
  description: The size of the data directory.
  returned: when O(stage) is V(look) or V(room)
  type: int
free_bytes:
  description: The room beside it.
  returned: when O(stage) is V(look) or V(room)
  type: int
attempt:
  description: A restore that was begun and has not ended, with C(backup) and C(aside).
  returned: when O(stage) is V(look) or V(room)
  type: dict
aside:
  description: Where the data from before the restore are.
  returned: when O(stage) is V(aside) or V(finish)
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla import database

ARGUMENTS = {
    "engine": {"type": "str", "required": True, "choices": ["docker", "podman"]},
    "stage": {"type": "str", "default": "look", "choices": ["look", "room", "begin", "prepare", "aside", "copy", "finish"]},
    "sha256": {"type": "str"},
    "backup": {"type": "str", "default": ""},
    "stamp": {"type": "str", "default": ""},
}
READS = ("look", "room")


def ensure_stage(engine: database.Engine, stage: str, sha256: str, backup: str, stamp: str) -> dict[str, object]:
    """Do one step, and say what it gave."""
    if stage in READS:
        return {"changed": False, **(database.look(engine) if stage == "look" else database.room(engine))}
    if stage == "begin":
        return {"changed": True, **database.begin(engine)}
    if stage == "prepare":
        return {"changed": database.prepare(engine, sha256)}
    if stage == "aside":
        return {"changed": True, "aside": database.set_aside(engine, backup, stamp)}
    if stage == "copy":
        database.copy_back(engine)
        return {"changed": True}
    return {"changed": True, "aside": database.finish(engine)}


def main() -> None:
    module = AnsibleModule(
        argument_spec=ARGUMENTS,
        supports_check_mode=True,
        required_if=[("stage", "prepare", ["sha256"]), ("stage", "aside", ["backup", "stamp"])],
    )
    engine = database.Engine(module.params.pop("engine"))
    if module.check_mode and module.params["stage"] not in READS:
        module.exit_json(changed=True, aside="")
    try:
        result = ensure_stage(engine, **module.params)
    except (database.DatabaseFailed, OSError) as exc:
        module.fail_json(msg=str(exc), code=database.DatabaseFailed.code)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
