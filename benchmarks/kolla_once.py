# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.kolla_once stage|render|check FOLDER [HOSTS]: does once what the modules do, and prints what that took as JSON.

`stage` makes the plan and what the site brings, which is not measured. Secrets are encrypted by Ansible Vault, as the modules do it."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ansible.constants import DEFAULT_VAULT_ID_MATCH
from ansible.parsing.vault import VaultLib, VaultSecret
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check import check, lines, summary
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check_options import read_config
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.directory import read_directory
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.inputs import read_inputs
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import read_package
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.passwords import PATH as PASSWORDS
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.passwords import complete
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.topology import render
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import File, plan_tree, write_changes
from ansible_collections.frontier.vitro.plugins.module_utils.plan.document import DOCUMENT, read_plan

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / "build/venv-kolla"


class Safe:
    """Ansible Vault with one password."""

    def __init__(self) -> None:
        self._vault = VaultLib([(DEFAULT_VAULT_ID_MATCH, VaultSecret(b"benchmark"))])

    def lock(self, text: str) -> bytes:
        return bytes(self._vault.encrypt(text))

    def unlock(self, content: bytes, _path: Path) -> str:
        return bytes(self._vault.decrypt(content)).decode()


def stage(folder: Path, hosts: int) -> dict[str, Any]:
    """A plan, certificates, what Ceph hands over, and passwords by Kolla's own tools."""
    from benchmarks.planning import planned  # noqa: PLC0415 - only staging plans
    from tests.unit.plugins.module_utils.kolla.good_site import ceph, certificates, passwords  # noqa: PLC0415

    plan = planned(hosts, 1)[0]
    safe = Safe()
    DOCUMENT.write(plan, folder / "plan.json")
    parts = {
        **{f"kolla/{path}": file for path, file in certificates(plan).items()},
        **{f"ceph/{path}": file for path, file in ceph(plan).items()},
    }
    for path, file in {**parts, f"rendered/{PASSWORDS}": File(passwords(), secret=True)}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(safe.lock(file.text) if file.secret else file.text.encode())
    (folder / "rendered/needs.yml").write_text("\nschema: vitro/kolla-needs/1\n")
    return {"objections": [one.text for one in plan.objections]}


def rendered(folder: Path) -> dict[str, Any]:
    """As the module kolla_topology does it, with passwords that are there: those are made once, by Kolla's tools."""
    safe, dest = Safe(), folder / "rendered"
    plan = read_plan(folder / "plan.json")
    package = read_package(VENV, plan.versions.kolla_ansible)
    options = {"files": str(folder / "kolla"), "ceph": str(folder / "ceph"), "globals": {}, "connection": {}, "passwords": {}}
    inputs = read_inputs(options, package, safe)
    before = read_directory(dest, safe)
    after = render(plan, package, inputs)
    after[PASSWORDS] = File(complete(before[PASSWORDS].text, package, {}), secret=True)
    changes = plan_tree(before, after)
    write_changes(changes, dest, safe)
    texts = "".join(f"{path}\0{file.text}\0" for path, file in sorted(after.items()))
    return {"changes": len(changes), "files": len(after), "sha": hashlib.sha256(texts.encode()).hexdigest()}


def checked(folder: Path) -> dict[str, Any]:
    """As the module kolla_check does it."""
    plan = read_plan(folder / "plan.json")
    findings = check(plan, read_config(folder / "rendered", Safe()), read_package(VENV), datetime.now(UTC))
    return {**summary(findings), "lines": len(lines(findings))}


def main() -> None:
    what, folder = sys.argv[1], Path(sys.argv[2])
    start = time.process_time()
    result = stage(folder, int(sys.argv[3])) if what == "stage" else rendered(folder) if what == "render" else checked(folder)
    print(json.dumps({**result, "cpu": time.process_time() - start}))


if __name__ == "__main__":
    main()
