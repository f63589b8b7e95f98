# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real cloud with three compute hosts, started once for the suite; and what operators and users do with it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.client import connect, read_login

from tests.engines.cloud.stage import HOSTS, Stage
from tests.lab.openstack import Lab

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def lab():
    """VITRO_CLOUD_LAB names the folder of a lab to use and to leave running; else one is made and wiped."""
    kept = os.environ.get("VITRO_CLOUD_LAB")
    made = Lab(Path(kept) if kept else ROOT / "build/prove-cloud/lab")
    try:
        made.up(HOSTS)
        yield made
    finally:
        if not kept:
            made.down(wipe=True)


@pytest.fixture(scope="session")
def cloud(lab):
    return connect(read_login(lab.clouds.read_text(), str(lab.clouds), "kolla-admin"), ca=None, timeout=60)


@pytest.fixture(scope="session")
def session_stage(lab, cloud):
    made = Stage(lab, cloud, ROOT / "build/prove-cloud")
    made.prepare()
    return made


@pytest.fixture
def stage(session_stage):
    """Every test begins with three hosts in use and no guest."""
    session_stage.clear()
    start = time.monotonic()
    yield session_stage
    print(f"{time.monotonic() - start:.0f} s")
