# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""kolla_check and kolla_images as a playbook calls them, on a rendered directory on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from ansible.constants import DEFAULT_VAULT_ID_MATCH
from ansible.parsing.vault import VaultLib, VaultSecret
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check_read import read_site
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.effective import UNKNOWN, to_bool
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.images import list_images, representatives, role_gates, service_roles
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT

from tests.lab.registry import lab_registry, missing_program
from tests.unit.plugins.module_utils.kolla.good_site import NOW, VENV, package, plan, rendered
from tests.unit.tree import ROOT

VAULT_PASSWORD = "the-vault-password-of-this-test"
BIN = Path(sys.executable).parent


class Folder:
    """A site's folder with a plan and what was rendered of it."""

    def __init__(self, base, planned=None, **keys):
        self.base, self.planned = base, planned or plan()
        self.config = base / "rendered/kolla"
        vault = VaultLib([(DEFAULT_VAULT_ID_MATCH, VaultSecret(VAULT_PASSWORD.encode()))])
        (base / "vault").write_text(VAULT_PASSWORD)
        (base / "plan.json").write_text(DOCUMENT.to_text(self.planned))
        self.tree = rendered(self.planned, **keys)
        for path, file in self.tree.items():
            target = self.config / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(vault.encrypt(file.text) if file.secret else file.text.encode())

    def play(self, module, *arguments, vault=True, **options):
        given = {"config": str(self.config), "venv": str(VENV), **options}
        copied = {"content": "{{ result | to_json }}", "dest": str(self.base / "result.json"), "mode": "0600"}
        tasks = [
            {f"frontier.vitro.{module}": given, "register": "result", "ignore_errors": True},
            {"ansible.builtin.copy": copied, "check_mode": False, "diff": False},
        ]
        local = {"hosts": "localhost", "connection": "local", "vars": {"ansible_python_interpreter": sys.executable}}
        (self.base / "play.yml").write_text(yaml.safe_dump([{**local, "gather_facts": False, "tasks": tasks}]))
        clean = {key: value for key, value in os.environ.items() if not key.startswith("ANSIBLE_")}
        secret = ["--vault-password-file", str(self.base / "vault")] if vault else []
        done = subprocess.run(
            [str(BIN / "ansible-playbook"), "-i", "localhost,", *secret, *arguments, str(self.base / "play.yml")],
            env={**clean, "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1"},
            cwd=self.base, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads((self.base / "result.json").read_text()), done.stdout

    def check(self, *arguments, **options):
        return self.play("kolla_check", *arguments, plan=str(self.base / "plan.json"), **options)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    return Folder(tmp_path_factory.mktemp("site"))


def contents(folder):
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_good_directory(good):
    before = contents(good.config)
    result, shown = good.check()
    assert (result["problems"], result["awaited"], result["warnings_found"]) == ([], [], [])
    assert result["summary"] == {"problems": 0, "awaited": 0, "warnings": 0, "images": 0}
    assert result["changed"] is False
    assert "Kolla's configuration: 0 problems, 0 awaited, 0 warnings" in shown
    assert contents(good.config) == before


def test_mistakes_by_hand_in_any_file(tmp_path):
    site = Folder(tmp_path)
    own = site.config / "inventory/host_vars/lab-02.yml"
    own.write_text(own.read_text().replace("main.23", "main.24"))
    (site.config / "globals.d").mkdir()
    (site.config / "globals.d/mine.yml").write_text("enable_haet: true\nkeepalived_virtual_router_id: 300\n")
    (site.config / "globals.d/other.yml").write_text("a: [\n")
    (site.config / "config/glance/ceph.conf").write_text("")
    result, shown = site.check("--check")
    told = [(one["code"], one["file"], one["key"], one["value"], one["host"]) for one in result["problems"]]
    api = ["api_interface", "kolla_external_vip_interface", "dns_interface", "migration_interface"]
    assert [one for one in told if one[0] != "interface_unknown"] == [
        ("ceph_empty", "config/glance/ceph.conf", None, None, None),
        ("unknown_key", "globals.d/mine.yml", "enable_haet", "True", None),
        ("vrid_invalid", "globals.d/mine.yml", "keepalived_virtual_router_id", "300", None),
        ("yaml_broken", "globals.d/other.yml", None, "line 2", None),
    ]
    assert {one[2] for one in told if one[0] == "interface_unknown"} <= set(api)
    assert all(one[4] == "lab-02" for one in told if one[0] == "interface_unknown")
    assert all(one["cure"] and one["text"] for one in result["problems"])
    assert "did you mean `enable_heat`?" in shown


def test_secrets_that_cannot_be_read_are_named_at_once(good):
    result, _ = good.check(vault=False)
    locked = [path for path, file in good.tree.items() if file.secret]
    assert result["failed"] and result["code"] == "kolla_config"
    assert f"{len(locked)} mistakes" in result["msg"]
    assert all(path in result["msg"] for path in locked)


@pytest.mark.parametrize(
    ("options", "code"),
    [({"config": "/nowhere"}, "kolla_config"), ({"venv": "/nowhere"}, "kolla_package"), ({"plan": "/nowhere/plan.json"}, "document")],
)
def test_what_is_not_there(good, options, code):
    result, _ = good.play("kolla_check", **{"plan": str(good.base / "plan.json"), **options})
    assert result["failed"] and result["code"] == code


@pytest.fixture(scope="module")
def images(good):
    return list_images(good.tree, package())


def evaluated(planned, tree):
    """The images by our own evaluation of Kolla's defaults, which shares nothing with Ansible's."""
    site = read_site(planned, tree, package(), NOW)
    variables, found = site.variables, set()
    hosts = representatives(tree["inventory/hosts"].text)
    gates = role_gates(package())
    for role, names in service_roles(package()).items():
        text = (package().data / f"ansible/roles/{role}/defaults/main.yml").read_text()
        defaults = yaml.load(text, Loader=yaml.CSafeLoader)
        variables.defaults.update({"role_rabbitmq_groups": "rabbitmq"})
        if not all(to_bool(variables._resolved(f"{{{{ {gate} }}}}", hosts[0], 0)) for gate in gates[role]):
            continue
        for service in (one for name in names for one in defaults[name].values()):
            for host in hosts:
                enabled, group, image = (variables._resolved(service.get(key), host, 0) for key in ("enabled", "group", "image"))
                mapped = variables._resolved(service.get("host_in_groups"), host, 0)
                here = to_bool(mapped) if mapped is not None else group not in site.members or host in site.members[group]
                assert UNKNOWN not in (enabled, image, mapped)
                if to_bool(enabled) and here and image:
                    found.add(image)
    return sorted(found)


def test_images_are_those_of_the_enabled_services(good, images):
    assert images == evaluated(good.planned, good.tree)
    assert all(image.startswith("registry.lab.example:5000/kolla/") and image.endswith(":2026.1-debian-trixie") for image in images)
    names = {image.rpartition("/")[2].partition(":")[0] for image in images}
    assert {"mariadb-server", "nova-libvirt", "ovn-controller", "valkey-server", "octavia-api", "prometheus-node-exporter"} <= names
    assert not names & {"etcd", "aodh-api", "redis", "masakari-api", "neutron-openvswitch-agent", "letsencrypt-lego"}


def test_images_follow_the_operators_keys(tmp_path):
    site = Folder(tmp_path, enable_prometheus=False, enable_aodh=True, nova_tag="own-1", haproxy_image="other.example/haproxy")
    before = tmp_path / "rendered/images.txt"
    checked, _ = site.play("kolla_images", "--check", "--diff", dest=str(before))
    assert checked["changed"] and not before.exists()
    result, _ = site.play("kolla_images", dest=str(before))
    names = [image.rpartition("/")[2] for image in result["images"]]
    assert before.read_text().splitlines() == result["images"] == checked["images"]
    assert "aodh-api:2026.1-debian-trixie" in names and not [name for name in names if name.startswith("prometheus-server")]
    assert "nova-api:own-1" in names
    assert [image for image in result["images"] if image.startswith("other.example/haproxy:")]
    again, _ = site.play("kolla_images", dest=str(before))
    assert again["changed"] is False


def test_the_registry_is_asked_for_every_image(tmp_path, images):
    if said := missing_program():
        pytest.skip(said)
    (tmp_path / "registry").mkdir()
    with lab_registry(tmp_path / "registry") as registry:
        site = Folder(tmp_path, plan(registry=registry.host))
        ours = [image.replace("registry.lab.example:5000/", "") for image in images]
        for image in ours[3:]:
            registry.push(image)
        access = {"ca": str(registry.ca), "username": registry.username, "password": registry.password}
        result, shown = site.check("-vvv", registry=access)
        assert [one["value"] for one in result["problems"]] == [f"{registry.host}/{image}" for image in ours[:3]]
        assert {one["code"] for one in result["problems"]} == {"image_missing"}
        assert result["summary"]["images"] == len(ours)
        assert registry.password not in shown
        for image in ours[:3]:
            registry.push(image)
        assert site.check(registry=access)[0]["problems"] == []


def test_no_secret_is_shown(good):
    """Everything wrong with every secret, and not one of them in what is said."""
    result, shown = good.check("-vvv")
    said = json.dumps(result) + shown
    secrets = [value for value in yaml.safe_load(good.tree["passwords.yml"].text).values() if isinstance(value, str) and len(value) > 7]
    assert len(secrets) > 90
    assert not [secret for secret in secrets if secret in said]
