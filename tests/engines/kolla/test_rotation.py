# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""New passwords: by the real kolla-ansible exactly the files that hold them change, those of the services that we name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

NAMES = ["glance_keystone_password", "keepalived_password"]
TAGS = ("glance", "loadbalancer")
# Which containers' folders a tag of Kolla's fills.
FOLDERS = {"glance": {"glance-api"}, "loadbalancer": {"keepalived", "haproxy", "proxysql"}}


def play(site, tmp_path, state, *arguments, **options):
    task = {
        "config": str(site.config),
        "venv": str(site.venv),
        "kept": str(site.documents / "state/kolla-passwords.old.yml"),
        "state": state,
    }
    told = {"ansible.builtin.debug": {"msg": "services: {{ made.services | join(' ') }}"}}
    tasks = [{"frontier.vitro.kolla_passwords": {**task, **options}, "register": "made"}, told]
    playbook = tmp_path / "play.yml"
    playbook.write_text(yaml.safe_dump([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]))
    password = {"ANSIBLE_VAULT_PASSWORD_FILE": str(site.vault_password_file)}
    done = site.run("ansible-playbook", str(playbook), "--diff", *arguments, **password)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passwords(site):
    command = [site.venv / "bin/ansible-vault", "view", "--vault-password-file", site.vault_password_file, site.config / "passwords.yml"]
    return yaml.safe_load(subprocess.run(command, text=True, capture_output=True, check=True).stdout)


def texts(folder: Path):
    return {path.relative_to(folder).as_posix(): path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def way_back(site, tmp_path):
    yield
    play(site, tmp_path, "reverted")
    play(site, tmp_path, "ended")


@pytest.mark.usefixtures("way_back")
def test_exactly_the_files_that_hold_them_change(site, harness, tmp_path):
    node = harness.nodes / "lab-01"
    harness.genconfig(TAGS, limit=("lab-01", "localhost"))
    before, old = texts(node), passwords(site)
    holding = {path for path, text in before.items() if any(old[name] in text for name in NAMES)}
    assert holding

    would = play(site, tmp_path, "begun", "--check", names=NAMES)
    assert passwords(site) == old
    shown = play(site, tmp_path, "begun", names=NAMES)
    new = passwords(site)
    assert {key for key in old if old[key] != new[key]} == set(NAMES)
    assert "services: glance loadbalancer" in " ".join(would.split())
    assert not [value for values in (old, new) for value in (values[name] for name in NAMES) if value in would + shown]

    again = play(site, tmp_path, "begun", names=NAMES)
    assert "changed=0" in again
    assert passwords(site) == new

    harness.genconfig(TAGS, limit=("lab-01", "localhost"))
    after = texts(node)
    changed = {path for path in before if before[path] != after.get(path)}
    assert changed == holding
    assert {path.split("/")[0] for path in changed} <= {folder for tag in TAGS for folder in FOLDERS[tag]}


def test_the_old_ones_come_back(site, tmp_path):
    old = passwords(site)
    play(site, tmp_path, "begun", names=NAMES)
    kept = site.documents / "state/kolla-passwords.old.yml"
    assert kept.read_text().startswith("$ANSIBLE_VAULT")
    assert kept.stat().st_mode & 0o077 == 0
    assert "changed=1" in play(site, tmp_path, "reverted")
    assert passwords(site) == old
    play(site, tmp_path, "ended")
    assert not kept.exists()
