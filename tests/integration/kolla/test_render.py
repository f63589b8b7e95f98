# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook as an operator uses it: from a plan to the files that kolla-ansible reads."""

from __future__ import annotations

import json
import subprocess
import zipfile

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site

from tests.integration.bmc.ansible import Site
from tests.unit.plugins.module_utils.kolla.good_site import authority, ceph, names
from tests.unit.plugins.module_utils.kolla.sites import VENV, installed, planned
from tests.unit.plugins.module_utils.plan.racks import intent, rack_of

RENDER = "frontier.vitro.render"


class Rendered(Site):
    """A site with a plan and a vault password."""

    @property
    def home(self):
        return self.document.parent

    @property
    def dest(self):
        return self.home / "rendered" / "kolla"

    @property
    def vault(self):
        return self.base / "vault-password"

    def have(self, plan):
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "plan.json").write_text(DOCUMENT.to_text(plan))

    def want(self, **variables):
        path = self.folder / "group_vars" / "all" / "site.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        given = {f"kolla_topology_{key}": value for key, value in variables.items()}
        path.write_text(yaml.safe_dump({"kolla_topology_venv": str(VENV), **given}))

    def bring(self, **files):
        for path, text in files.items():
            (self.home / path).parent.mkdir(parents=True, exist_ok=True)
            (self.home / path).write_text(text)

    def play(self, *arguments, vault=None):
        secrets = {"ANSIBLE_VAULT_PASSWORD_FILE": str(vault or self.vault)} if vault is not False else {}
        return self.run("ansible-playbook", RENDER, *arguments, **secrets)

    def files(self):
        return {path.relative_to(self.dest).as_posix(): path.read_bytes() for path in self.dest.rglob("*") if path.is_file()}

    def passwords(self):
        command = [str(VENV / "bin/ansible-vault"), "view", "--vault-password-file", str(self.vault), str(self.dest / "passwords.yml")]
        return yaml.safe_load(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.fixture
def site(tmp_path):
    installed()
    site = Rendered(tmp_path)
    site.have(planned())
    site.want()
    (site.folder / "hosts.yml").write_text("all: {}\n")
    site.vault.write_text("a vault password\n")
    return site


def changed(done):
    assert done.returncode == 0, done.stdout + done.stderr
    line = done.stdout.split("PLAY RECAP")[1].splitlines()[1]
    return int(line.partition("changed=")[2].split()[0])


def test_from_a_plan_to_what_kolla_reads(site):
    checked = site.play("--check", "--diff")
    assert changed(checked) == 1
    assert "+kolla_internal_vip_address" in checked.stdout
    assert "passwords.yml (secret): new" in checked.stdout
    assert "kolla/certificates/haproxy.pem" in checked.stdout
    assert not site.dest.exists()

    first = site.play("--diff")
    assert changed(first) == 1
    assert "0 problems, 11 awaited" in first.stdout
    assert "certificates/haproxy.pem" in first.stdout
    before = site.files()
    assert before["passwords.yml"].startswith(b"$ANSIBLE_VAULT;")

    again = site.play("--diff", "-vvv")
    assert changed(again) == 0
    assert site.files() == before
    values = [value for value in site.passwords().values() if isinstance(value, str)]
    assert len(values) > 90
    shown = first.stdout + first.stderr + again.stdout + again.stderr
    assert [value for value in values if value in shown] == []

    inventory = [str(VENV / "bin/ansible-inventory"), "-i", str(site.dest / "inventory"), "--list"]
    settings = site.base / "kolla.cfg"
    settings.write_text("[defaults]\n")
    environment = site.environment(ANSIBLE_CONFIG=str(settings))
    listed = json.loads(subprocess.run(inventory, check=True, capture_output=True, text=True, env=environment).stdout)
    assert listed["control"]["hosts"] == ["lab-01", "lab-02", "lab-03"]
    assert {*installed().groups} <= {*listed}
    assert listed["_meta"]["hostvars"]["lab-02"]["tunnel_interface"] == "main.22"
    assert listed["_meta"]["hostvars"]["lab-02"]["ansible_user"] == "root"


def test_what_is_brought_goes_in_and_what_is_stale_goes_out(site):
    site.play()
    before = site.files()
    (site.dest / "config" / "old.conf").write_text("[x]\n")
    (site.dest / "clouds.yaml").write_text("from kolla-ansible post-deploy\n")
    plan = planned()
    pem = authority().signed(names(plan, "external"), (-1, 3000))
    keyring = ceph(plan)["ceph.client.glance.keyring"].text
    own = {
        "kolla/certificates/haproxy.pem": pem,
        "kolla/config/neutron.conf": "[DEFAULT]\ndebug = true\n",
        "ceph/ceph.conf": ceph(plan)["ceph.conf"].text,
        "ceph/ceph.client.glance.keyring": keyring,
    }
    site.bring(**own)
    site.want(
        globals={"openstack_region_name": "north"},
        connection={"ansible_user": "vitro", "ansible_become_password": "become-secret"},
        passwords={"docker_registry_password": "registry-secret"},
    )
    done = site.play("--diff", "-vvv")
    assert changed(done) == 1
    assert "config/old.conf: removed" in done.stdout
    secret = ("become-secret", "registry-secret", keyring.split()[-1], pem.splitlines()[-3])
    assert [word for word in secret if word in done.stdout + done.stderr] == []
    after = site.files()
    new = {path for path in after if path not in before}
    assert new == {
        "certificates/haproxy.pem",
        "clouds.yaml",
        "config/glance/ceph.client.glance.keyring",
        *(f"config/{service}/ceph.conf" for service in ("cinder", "glance", "nova")),
        "globals.d/50-site.yml",
        "inventory/group_vars/baremetal/secrets.yml",
    }
    assert {path for path in before if before[path] != after.get(path)} == {
        "config/neutron.conf",
        "inventory/group_vars/baremetal/connection.yml",
        "needs.yml",
        "passwords.yml",
    }
    secrets = {path for path, content in after.items() if content.startswith(b"$ANSIBLE_VAULT;")}
    assert secrets == {path for path in after if path.endswith((".pem", ".keyring", "passwords.yml", "secrets.yml"))}
    assert site.passwords()["docker_registry_password"] == "registry-secret"
    assert changed(site.play()) == 0
    assert site.files() == after


def test_a_server_more(site):
    site.play()
    before = site.files()
    plan = planned()
    site.have(plan_site(rack_of(4), intent(), plan))
    done = site.play()
    assert changed(done) == 1
    after = site.files()
    assert {path for path in after if before.get(path) != after[path]} == {
        "config/nova/lab-04/nova-compute.conf",
        "inventory/host_vars/lab-04.yml",
        "inventory/hosts",
    }


def test_problems_are_told_at_once(site):
    site.want(globals={"neutron_plugin_agnet": "ovn", "keepalived_virtual_router_id": 300})
    done = site.play()
    assert done.returncode == 2
    said = " ".join(done.stdout.split())
    assert "neutron_plugin_agent" in said
    assert "Kolla cannot be run so: 2 problems" in said


def foreign(site):
    site.dest.mkdir(parents=True)
    (site.dest / "globals.yml").write_text("mine: true\n")


TROUBLE = {
    "no vault password": (lambda _site: None, False, "vault_password_missing", "this run has no vault password"),
    "foreign directory": (foreign, None, "kolla_foreign_directory", "frontier.vitro.render did not write"),
    "no plan": (lambda site: (site.home / "plan.json").unlink(), None, None, "Run frontier.vitro.plan first"),
    "damaged plan": (
        lambda site: (site.home / "plan.json").write_text('{"versions": {"kolla_ansible": "22.2.0"}}'),
        None,
        "document",
        "schema",
    ),
    "own files elsewhere": (
        lambda site: site.bring(**{"kolla/globals.yml": "a: 1"}),
        None,
        "kolla_inputs",
        "only config/ and certificates/",
    ),
}


@pytest.mark.parametrize(("make", "vault", "code", "words"), TROUBLE.values(), ids=TROUBLE)
def test_trouble_writes_nothing(site, make, vault, code, words):
    make(site)
    before = site.files() if site.dest.exists() else None
    done = site.play(vault=vault)
    assert done.returncode == 2
    assert code is None or f"code: {code}" in done.stdout
    assert words in " ".join(done.stdout.split())
    assert (site.files() if site.dest.exists() else None) == before


def test_wrong_vault_password(site, tmp_path):
    site.play()
    before = site.files()
    wrong = tmp_path / "wrong"
    wrong.write_text("another\n")
    done = site.play(vault=wrong)
    assert done.returncode == 2
    assert "code: kolla_secret_locked" in done.stdout
    assert site.files() == before


def test_damaged_passwords_are_not_shown(site):
    site.play()
    path = site.dest / "passwords.yml"
    path.write_text("keystone_admin_password: {shown-never\n")
    done = site.play("-vvv")
    assert done.returncode == 2
    assert "code: kolla_passwords" in done.stdout
    assert "shown-never" not in done.stdout + done.stderr


def test_check_before_kolla_is_installed(site):
    site.want(venv=str(site.base / "venv"))
    done = site.play("--check")
    assert changed(done) == 1
    assert "kolla-ansible would be installed first" in done.stdout
    assert not site.dest.exists()
    assert not (site.base / "venv").exists()


def test_kolla_from_a_folder_of_wheels(site):
    """A site without an index: pip takes what stands in the folder, and nothing else."""
    wheels, venv = site.base / "the wheels", site.base / "venv"
    wheels.mkdir()
    info = "kolla_ansible-22.2.0.dist-info"
    with zipfile.ZipFile(wheels / "kolla_ansible-22.2.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: kolla-ansible\nVersion: 22.2.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    site.want(venv=str(venv), wheels=str(wheels))
    done = site.play("--tags", "kolla_topology_package")
    assert changed(done) == 1
    assert list(venv.glob(f"lib/python3*/site-packages/{info}"))
    assert changed(site.play("--tags", "kolla_topology_package")) == 0
