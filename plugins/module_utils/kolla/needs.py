# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site must bring before Kolla can deploy it. The file also marks the directory as ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..plan.types import Plan
from .ceph_files import CONF, PLACES, there
from .certificates import is_there, wanted_certificates
from .package import Package
from .tree import Tree
from .words import yaml_file

SCHEMA: Final = "vitro/kolla-needs/1"
PATH: Final = "needs.yml"
# The bundle of collections that kolla-ansible of a release works with; it is on the package index, its parts are not.
COLLECTIONS: Final = {"22": "ansible==12.3.0"}


def needs(plan: Plan, package: Package, values: Mapping[str, Any], operator: Tree, handed: Tree) -> dict[str, Any]:
    """Everything that comes from outside, and whether it is there."""
    brought = set(there(handed))
    return {
        "schema": SCHEMA,
        "site": plan.site,
        "certificates": [_certificate(one, operator) for one in wanted_certificates(plan, values)],
        "ceph": [{"file": f"ceph/{name}", "there": name in brought} for name in PLACES],
        "python": [f"kolla-ansible=={package.version}", *filter(None, [COLLECTIONS.get(package.version.partition(".")[0])])],
        "registry": plan.registry,
    }


def needs_text(content: Mapping[str, Any]) -> str:
    return yaml_file([("What this site must bring. Paths are in the folder of the site; there: false is still missing.", content)])


def is_ours(text: str) -> bool:
    return f"\nschema: {SCHEMA}\n" in text


def wanted(content: Mapping[str, Any]) -> list[str]:
    """What is still missing, one sentence each."""
    said = []
    for one in content["certificates"]:
        if not one["there"]:
            covers = ", ".join([*one.get("names", ()), *one.get("addresses", ())])
            said.append(f"{one['file']}: {one['holds']}" + (f", for {covers}" if covers else ""))
    for one in content["ceph"]:
        if not one["there"]:
            what = "how to reach Ceph" if one["file"].endswith(CONF) else "the key of this client"
            said.append(f"{one['file']}: {what}, which the Ceph stage writes")
    return said


def _certificate(one: Any, operator: Tree) -> dict[str, Any]:
    covers = {key: list(values) for key, values in (("names", one.names), ("addresses", one.addresses)) if values}
    return {"file": f"kolla/{one.file}", "holds": one.holds, **covers, "there": is_there(one.file, operator)}
