# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real `kolla-ansible genconfig` without any host: planned facts, and three of Kolla's modules that answer as an empty host would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

from tests.lab.kolla.facts import facts_of

HERE = Path(__file__).parent
STAND_INS = HERE / "empty_host"
# OVN's roles make /run/ovn in their config step; in a namespace of our own that needs no root and leaves nothing behind.
ISOLATED = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", 'mount -t tmpfs tmpfs /run; exec "$@"', "sh"]


@dataclass(frozen=True)
class Harness:
    """`config` is a rendered tree, `venv` has kolla-ansible with its collections, `work` is ours."""

    plan: Plan
    config: Path
    venv: Path
    work: Path
    vault_password_file: Path

    @property
    def nodes(self) -> Path:
        """What would stand in /etc/kolla, one folder per host."""
        return self.work / "nodes"

    def prepare(self) -> None:
        """Make the data directory with the stand-ins, and fill the fact cache."""
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "cache").mkdir(parents=True)
        self.nodes.mkdir()
        self._make_data()
        facts = self.work / "facts.json"
        facts.write_text(json.dumps(facts_of(self.plan)))
        module = ["-M", str(STAND_INS), "-m", "planned_facts", "-a", f"facts={facts} host={{{{ inventory_hostname }}}}"]
        self._run(["ansible", "all", "-i", str(self.config / "inventory"), *module, "-e", json.dumps(self._local())])

    def genconfig(self, tags: Sequence[str] = (), limit: Sequence[str] = ()) -> None:
        """Render the configuration of services; all of them on all hosts without tags and limit."""
        self._kolla("genconfig", tags, limit)

    def containers(self, tags: Sequence[str], limit: Sequence[str]) -> dict[str, list[str]]:
        """The volumes of the containers that Kolla would start."""
        asked = self.work / "containers"
        asked.unlink(missing_ok=True)
        self._kolla("deploy-containers", tags, limit)
        found = [json.loads(line) for line in asked.read_text().splitlines()]
        return {one["name"]: [volume for volume in one["volumes"] or () if volume] for one in found if one["name"]}

    def _kolla(self, command: str, tags: Sequence[str], limit: Sequence[str]) -> None:
        variables = {
            **self._local(),
            "node_config_directory": str(self.nodes) + "/{{ inventory_hostname }}",
            "node_config": str(self.config),
            "set_sysctl": False,
            "config_owner_user": "root",
            "config_owner_group": "root",
        }
        arguments = ["kolla-ansible", command, "--configdir", str(self.config), "-i", str(self.config / "inventory")]
        arguments += ["-e", json.dumps(variables)]
        arguments += ["--tags", ",".join(tags)] if tags else []
        arguments += ["--limit", ",".join(limit)] if limit else []
        self._run([*ISOLATED, *arguments])

    def _local(self) -> dict[str, object]:
        python = str(self.venv / "bin/python")
        return {"ansible_connection": "local", "ansible_python_interpreter": python, "ansible_become": False}

    def _make_data(self) -> None:
        """Kolla's data directory as links, but for its modules."""
        installed, made = self.venv / "share/kolla-ansible", self.work / "data"
        (made / "ansible").mkdir(parents=True)
        for path in installed.iterdir():
            if path.name != "ansible":
                (made / path.name).symlink_to(path)
        for path in (installed / "ansible").iterdir():
            (made / "ansible" / path.name).symlink_to(STAND_INS if path.name == "library" else path)

    def _run(self, arguments: list[str]) -> None:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("ANSIBLE_", "PYTHON"))}
        variables = {
            **inherited,
            "PATH": f"{self.venv / 'bin'}:{inherited['PATH']}",
            "PYTHONUTF8": "1",
            "KOLLA_ANSIBLE_DATA_FILES_PATH": str(self.work / "data"),
            "VITRO_CONTAINERS": str(self.work / "containers"),
            "ANSIBLE_CACHE_PLUGIN": "jsonfile",
            "ANSIBLE_CACHE_PLUGIN_CONNECTION": str(self.work / "cache"),
            "ANSIBLE_CACHE_PLUGIN_TIMEOUT": "0",
            "ANSIBLE_VAULT_PASSWORD_FILE": str(self.vault_password_file),
            "ANSIBLE_PIPELINING": "True",
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_LOCALHOST_WARNING": "False",
            "ANSIBLE_LOCAL_TMP": str(self.work / "tmp"),
        }
        done = subprocess.run(arguments, cwd=self.work, env=variables, text=True, capture_output=True, check=False)
        if done.returncode:
            # The rest of the output has secrets.
            failed = [line for line in done.stdout.splitlines() if line.startswith("[ERROR]")]
            raise AssertionError("\n".join([f"{arguments} ended with {done.returncode}", *failed, done.stderr[-2000:]]))
