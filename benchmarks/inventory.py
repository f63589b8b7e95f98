# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks.inventory: the inventory plugin with a warm cache, and a static inventory of the same content."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import yaml

from benchmarks.lab import PORT, Lab, generated
from benchmarks.measure import BUILD, Cost, measured, middle, wait_for_quiet
from benchmarks.playbooks import environment_of_ansible
from benchmarks.report import Bar, bar_table, exit_code, machine, say, table, write_section

HOSTS = 1000
# The static inventory takes a minute or two to load, and what is compared differs by far more than the machine's noise.
TURNS = 1
MOST = 1.3
COMMANDS = ("--list", "--graph")
SHAPE = {
    "plugin": "frontier.vitro.bmc",
    "keyed_groups": [{"key": "vitro_hardware.bmc.vendor", "prefix": "vendor"}, {"key": "vitro_hardware.location.rack", "prefix": "rack"}],
}
WORDS = """\
{hosts:,} hosts, read once from the emulated rack, which was then stopped. The first three inventories give the same `--list`, which
is checked: the same hosts, groups and variables. Each runs once a command.

- **static**: one YAML file of {megabytes:.1f} MB, the hardware records as host variables. ansible-core notes for every value where
  in the file it stands, and copies all of it once more; that is where the time goes.
- **cached**: the plugin `frontier.vitro.bmc` with a warm cache of `ansible.builtin.jsonfile`.
- **document**: the plugin with `document`, the hardware document.
- **names**: a YAML file with the same hosts and groups and no variables, to show what the records cost."""


def write_inventories(lab: Lab, folder: Path) -> dict[str, Path]:
    """The inventories; the plugin's cache is filled by the run that gives the others their content."""
    names = ("static.yml", "cached/bmc.yml", "document/bmc.yml", "names.yml")
    paths = {name.partition("/")[0].removesuffix(".yml"): folder / name for name in names}
    for path in paths.values():
        path.parent.mkdir(exist_ok=True)
    access = {"targets": lab.addresses, "port": PORT, "username": lab.username, "password": lab.password, "ca_path": str(lab.ca)}
    cache = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(folder / "cache"), "cache_timeout": 86400}
    paths["cached"].write_text(yaml.safe_dump({**SHAPE, **access, **cache}))
    paths["document"].write_text(yaml.safe_dump({**SHAPE, "document": "../hardware.json"}))
    content = listed(paths["cached"], folder)
    hosts = content["_meta"]["hostvars"]
    groups = {name: {"hosts": dict.fromkeys(group["hosts"])} for name, group in content.items() if "hosts" in group}
    paths["names"].write_text(yaml.safe_dump({"all": {"children": groups}}))
    paths["static"].write_text(yaml.dump({"all": {"children": groups, "hosts": hosts}}, Dumper=yaml.CSafeDumper))
    servers = [variables["vitro_hardware"] for variables in hosts.values()]
    (folder / "hardware.json").write_text(json.dumps({"schema": "vitro/hardware/1", "servers": servers, "unread": []}, indent=1))
    return paths


def run(inventory: Path, command: str, output: Path) -> Cost:
    program = str(Path(sys.executable).with_name("ansible-inventory"))
    return measured([program, "-i", str(inventory), command], output, environment_of_ansible())


def listed(inventory: Path, folder: Path) -> dict[str, Any]:
    """What `--list` says, hosts and groups in one order, and texts without the mark that they are no templates."""
    run(inventory, "--list", folder / "list.json")
    found: dict[str, Any] = _plain(json.loads((folder / "list.json").read_text()))
    return {
        name: {key: sorted(value) if isinstance(value, list) else value for key, value in group.items()} for name, group in found.items()
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return value["__ansible_unsafe"] if "__ansible_unsafe" in value else {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def check_same(paths: dict[str, Path], folder: Path) -> None:
    contents = {name: listed(path, folder) for name, path in paths.items() if name != "names"}
    hosts = len(contents["static"]["_meta"]["hostvars"])
    different = [name for name, content in contents.items() if content != contents["static"]]
    if hosts != HOSTS or different:
        raise SystemExit(f"{', '.join(different) or 'no'} inventories differ from the static one, which has {hosts} hosts; see {folder}")


def measure(paths: dict[str, Path], folder: Path) -> dict[tuple[str, str], Cost]:
    costs: dict[tuple[str, str], list[Cost]] = {(command, name): [] for command in COMMANDS for name in paths}
    for _turn in range(TURNS):
        for (command, name), runs in costs.items():
            runs.append(run(paths[name], command, folder / "output.txt"))
            say(f"{command} {name}: {runs[-1].wall:.2f} s, CPU {runs[-1].cpu:.2f} s")
    return {key: middle(runs) for key, runs in costs.items()}


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = BUILD / "inventory"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with generated(HOSTS, folder) as lab:
        say(f"Reading {HOSTS} BMCs once")
        paths = write_inventories(lab, folder)
    check_same(paths, folder)
    wait_for_quiet()
    costs = measure(paths, folder)
    ratios = {key: cost.wall / costs[key[0], "static"].wall for key, cost in costs.items()}
    rows = [
        (f"`{command}`", name, f"{cost.wall:.2f}", f"{cost.cpu:.2f}", f"{cost.memory / 1e6:.0f}", f"{ratios[command, name]:.2f}")
        for (command, name), cost in costs.items()
    ]
    bars = [
        Bar(f"`{command}`: cached by static, wall", f"≤ {MOST}", f"{ratio:.2f}", ratio <= MOST)
        for (command, name), ratio in ratios.items()
        if name == "cached"
    ]
    shown = table(("ansible-inventory", "inventory", "wall s", "CPU s", "peak MB", "wall / static"), rows) + "\n\n" + bar_table(bars)
    print("\n" + shown)
    others = max((cost.busy - cost.cpu) / cost.wall for cost in costs.values())
    words = WORDS.format(hosts=HOSTS, megabytes=paths["static"].stat().st_size / 1e6)
    write_section(
        "Inventory", "\n\n".join([f"{machine('bench-inventory')}\n- Others on the machine: {others:.2f} cores busy at most", words, shown])
    )
    return exit_code(bars)


if __name__ == "__main__":
    sys.exit(main())
