# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests do to the cloud: as a user, who has guests, and as an operator, who has playbooks."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.client import Cloud
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.compute import read_services, write_service

from tests.lab.openstack import Lab

HOSTS = ["lab-01", "lab-02", "lab-03"]
CHECKOUT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


def until(check, seconds=180, pause=0.5):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(pause)
    raise AssertionError(f"not within {seconds} s: {check}")


@dataclass
class Stage:
    lab: Lab
    cloud: Cloud
    folder: Path
    ids: dict[str, str] = field(default_factory=dict)

    @property
    def clouds(self) -> Path:
        """Encrypted, as in the rendered tree."""
        return self.folder / "clouds.yaml"

    @property
    def vault_password_file(self) -> Path:
        return self.folder / "vault-password"

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.vault_password_file.touch(mode=0o600)
        self.vault_password_file.write_text(secrets.token_hex(16))
        self.clouds.write_bytes(self.lab.clouds.read_bytes())
        subprocess.run(
            [BIN / "ansible-vault", "encrypt", "--vault-password-file", self.vault_password_file, self.clouds],
            check=True,
            capture_output=True,
        )
        self.ids = {**self.named("tiny", "small", "inside"), "large": self.flavor("large", vcpus=2, ram=3072)}

    def named(self, image: str, flavor: str, network: str) -> dict[str, str]:
        """What a guest needs, under these names."""
        inside = self._ensure("network", "/networks", "network", name=network)
        self._ensure("network", "/subnets", "subnet", name=network, network_id=inside, ip_version=4, cidr="198.18.0.0/24")
        return {"image": self._image(image), "flavor": self.flavor(flavor, vcpus=1, ram=1024), "network": inside}

    def flavor(self, name: str, **size: int) -> str:
        return self._ensure("compute", "/flavors", "flavor", name=name, disk=1, **size)

    def _ensure(self, service: str, path: str, kind: str, **body: Any) -> str:
        for one in self.cloud.get(service, path)[f"{kind}s"]:
            if one["name"] == body["name"]:
                return one["id"]
        return self.cloud.send("POST", service, path, {kind: body})[0][kind]["id"]

    def _image(self, name: str) -> str:
        for one in self.cloud.get("image", "/images", name=name)["images"]:
            return one["id"]
        made = self.cloud.send("POST", "image", "/images", {"name": name, "disk_format": "raw", "container_format": "bare"})[0]["id"]
        self.cloud._connection.image.put(f"/images/{made}/file", data=b"\0" * 1024, headers={"Content-Type": "application/octet-stream"})
        return made

    def clear(self) -> None:
        for one in self.servers():
            self.act(one["id"], "os-resetState", {"state": "active"})
            self.cloud.send("DELETE", "compute", f"/servers/{one['id']}", missing_ok=True)
        until(lambda: not self.servers())
        for host in HOSTS:
            if not self.lab.pid_of(f"nova-compute.{host}"):
                self.lab.start_host(host)
        for service in until(lambda: (found := read_services(self.cloud)).keys() >= set(HOSTS) and found).values():
            if not service.enabled:
                write_service(self.cloud, service, enabled=True)
        until(lambda: all(one.up for one in read_services(self.cloud).values()))

    def servers(self) -> list[dict[str, Any]]:
        return list(self.cloud.pages("compute", "/servers/detail", "servers", all_tenants="1"))

    def guest(self, name: str, host: str = "lab-01", flavor: str = "flavor", wait: bool = True) -> str:
        body = {
            "name": name, "imageRef": self.ids["image"], "flavorRef": self.ids[flavor], "networks": [{"uuid": self.ids["network"]}],
            "availability_zone": f"nova:{host}",
        }  # fmt: skip
        made = self.cloud.send("POST", "compute", "/servers", {"server": body})[0]["server"]["id"]
        if wait:
            self.settle(made, "ACTIVE")
        return made

    def guests(self, *names: str, **where: str) -> dict[str, str]:
        made = {name: self.guest(name, wait=False, **where) for name in names}
        for one in made.values():
            self.settle(one, "ACTIVE")
        return made

    def settle(self, guest: str, *statuses: str) -> dict[str, Any]:
        def there():
            seen = self.cloud.get("compute", f"/servers/{guest}")["server"]
            assert "ERROR" in statuses or seen["status"] != "ERROR", seen.get("fault")
            return seen if seen["status"] in statuses and not seen["OS-EXT-STS:task_state"] else None

        return until(there)

    def act(self, guest: str, action: str, body: Any = None) -> None:
        self.cloud.send("POST", "compute", f"/servers/{guest}/action", {action: body})

    def where(self) -> dict[str, tuple[str, str]]:
        """Status and host of each guest by its name."""
        return {one["name"]: (one["status"], one["OS-EXT-SRV-ATTR:host"]) for one in self.servers()}

    def environment(self) -> dict[str, str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("ANSIBLE_", "VITRO_", "OS_"))}
        quiet = {"ANSIBLE_NOCOLOR": "1", "ANSIBLE_LOCALHOST_WARNING": "false", "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false"}
        vault = {"ANSIBLE_VAULT_PASSWORD_FILE": str(self.vault_password_file)}
        return {**clean, **quiet, **vault, "ANSIBLE_CONFIG": str(CHECKOUT / "ansible.cfg")}

    def playbook(self, module: str, **options: Any) -> list[str]:
        """A play of one task, whose result goes to a file."""
        given = {"clouds": str(self.clouds), **options}
        keep = {"ansible.builtin.copy": {"content": "{{ made | to_json }}", "dest": str(self.folder / "result.json"), "mode": "0600"}}
        tasks = [
            {f"frontier.vitro.{module}": given, "register": "made", "ignore_errors": True},
            {**keep, "check_mode": False, "diff": False},
        ]
        path = self.folder / "play.yml"
        path.write_text(yaml.safe_dump([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]))
        return [str(BIN / "ansible-playbook"), str(path)]

    def run(self, module: str, *arguments: str, **options: Any) -> dict[str, Any]:
        command = [*self.playbook(module, **options), *arguments]
        done = subprocess.run(command, cwd=CHECKOUT, env=self.environment(), capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        assert self.lab.password("admin") not in done.stdout + done.stderr
        result = json.loads((self.folder / "result.json").read_text())
        return result | {"shown": done.stdout}

    def interrupt(self, module: str, when, sign: signal.Signals = signal.SIGINT, **options: Any) -> None:
        """Run it, and send a signal when something is the case."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        child = subprocess.Popen(
            self.playbook(module, **options),
            cwd=CHECKOUT,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            until(when, pause=0.2)
        finally:
            os.killpg(child.pid, sign)
            child.wait(60)
