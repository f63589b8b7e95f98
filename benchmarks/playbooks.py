# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that are Ansible modules, each run by a real ansible-playbook.

`community.general.redfish_info` is one host for each BMC and 64 forks. It needs two tasks, for a task has the commands of one
category only. Pipelining and the free strategy are its fastest way. `frontier.vitro.bmc_info` is one task for all BMCs.
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

SYSTEM_COMMANDS = ("System", "Cpu", "Memory", "Nic", "StorageController", "Disk", "Volume")
# Where redfish_info puts what: command's result -> our word.
REDFISH_INFO = {"cpu": "processors", "memory": "memory modules", "nic": "host NICs", "disk": "drives", "volume": "volumes", "manager_nics": "BMC NICs"}


def redfish_info(job: Job) -> list[Any]:
    asked = {
        "Systems": [f"Get{one}Inventory" for one in SYSTEM_COMMANDS],
        "Manager": ["GetManagerNicInventory"],
    }
    access = {"username": job.username, "password": job.password, "validate_certs": True, "ca_path": job.ca}
    tasks = [
        {
            "name": f"Read {category}",
            "community.general.redfish_info": {"category": category, "command": commands, "baseuri": "{{ inventory_hostname }}:" f"{job.port}", **access},
        }
        for category, commands in asked.items()
    ]
    return [{"name": "Read the BMCs", "hosts": "all", "gather_facts": False, "strategy": "free", "tasks": tasks}]


def bmc_info(job: Job, dest: Path) -> list[Any]:
    options = {"targets": job.addresses, "port": job.port, "username": job.username, "password": job.password, "ca_path": job.ca}
    task = {"name": "Read the BMCs", "frontier.vitro.bmc_info": {**options, "concurrency": job.concurrency, "dest": str(dest)}}
    return [{"name": "Read the BMCs", "hosts": "localhost", "gather_facts": False, "tasks": [task]}]


def command(plays: list[Any], job: Job, folder: Path) -> list[str]:
    """Write what ansible-playbook needs, and say how to call it."""
    local = {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}
    hosts = dict.fromkeys(("localhost", *job.addresses))
    (folder / "hosts.yml").write_text(yaml.safe_dump({"bmcs": {"hosts": dict.fromkeys(job.addresses), "vars": local}, "ungrouped": {"hosts": {"localhost": local}}}))
    (folder / "play.yml").write_text(yaml.safe_dump(plays, sort_keys=False))
    return [str(Path(sys.executable).with_name("ansible-playbook")), "-i", str(folder / "hosts.yml"), str(folder / "play.yml")]


def ansible_environment(*, forks: int = 5, callback: str = "ansible.builtin.default") -> dict[str, str]:
    """Settings by environment alone, so that no ansible.cfg has a say."""
    return environment(
        ANSIBLE_CONFIG="/dev/null",
        ANSIBLE_HOME=str(BUILD / "ansible"),
        ANSIBLE_REMOTE_TEMP=str(BUILD / "ansible" / "tmp"),
        ANSIBLE_COLLECTIONS_PATH=str(ROOT / "build" / "collections"),
        ANSIBLE_FORKS=str(forks),
        ANSIBLE_PIPELINING="True",
        ANSIBLE_STDOUT_CALLBACK=callback,
        ANSIBLE_NOCOLOR="1",
        ANSIBLE_LOCALHOST_WARNING="False",
    )


def recap(output: Path) -> Counter[str]:
    """Hosts that had no failure, by the recap that ends ansible-playbook's output."""
    lines = output.read_text().rpartition("PLAY RECAP")[2].splitlines()[1:]
    return Counter("ok" if "failed=0" in line and "unreachable=0" in line else "failed" for line in lines if "ok=" in line)


def found(output: Path) -> Counter[str]:
    """What redfish_info found, by the output of ansible.posix.json: lists of entries for each system or manager."""
    counted: Counter[str] = Counter()
    text = output.read_text()
    for play in json.loads(text[text.index("{") :])["plays"]:
        for task in play["tasks"]:
            for result in task["hosts"].values():
                facts = result.get("redfish_facts") or {}
                counted["servers"] += len((facts.get("system") or {}).get("entries") or ())
                for key, word in REDFISH_INFO.items():
                    counted[word] += sum(map(_entries, (facts.get(key) or {}).get("entries") or ()))
    return counted


def _entries(group: Any) -> int:
    """Each group of entries is [whose, list]; storage has a controller's name and a list under a key of its own."""
    _, things = group
    return sum(len(thing.get("Drives") or thing.get("Volumes") or ()) if "Controller" in thing else 1 for thing in things)
