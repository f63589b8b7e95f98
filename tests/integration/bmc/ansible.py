# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running Ansible as an operator does, on a site of its own in a temporary folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.lab.rack import Rack

CHECKOUT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


@dataclass
class Site:
    """A folder with a bmc.yml, and the commands an operator gives there."""

    base: Path

    @property
    def folder(self) -> Path:
        return self.base / "inventories" / "here"

    @property
    def document(self) -> Path:
        return self.base / "sites" / "here" / "hardware.json"

    def write_document(self, text: str) -> None:
        self.document.parent.mkdir(parents=True, exist_ok=True)
        self.document.write_text(text)

    def configure(self, **options: Any) -> None:
        config = {"plugin": "frontier.vitro.bmc", **options}
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "bmc.yml").write_text(yaml.safe_dump(config))

    def aim_at(self, rack: Rack, **options: Any) -> None:
        targets = [{"address": bmc.address, "port": bmc.port} for bmc in rack.bmcs]
        account = {"username": rack.username, "password": rack.password, "ca_path": str(rack.ca_path)}
        document = {"document": str(self.document)}
        self.configure(**{"targets": targets, "protocol": "redfish", **account, **document, **options})

    def command(self, program: str, *arguments: str) -> list[str]:
        return [str(BIN / program), "-i", str(self.folder), *arguments]

    def environment(self, **variables: str) -> dict[str, str]:
        settings = {"ANSIBLE_CONFIG": str(CHECKOUT / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1", "COLUMNS": "200"}
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("ANSIBLE_", "VITRO_"))}
        return {**clean, **settings, **variables}

    def run(self, program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        command = self.command(program, *arguments)
        return subprocess.run(
            command, cwd=CHECKOUT, env=self.environment(**variables), capture_output=True, text=True, check=False, timeout=120
        )

    def start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Run in the background, silent, to be interrupted. A shell ignores SIGINT for what runs behind it, and children inherit that."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(self.command(program, *arguments), cwd=CHECKOUT, env=self.environment(), start_new_session=True, **silent)

    def discover(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.run("ansible-playbook", "frontier.vitro.discover", *arguments, **variables)

    def hosts(self, *arguments: str) -> dict[str, Any]:
        done = self.run("ansible-inventory", "--list", *arguments)
        assert done.returncode == 0, done.stderr
        # Strings that come from BMCs are marked so that nobody takes them for templates.
        found: dict[str, Any] = json.loads(done.stdout, object_hook=lambda one: one.get("__ansible_unsafe", one))
        return found
