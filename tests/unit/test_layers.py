# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What may import what, and other rules on the code that users run. Each rule is a function from source to complaints."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

import pytest

from tests.unit.tree import ROOT, files, name

COLLECTION = "ansible_collections.frontier.vitro.plugins"
# Which rooms of plugins/ a room may import from. Modules run on any host, so they see nothing of the controller's.
ROOMS = {
    "module_utils": {"module_utils"},
    "plugin_utils": {"plugin_utils", "module_utils"},
    "modules": {"module_utils"},
    "doc_fragments": set[str](),
    **{room: {"plugin_utils", "module_utils"} for room in ("action", "callback", "filter", "inventory", "lookup")},
}
# What of Ansible a room may import.
ANSIBLE = {"module_utils": None, "doc_fragments": None, "modules": "ansible.module_utils"}
# Which files of other subjects a subject may import: records, never logic.
PLAN_TYPES = {"plan.types", "plan.servers"}
# What belongs to no subject.
SHARED = {"backups", "checks", "columns", "documents", "errors", "evidence", "records", "sealed"}
SUBJECTS = {
    "bmc": set[str](),
    "plan": {"bmc.hardware"},
    **dict.fromkeys(("host", "kolla", "ceph", "ovn", "rke2", "image", "cloud", "gitops"), PLAN_TYPES),
    "report": PLAN_TYPES | {"bmc.hardware"},
}


# Packages that one imports by another name.
IMPORTED = {"ansible-core": "ansible", "PyYAML": "yaml", "openstacksdk": "openstack"}

# What only Ceph's image has.
CEPH = {"rados", "rbd", "cephfs"}


def declared() -> set[str]:
    """The packages in requirements/runtime.in, by the name one imports."""
    lines = (ROOT / "requirements/runtime.in").read_text().splitlines()
    packages = {re.split(r"[^\w-]", line)[0] for line in lines if line and line[0] not in "#-"}
    return {IMPORTED.get(one, one) for one in packages}


def imports(path: str, source: str) -> Iterator[str]:
    """Full names of what a file imports; a name taken from a package counts as a part of it."""
    here = f"{COLLECTION}.{path.removeprefix('plugins/').removesuffix('.py').replace('/', '.')}".split(".")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*here[: -node.level], *filter(None, [node.module])]) if node.level else node.module or ""
            yield from (f"{base}.{alias.name}" for alias in node.names)


def check_imports(path: str, source: str) -> Iterator[str]:
    """Imports point down: plugins, plugin_utils, module_utils, and then declared packages and the standard library."""
    room = path.split("/")[1]
    for imported in imports(path, source):
        top = imported.partition(".")[0]
        if imported.startswith(COLLECTION):
            other = imported.removeprefix(COLLECTION).split(".")[1]
            if other not in ROOMS[room]:
                yield f"{room} imports {other}"
        elif top == "ansible":
            allowed = ANSIBLE.get(room, "ansible")
            if allowed is None or not imported.startswith(allowed):
                yield f"{room} imports {imported}"
        elif "/ceph/inside/" in path and top in CEPH:
            continue
        elif top not in sys.stdlib_module_names and top not in declared():
            yield f"{imported} is not in requirements/runtime.in"


def check_subjects(path: str, source: str) -> Iterator[str]:
    """Subjects point one way, and take only records from one another."""
    utils = f"{COLLECTION}.module_utils."
    subject = path.split("/")[2]
    if path.startswith("plugins/module_utils/") and path.count("/") > 2:
        if subject not in SUBJECTS:
            yield f"{subject} is no subject; there are {', '.join(SUBJECTS)}"
            return
        for imported in imports(path, source):
            other = ".".join(imported.removeprefix(utils).split(".")[:2])
            if imported.startswith(utils) and other.partition(".")[0] not in {subject, *SHARED} and other not in SUBJECTS[subject]:
                yield f"{subject} imports {other}"


def check_handlers(_path: str, source: str) -> Iterator[str]:
    """Only expected errors are caught; what catches everything must end by raising, or say on its line why not."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            raises = isinstance(node.body[-1], ast.Raise)
            if re.search(r"noqa: BLE001 - \w", lines[node.lineno - 1]):
                continue
            if re.search(r"\bException\b|everything", caught) or ("BaseException" in caught and not raises):
                yield f"line {node.lineno} catches {caught}"


def check_annotations(_path: str, source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is None:
            yield f"{node.name} does not say what it returns"


def check_files(_path: str, source: str) -> Iterator[str]:
    """An installed collection finds nothing but itself: no plugin looks for files around it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id == "__file__":
            yield f"line {node.lineno} looks for files around the plugin"


