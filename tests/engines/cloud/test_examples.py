# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of modules that talk to a cloud, as they stand but for the names of hosts."""

from __future__ import annotations

import shutil
import subprocess

import pytest
import yaml

from tests.engines.cloud.stage import BIN
from tests.unit.tree import constants, name, plugins

# cloud_networks asks a member of OVN's databases too: the scenario ovn_raft runs it.
EXAMPLES = [path for path in plugins(["modules"]) if path.stem.startswith("cloud_") and path.stem != "cloud_networks"]


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_example(path, stage, tmp_path):
    stage.named("cirros", "m1.tiny", "internal")
    rendered = tmp_path / "rendered/kolla"
    (rendered / "certificates").mkdir(parents=True)
    shutil.copy(stage.clouds, rendered / "clouds.yaml")
    tasks = yaml.safe_load(constants(path)["EXAMPLES"].replace("cloud-0", "lab-0"))
    playbook = tmp_path / "play.yml"
    playbook.write_text(yaml.safe_dump([{"name": "Examples", "hosts": "localhost", "gather_facts": False, "tasks": tasks}]))
    command = [str(BIN / "ansible-playbook"), str(playbook)]
    done = subprocess.run(command, cwd=tmp_path, env=stage.environment(), capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[WARNING]" not in done.stderr, done.stderr
    assert f"ok={len(tasks)} " in done.stdout
