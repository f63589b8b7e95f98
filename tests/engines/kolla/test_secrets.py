# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real command of kolla-ansible that writes passwords: nothing of them is left in the clear, anywhere."""

from __future__ import annotations

import subprocess

import pytest
import yaml


@pytest.fixture(scope="module")
def shown(site):
    """post-deploy runs on the controller only; it writes clouds.yaml and openrc files."""
    done = site.play("openstack", "--tags", "kolla_deploy_post", "--diff", "-v")
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def passwords(site):
    command = [site.venv / "bin/ansible-vault", "view", "--vault-password-file", site.vault_password_file, site.config / "passwords.yml"]
    values = yaml.safe_load(subprocess.run(command, text=True, capture_output=True, check=True).stdout)
    keys = [part for one in values.values() if isinstance(one, dict) for part in one["private_key"].splitlines()[1:-1]]
    return [*(one for one in values.values() if isinstance(one, str)), *keys]


def test_no_password_is_shown_or_kept_in_the_clear(site, shown, passwords):
    assert len(passwords) > 100
    assert [one for one in passwords if one in shown] == []
    kept = {path: path.read_text() for path in site.documents.rglob("*") if path.is_file()}
    assert len(kept) > 30
    assert [path.name for path, text in kept.items() for one in passwords if one in text] == []


def test_what_kolla_wrote_is_there_and_encrypted(site, shown):
    for name in ("clouds.yaml", "admin-openrc.sh"):
        assert (site.config / name).read_text().startswith("$ANSIBLE_VAULT"), name


def test_a_second_run_does_nothing(site, shown):
    again = site.play("openstack", "--tags", "kolla_deploy_post")
    assert "changed=0" in again.stdout
    assert "changed=1" not in again.stdout


def test_rendering_again_leaves_them(site, shown):
    site.play("render")
    assert (site.config / "clouds.yaml").is_file()
