# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where examples are played: documentation addresses lead to emulated racks, and secrets have values."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.lab.rack import Rack, default_bmc, lab_rack

CHECKOUT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent
# 192.0.2.x of the examples is this network's x.
NETWORK = "127.78.0"


@dataclass(frozen=True)
class Stage:
    """A folder to run Ansible in, and what the examples' words stand for."""

    folder: Path
    port: int
    servers: int
    words: dict[str, str]
    variables: dict[str, Any]
    environment: dict[str, str]

    def write(self, name: str, content: Any) -> Path:
        """Put a file into the folder, with the words of the examples translated."""
        text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
        for word, meaning in self.words.items():
            text = re.sub(rf"(?<![\w.]){re.escape(word)}", meaning, text)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, program: str, *arguments: str) -> str:
        """What the program printed. It must succeed, and have nothing to warn of."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ANSIBLE_", "VITRO_"))}
        command = [str(BIN / program), *arguments]
        environment = kept | self.environment
        done = subprocess.run(command, cwd=self.folder, env=environment, check=False, capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "[WARNING]" not in done.stderr, done.stderr
        return done.stdout

    def play(self, playbook: str | Path, *arguments: str) -> str:
        # An intent plans with documentation addresses as they stand.
        variables = self.folder / "variables.yml"
        variables.write_text(yaml.safe_dump(self.variables))
        return self.run("ansible-playbook", str(playbook), "--extra-vars", f"@{variables}", *arguments)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((f"{NETWORK}.11", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def raised_stage(folder: Path) -> Iterator[Stage]:
    """The racks of the examples: eight mixed BMCs from .11 on, and two of one vendor, with an account of its own, from .33 on."""
    port = free_port()
    mixed = Rack(lab_rack(8), port=port, first_address=f"{NETWORK}.11")
    others = [default_bmc("ilo6", 100), default_bmc("ilo6", 101)]
    other = Rack(others, port=port, first_address=f"{NETWORK}.33", username="Administrator", password="other-password")
    with mixed, other:
        bundle = folder / "ca.pem"
        bundle.write_text(mixed.ca_path.read_text() + other.ca_path.read_text())
        (folder / "vault-password").write_text("of the examples\n")
        for venv in (folder / "venv-kolla", folder / "sites/example/venv-kolla"):
            venv.parent.mkdir(parents=True, exist_ok=True)
            venv.symlink_to(CHECKOUT / "build/venv-kolla")
        certificate = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((mixed.bmcs[0].address, port)))
        yield Stage(
            folder=folder,
            port=port,
            servers=len(mixed.bmcs) + len(other.bmcs),
            words={"192.0.2.": f"{NETWORK}.", "/etc/ssl/site-ca.pem": str(bundle)},
            variables={
                "vitro_site": yaml.safe_load((CHECKOUT / "inventories/example/group_vars/all/site.yml").read_text())["vitro_site"],
                "vault_bmc_password": mixed.password,
                "vault_hpe_password": other.password,
                "bmc_fingerprint": hashlib.sha256(certificate).hexdigest(),
            },
            environment={
                "HOME": str(folder),
                "ANSIBLE_CONFIG": str(CHECKOUT / "ansible.cfg"),
                "ANSIBLE_LOCALHOST_WARNING": "false",
                "ANSIBLE_VAULT_PASSWORD_FILE": str(folder / "vault-password"),
                "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
                "VITRO_BMC_USERNAME": mixed.username,
                "VITRO_BMC_PASSWORD": mixed.password,
                "HPE_BMC_PASSWORD": other.password,
            },
        )
