# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sites to render, and the installed kolla-ansible to render them with."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import Package, PackageMissing, read_package
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import SecretLocked
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan

from tests.unit.plugins.module_utils.plan.racks import intent, rack_of
from tests.unit.tree import ROOT

VENV = Path(os.environ.get("VITRO_KOLLA_VENV") or ROOT / "build/venv-kolla")
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
CHAIN = "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n"
KEY = "-----BEGIN PRIVATE KEY-----\nCCCC\n-----END PRIVATE KEY-----\n"


@cache
def installed() -> Package:
    """The kolla-ansible of `make test`."""
    try:
        return read_package(VENV)
    except PackageMissing as exc:
        pytest.skip(f"{exc.text}: run `make unit`, or name an environment in VITRO_KOLLA_VENV")


def planned(count: int = 3, **wishes: Any) -> Plan:
    plan = plan_site(rack_of(count), intent(**wishes))
    assert plan.applicable, plan.objections
    return plan


class Box:
    """A safe that is not safe: it turns the text around, and never gives the same bytes twice, as Ansible Vault does."""

    def __init__(self, *, locked: bool = False) -> None:
        self.locked = locked

    def lock(self, text: str) -> bytes:
        return f"$ANSIBLE_VAULT;{random.random()}\n{text[::-1]}".encode()

    def unlock(self, content: bytes, path: Path) -> str:
        if self.locked:
            raise SecretLocked(f"Cannot decrypt {path}")
        return content.decode().partition("\n")[2][::-1]