RULES = [check_imports, check_subjects, check_handlers, check_annotations, check_files]
UTIL, MODULE, FILTER = "plugins/module_utils/plan/disks.py", "plugins/modules/bmc_boot.py", "plugins/filter/osd_disks.py"
CASES = [
    (check_imports, UTIL, "import ansible", "module_utils imports ansible"),
    (check_imports, UTIL, "def f():\n    from ansible.errors import AnsibleError", "module_utils imports ansible.errors.AnsibleError"),
    (check_imports, UTIL, "from ...plugin_utils import progress", "module_utils imports plugin_utils"),
    (check_imports, UTIL, f"import {COLLECTION}.modules.bmc_info", "module_utils imports modules"),
    (check_imports, UTIL, "import requests", "requests is not in requirements/runtime.in"),
    (check_imports, UTIL, "import json, aiohttp\nfrom .types import Plan\nfrom ..bmc.hardware import Server", None),
    (check_imports, MODULE, "from ansible.errors import AnsibleError", "modules imports ansible.errors.AnsibleError"),
    (check_imports, MODULE, "from ..plugin_utils.progress import Reporter", "modules imports plugin_utils"),
    (check_imports, MODULE, f"from ansible.module_utils.basic import AnsibleModule\nfrom {COLLECTION}.module_utils.bmc import boot", None),
    (check_imports, FILTER, "from .other import other", "filter imports filter"),
    (check_imports, FILTER, "from ansible.errors import AnsibleFilterError\nfrom ..plugin_utils import x", None),
    (check_subjects, UTIL, "from ..ceph.pools import plan_pools", "plan imports ceph.pools"),
    (check_subjects, UTIL, "from ..bmc.client import connect", "plan imports bmc.client"),
    (check_subjects, UTIL, "from ..bmc.hardware import Server\nfrom ..errors import VitroError\nfrom . import types", None),
    (check_subjects, "plugins/module_utils/bmc/a.py", "from ..plan.types import Plan", "bmc imports plan.types"),
    (check_subjects, "plugins/module_utils/tools/a.py", "", "tools is no subject"),
    (check_handlers, UTIL, "try: f()\nexcept Exception: pass", "line 2 catches Exception"),
    (check_handlers, UTIL, "try: f()\nexcept Exception:  # noqa: BLE001\n    pass", "line 2 catches Exception"),
    (check_handlers, UTIL, "try: f()\nexcept Exception:  # noqa: BLE001 - one must not stop the others\n    pass", None),
    (check_handlers, UTIL, "try: f()\nexcept (OSError, Exception): raise", "line 2 catches (OSError, Exception)"),
    (check_handlers, UTIL, "try: f()\nexcept: pass", "line 2 catches everything"),
    (check_handlers, UTIL, "try: f()\nexcept BaseException: pass", "line 2 catches BaseException"),
    (check_handlers, UTIL, "try: f()\nexcept BaseException:\n    g()\n    raise", None),
    (check_handlers, UTIL, "try: f()\nexcept Exception:  # noqa: BLE001\n    pass", "line 2 catches Exception"),
    (check_handlers, UTIL, "try: f()\nexcept Exception:  # noqa: BLE001 - one must not stop the others\n    pass", None),
    (check_handlers, UTIL, "try: f()\nexcept (OSError, ValueError): pass", None),
    (check_annotations, UTIL, "class A:\n    async def f(self): ...", "f does not say what it returns"),
    (check_annotations, UTIL, "def f() -> None: ...", None),
    (check_files, UTIL, "from pathlib import Path\nx = Path(__file__).parents[3] / 'docs'", "line 2 looks for files around the plugin"),
    (check_files, UTIL, "x = '__file__'", None),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "path", "source", "complaint"), CASES)
def test_rule(rule, path, source, complaint):
    found = list(rule(path, source))
    assert len(found) == (complaint is not None)
    assert not complaint or found[0].startswith(complaint)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_plugins(rule):
    complaints = [f"{name(path)}: {said}" for path in files("plugins/*.py") for said in rule(name(path), path.read_text())]
    assert complaints == []


def test_declared_packages():
    assert {"ansible", "aiohttp", "yaml"} <= declared()


def test_roles_and_playbooks_stay_inside():
    """What is installed with a role is the role: it does not climb out of its folder."""
    climbs = re.compile(r"(role_path|playbook_dir)\b.*\.\./|\b(src|file|path): *\.\./")
    complaints = [name(path) for path in files("roles/*.yml", "roles/*.j2", "playbooks/*.yml") if climbs.search(path.read_text())]
    assert complaints == []
