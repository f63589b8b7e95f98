# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that are Ansible modules, each run by a real ansible-playbook.

`community.general.redfish_info` has one host for each BMC and 64 forks. It needs two tasks, for a task has the commands of one
category only. Pipelining and the free strategy make it as fast as it goes. `frontier.vitro.bmc_info` has one task for all BMCs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from benchmarks.job import Job
from benchmarks.measure import BUILD, ROOT, environment

INVENTORIES = ("System", "Cpu", "Memory", "Nic", "StorageController", "Disk", "Volume")
ASKED = {"Systems": [f"Get{one}Inventory" for one in INVENTORIES], "Manager": ["GetManagerNicInventory"]}
# Where redfish_info puts what, and our word for it.
FACTS = {
    "system": "servers",
    "cpu": "processors",
    "memory": "memory modules",
    "nic": "host NICs",
    "disk": "drives",
    "volume": "volumes",
    "manager_nics": "BMC NICs",
}


def redfish_info(job: Job) -> list[Any]:
    access = {"username": job.username, "password": job.password, "validate_certs": True, "ca_path": job.ca}
    place = {"baseuri": f"{{{{ inventory_hostname }}}}:{job.port}", **access}
    tasks = [
        {"name": f"Read {category}", "community.general.redfish_info": {"category": category, "command": commands, **place}}
        for category, commands in ASKED.items()
    ]
    return [{"name": "Read the BMCs", "hosts": "bmcs", "gather_facts": False, "strategy": "free", "tasks": tasks}]


def bmc_info(job: Job, dest: Path) -> list[Any]:
    options = {"targets": job.addresses, "port": job.port, "username": job.username, "password": job.password, "ca_path": job.ca}
    task = {"name": "Read the BMCs", "frontier.vitro.bmc_info": {**options, "concurrency": job.concurrency, "dest": str(dest)}}
    return [{"name": "Read the BMCs", "hosts": "localhost", "gather_facts": False, "tasks": [task]}]


def command(plays: list[Any], job: Job, folder: Path) -> list[str]:
    """Write what ansible-playbook needs, and say how to call it."""
    local = {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}
    groups = {"bmcs": {"hosts": dict.fromkeys(job.addresses), "vars": local}, "ungrouped": {"hosts": {"localhost": local}}}
    (folder / "hosts.yml").write_text(yaml.safe_dump(groups))
    (folder / "play.yml").write_text(yaml.safe_dump(plays, sort_keys=False))
    return [str(Path(sys.executable).with_name("ansible-playbook")), "-i", str(folder / "hosts.yml"), str(folder / "play.yml")]


def environment_of_ansible(*, forks: int = 5, callback: str = "ansible.builtin.default") -> dict[str, str]:
    """Settings by environment alone, so that no ansible.cfg has a say."""
    empty = BUILD / "ansible.cfg"
    empty.touch()
    return environment(
        ANSIBLE_CONFIG=str(empty),
        ANSIBLE_HOME=str(BUILD / "ansible"),
        ANSIBLE_REMOTE_TEMP=str(BUILD / "ansible" / "tmp"),
        ANSIBLE_COLLECTIONS_PATH=str(ROOT / "build" / "collections"),
        ANSIBLE_FORKS=str(forks),
        ANSIBLE_PIPELINING="True",
        ANSIBLE_STDOUT_CALLBACK=callback,
        ANSIBLE_NOCOLOR="1",
    )


def recap(output: Path) -> dict[str, int]:
    """Hosts without a failure, by the recap that ends ansible-playbook's output."""
    lines = output.read_text().rpartition("PLAY RECAP")[2].splitlines()
    return {"servers": sum("failed=0" in line and "unreachable=0" in line for line in lines)}


def facts(output: Path) -> dict[str, int]:
    """What redfish_info found, by the output of ansible.posix.json: lists of entries for each system or manager."""
    counted: Counter[str] = Counter()
    for play in json.loads(output.read_text())["plays"]:
        for task in play["tasks"]:
            for result in task["hosts"].values():
                for key, word in FACTS.items():
                    groups = result.get("redfish_facts", {}).get(key, {}).get("entries", [])
                    counted[word] += len(groups) if key == "system" else sum(_entries(things) for _, things in groups)
    return dict(counted)


def _entries(things: list[Any]) -> int:
    """Drives and volumes are listed under their controllers, the rest as they are."""
    return sum(len(thing.get("Drives") or thing.get("Volumes") or ()) if "Controller" in thing else 1 for thing in things)
