# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site that is ready for Kolla: planned, rendered, with certificates that Kolla's own command made and files as Ceph hands them over."""

from __future__ import annotations

import base64
import os
import secrets
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT as HARDWARE
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import read_plan
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

from tests.integration.bmc.ansible import Site
from tests.unit.plugins.module_utils.plan.racks import INTENT, laid_over, rack_of

CLIENTS = ("glance", "cinder", "cinder-backup")


@dataclass
class KollaSite(Site):
    """`venv` has kolla-ansible and its collections; `name` is what its folders are called."""

    venv: Path
    name: str = "here"

    @property
    def folder(self) -> Path:
        return self.base / "inventories" / self.name

    @property
    def document(self) -> Path:
        return self.base / "sites" / self.name / "hardware.json"

    @property
    def documents(self) -> Path:
        return self.document.parent

    @property
    def config(self) -> Path:
        return self.documents / "rendered/kolla"

    @property
    def vault_password_file(self) -> Path:
        return self.base / "vault-password"

    @property
    def plan(self) -> Plan:
        return read_plan(self.documents / "plan.json")

    def make(self, servers: int, **intent: object) -> None:
        """Plan it, from nothing."""
        shutil.rmtree(self.base, ignore_errors=True)
        self.write_document(HARDWARE.to_text(rack_of(servers)))
        self.folder.mkdir(parents=True)
        self.vault_password_file.touch(mode=0o600)
        self.vault_password_file.write_text(secrets.token_hex(16))
        wanted = {"vitro_site": laid_over(INTENT, intent), "kolla_topology_venv": str(self.venv), "kolla_deploy_venv": str(self.venv)}
        variables = self.folder / "group_vars/all/site.yml"
        variables.parent.mkdir(parents=True)
        variables.write_text(yaml.safe_dump(wanted))
        (self.folder / "site.yml").write_text(yaml.safe_dump({"plugin": "frontier.vitro.site", "plan": str(self.documents / "plan.json")}))
        self.play("plan")

    def bring(self) -> None:
        """Everything that a site brings, so that nothing is awaited any more."""
        self.play("render")
        self.bring_ceph()
        self.bring_certificates()
        self.play("render")

    def play(self, name: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = self.run("ansible-playbook", f"frontier.vitro.{name}", *arguments, ANSIBLE_VAULT_PASSWORD_FILE=str(self.vault_password_file))
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def bring_ceph(self) -> None:
        """What cephadm prints: a tab before each key."""
        monitors = [self.storage_address(name) for name in self.plan.ceph.monitors]
        fsid = "2c6b4a8e-5f0b-4c0e-9a7e-0d5f5a1f7a10"
        folder = self.documents / "ceph"
        folder.mkdir(exist_ok=True)
        (folder / "ceph.conf").write_text(f"# minimal ceph.conf for {fsid}\n[global]\n\tfsid = {fsid}\n\tmon_host = {' '.join(monitors)}\n")
        for client in CLIENTS:
            # The form of a key: type, time, length, and sixteen random bytes.
            key = base64.b64encode(b"\1\0" + bytes(8) + b"\x10\0" + secrets.token_bytes(16)).decode()
            (folder / f"ceph.client.{client}.keyring").write_text(f'[client.{client}]\n\tkey = {key}\n\tcaps mon = "profile rbd"\n')

    def bring_certificates(self) -> None:
        """Let Kolla's own command make a CA and certificates for the rendered configuration."""
        work = self.base / "certificates"
        shutil.copytree(self.config, work, dirs_exist_ok=True)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("ANSIBLE_", "PYTHON"))}
        variables = inherited | {
            "PATH": f"{self.venv / 'bin'}:{os.environ['PATH']}",
            "ANSIBLE_VAULT_PASSWORD_FILE": str(self.vault_password_file),
        }
        command = [str(self.venv / "bin/kolla-ansible"), "certificates", "--configdir", str(work), "-i", str(work / "inventory")]
        done = subprocess.run(command, cwd=work, env=variables, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        mine = self.documents / "kolla/certificates"
        (mine / "ca").mkdir(parents=True, exist_ok=True)
        for name in ("haproxy.pem", "haproxy-internal.pem", "ca/root.crt"):
            shutil.copy(work / "certificates" / name, mine / name)

    def renew_certificates(self) -> None:
        """The keys and the CA stay. Kolla's command makes what is missing."""
        for side in ("external", "internal"):
            (self.base / f"certificates/certificates/private/{side}/{side}.crt").unlink()
        self.bring_certificates()

    def storage_address(self, server: str) -> str:
        interfaces = next(one for one in self.plan.servers if one.name == server).interfaces
        addresses = [address for interface in interfaces for address in interface.addresses]
        carried = next(one.carried_by for one in self.plan.networks if one.name == "storage")
        return next(address.cidr.partition("/")[0] for address in addresses if address.network == carried)
