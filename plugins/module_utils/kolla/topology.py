# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kolla's configuration directory, made from the plan. Passwords are not in it: they are made once, not rendered."""

from __future__ import annotations

from typing import Any

from ..plan.types import Plan
from .ceph_files import ceph_files
from .certificates import derived_certificates
from .globals import globals_text, values
from .host_vars import host_files
from .inputs import Inputs
from .inventory import inventory_text
from .merging import merged
from .needs import PATH as NEEDS
from .needs import needs, needs_text
from .overrides import overrides
from .package import Package
from .tree import File
from .words import yaml_file


def render(plan: Plan, package: Package, inputs: Inputs) -> dict[str, File]:
    """All files by their paths. The same input gives the same text."""
    effective = effective_globals(plan, inputs)
    ours = {
        "globals.yml": File(globals_text(plan)),
        "inventory/hosts": File(inventory_text(plan, package)),
        NEEDS: File(needs_text(site_needs(plan, package, inputs))),
        **host_files(plan, inputs.connection),
        **{path: File(text) for path, text in overrides(plan).items()},
        **ceph_files(inputs.ceph),
        **derived_certificates(inputs.files, effective),
    }
    if inputs.globals:
        ours["globals.d/50-site.yml"] = File(yaml_file([("The operator's own keys, which win over globals.yml.", dict(inputs.globals))]))
    return merged(ours, inputs.files)


def effective_globals(plan: Plan, inputs: Inputs) -> dict[str, Any]:
    return {**values(plan), **inputs.globals}


def site_needs(plan: Plan, package: Package, inputs: Inputs) -> dict[str, Any]:
    return needs(plan, package, effective_globals(plan, inputs), inputs.files, inputs.ceph)
