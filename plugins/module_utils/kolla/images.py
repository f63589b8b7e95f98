# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which container images a site needs, told by the installed kolla-ansible itself: its variables are templated by its own Ansible, on
this machine and for one host of each kind. No host is contacted, and no secret is read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from ..errors import VitroError
from .check_ini import parse_inventory
from .check_read import FAST, HOSTS
from .package import Package
from .tree import Tree

SECONDS: Final = 300
GATE = re.compile(r"(enable_\w+?)_(True|False)(?=_enable_|$)")
# The role takes the name of its group from whoever calls it.
CALLER: Final = {"role_rabbitmq_groups": "rabbitmq", "kolla_action": "pull", "vitro_images": []}
# Groups that are not in the inventory are made while Kolla runs: those of MariaDB's shards.
LISTED = (
    "{%- if GATE -%}{%- set all = SERVICES -%}{%- for name in all -%}{%- set one = all[name] -%}"
    "{%- set mapped = one.group is defined and (one.group == 'all' or one.group in group_names or one.group not in groups) -%}"
    "{%- set here = (one.host_in_groups | bool) if one.host_in_groups is defined else mapped -%}"
    "{%- if one.image is defined and one.enabled | bool and here -%}{%- set _ = found.append(one.image) -%}{%- endif -%}"
    "{%- endfor -%}{%- endif -%}"
)


class ImagesUnknown(VitroError):
    code = "kolla_images"
    cure = "Cure what frontier.vitro.kolla_check says about the configuration, then try again"


def list_images(tree: Tree, package: Package) -> list[str]:
    """Registry, name and tag of every image that a host of this site pulls."""
    with tempfile.TemporaryDirectory(prefix="vitro-images-") as name:
        folder = Path(name)
        files = _written(tree, folder)
        output = folder / "images.json"
        play = _play(tree, package, folder, output)
        (folder / "play.yml").write_text(json.dumps([play]))
        _run(package, folder, files)
        found: list[str] = json.loads(output.read_text()) if output.exists() else []
    if not found:
        raise ImagesUnknown("Cannot tell which images the site needs: kolla-ansible named none")
    return sorted(set(found))


def _written(tree: Tree, folder: Path) -> list[Path]:
    """The configuration without its secrets; those of its files that Kolla takes for extra variables, in its order."""
    wanted = [path for path, file in tree.items() if path.startswith(("inventory/", "globals")) and not file.secret]
    for path in wanted:
        target = folder / "config" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(tree[path].text, errors="surrogateescape")
    extra = sorted(path for path in wanted if re.fullmatch(r"globals\.d/[^/]+\.(?:yml|yaml|json)", path))
    return [folder / "config" / path for path in (*(["globals.yml"] if "globals.yml" in wanted else []), *extra)]


def _play(tree: Tree, package: Package, folder: Path, output: Path) -> dict[str, Any]:
    """A play of roles that have Kolla's defaults, and one task each. Beside it lie Kolla's variables of groups, and its filters."""
    ansible = package.data / "ansible"
    for part in ("group_vars", "filter_plugins"):
        (folder / part).symlink_to(ansible / part)
    gates = role_gates(package)
    piles = _piles({role: names for role, names in service_roles(package).items() if role in gates})
    roles = [_made_role(folder / "roles" / f"pile{number}", ansible / "roles", pile, gates) for number, pile in enumerate(piles)]
    last = {
        "name": "Tell the images",
        "ansible.builtin.copy": {
            "content": "{{ ansible_play_hosts | map('extract', hostvars, 'vitro_images') | flatten | unique | to_json }}",
            "dest": str(output),
            "mode": "0600",
        },
        "run_once": True,
    }
    hosts = ",".join(representatives(tree[HOSTS].text if HOSTS in tree else ""))
    play = {"name": "Ask for images", "hosts": hosts, "gather_facts": False}
    return {**play, "vars": CALLER, "roles": roles, "post_tasks": [last]}


def _piles(services: Mapping[str, list[str]]) -> list[dict[str, list[str]]]:
    """Roles whose variables do not get into each other's way can be asked together, which takes a fifth of the time."""
    piles: list[dict[str, list[str]]] = []
    for role, names in services.items():
        free = next((pile for pile in piles if not {*names} & {one for taken in pile.values() for one in taken}), None)
        if free is None:
            piles.append(free := {})
        free[role] = names
    return piles


def _made_role(made: Path, kolla: Path, pile: Mapping[str, list[str]], gates: Mapping[str, list[str]]) -> str:
    """A role with the defaults of several of Kolla's, which adds their images to the list."""
    (made / "tasks").mkdir(parents=True)
    (made / "defaults/main").mkdir(parents=True)
    parts = []
    for role, services in pile.items():
        (made / f"defaults/main/{role}.yml").symlink_to(kolla / role / "defaults/main.yml")
        gate = " and ".join(f"({one})" for one in gates[role]) or "true"
        parts += [LISTED.replace("SERVICES", name).replace("GATE", gate) for name in services]
    text = "{%- set found = [] -%}" + "".join(parts) + "{{ vitro_images + found }}"
    (made / "tasks/main.yml").write_text(json.dumps([{"name": "Add images", "ansible.builtin.set_fact": {"vitro_images": text}}]))
    return made.name


