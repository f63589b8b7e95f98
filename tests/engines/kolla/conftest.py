# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site of three servers that do everything, ready for Kolla, and the harness on it; made once for the suite."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.lab.kolla import Harness
from tests.lab.kolla.site import KollaSite

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def site():
    venv = Path(os.environ.get("VITRO_KOLLA_VENV", ROOT / "build/venv-kolla"))
    made = KollaSite(ROOT / "build/prove-kolla/site", venv)
    made.make(3)
    made.bring()
    return made


@pytest.fixture(scope="session")
def harness(site):
    made = Harness(site.plan, site.config, site.venv, ROOT / "build/prove-kolla/work", site.vault_password_file)
    made.prepare()
    return made