def service_roles(package: Package) -> dict[str, list[str]]:
    """The variables in which each role describes its containers."""
    found = {}
    for path in sorted((package.data / "ansible/roles").glob("*/defaults/main.yml")):
        defaults = yaml.load(path.read_text(), Loader=FAST) or {}  # noqa: S506 - one of the safe loaders
        names = [key for key, value in defaults.items() if key.endswith("_services") and _has_images(value)]
        if names:
            found[path.parents[1].name] = names
    return found


def _has_images(value: Any) -> bool:
    return isinstance(value, Mapping) and any(isinstance(one, Mapping) and "image" in one for one in value.values())


def role_gates(package: Package) -> dict[str, list[str]]:
    """The conditions under which Kolla's site playbook plays each role, from the groups that its plays run on."""
    ansible = package.data / "ansible"
    gates: dict[str, list[str]] = {}
    for play in _plays(ansible / "site.yml"):
        hosts = play.get("hosts", [])
        patterns = hosts if isinstance(hosts, list) else [hosts]
        conditions = [_condition(*pair) for pattern in patterns for pair in GATE.findall(pattern) if pattern.startswith("&")]
        # Two groups that differ only in a switch are alternatives: one play stands for both.
        for role in _roles(play):
            gates.setdefault(role, conditions)
    return gates


def _condition(switch: str, state: str) -> str:
    return f"{switch} | bool" if state == "True" else f"not ({switch} | bool)"


def _plays(path: Path) -> Iterator[dict[str, Any]]:
    for play in yaml.load(path.read_text(), Loader=FAST) or []:  # noqa: S506 - one of the safe loaders
        imported = play.get("import_playbook") or play.get("ansible.builtin.import_playbook")
        if imported:
            yield from _plays(path.parent / imported)
        else:
            yield play


def _roles(play: Mapping[str, Any]) -> Iterator[str]:
    """Those that a play is made of, and those that its own tasks import; what tasks in blocks include is only configured."""
    for one in play.get("roles", ()):
        yield one["role"] if isinstance(one, Mapping) else one
    for task in play.get("tasks", ()):
        called = task.get("ansible.builtin.import_role") or task.get("ansible.builtin.include_role")
        if called:
            yield called["name"]


def representatives(inventory: str) -> list[str]:
    """One host of each kind: those in the same groups pull the same images."""
    members = parse_inventory(inventory).members()
    kinds: dict[frozenset[str], str] = {}
    for host in dict.fromkeys(host for hosts in members.values() for host in hosts):
        groups = frozenset(name for name, hosts in members.items() if host in hosts)
        if "deployment" not in groups:
            kinds.setdefault(groups, host)
    return list(kinds.values())


def _run(package: Package, folder: Path, extra: Sequence[Path]) -> None:
    line = [str(package.venv / "bin/python"), str(package.venv / "bin/ansible-playbook"), "-i", str(folder / "config/inventory")]
    line += [part for path in extra for part in ("-e", f"@{path}")]
    # Nothing but extra variables wins over what an inventory says of the connection.
    own = {"ansible_connection": "local", "ansible_become": False, "ansible_python_interpreter": str(package.venv / "bin/python")}
    line += ["-e", json.dumps({**own, "CONFIG_DIR": str(folder / "config")}), str(folder / "play.yml")]
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("ANSIBLE_", "PYTHON"))}
    settings = {
        "PYTHONUTF8": "1",
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_ROLES_PATH": str(folder / "roles"),
        "ANSIBLE_LOCAL_TEMP": str(folder / "tmp"),
        "ANSIBLE_REMOTE_TEMP": str(folder / "tmp"),
        "ANSIBLE_CONFIG": str(folder / "none.cfg"),
    }
    (folder / "none.cfg").touch()
    try:
        done = subprocess.run(  # noqa: S603 - a list, no shell
            line,
            cwd=folder,
            env={**kept, **settings},
            # Ansible refuses to run with the standard input of a worker of another Ansible.
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise ImagesUnknown(f"Cannot tell which images the site needs: ansible-playbook did not run ({type(exc).__name__})") from None
    if done.returncode:
        raise ImagesUnknown(f"Cannot tell which images the site needs: {_reason(done.stdout + done.stderr)}")


def _reason(output: str) -> str:
    """The first error that Ansible names. Secrets are not in it: they were not given."""
    found = re.search(r"^(?:\[ERROR\]: |ERROR!? ?:? |fatal: )(.+)$", output, re.MULTILINE)
    return found[1][:400] if found else "ansible-playbook failed without a reason"
